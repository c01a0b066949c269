// SPDX-License-Identifier: Apache-2.0
// JPEGs by Pillow: the same pixels, not turned, with what the file says of itself; damaged ones are refused in words.
#include "core/io/format.h"
#include "tests/core/io/image_goldens.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace maskscope;
using namespace maskscope::test;

class JpegTest : public QObject {
    Q_OBJECT

private slots:
    void as_pillow_reads_it_data() { image_rows(".jpg"); }
    void as_pillow_reads_it() {
        QFETCH(QString, entry);
        check_image(entry);
    }
    void cut_anywhere();
    void damage();
    void claims_too_much();
    void the_bytes_decide();
    void cancelled();

private:
    QTemporaryDir folder_;
    QString path_ = folder_.filePath("x.jpg");
};

void JpegTest::cut_anywhere() {
    for (const char* name : {"rgb_420.jpg", "progressive.jpg"}) {
        const QByteArray whole = image_bytes(name);
        QVERIFY(load_image(path_, whole).ok());
        // The last two bytes only say that the image has ended, and the bits before may be padding.
        for (qsizetype length = 1; length < whole.size() - 3; ++length) {
            const auto tensor = load_image(path_, whole.first(length));
            QVERIFY2(!tensor.ok(), qPrintable(QString("%1 of %2 bytes").arg(length).arg(whole.size())));
            QCOMPARE(tensor.error().kind, ErrorKind::input);
        }
    }
    const auto tensor = load_image(path_, image_bytes("rgb_420.jpg").first(500));
    QVERIFY(tensor.error().where.offset.has_value());
    QVERIFY(*tensor.error().where.offset <= 500);
}

void JpegTest::damage() {
    QVERIFY(survive_damage(path_, image_bytes("grey.jpg")) >= 0);
    QVERIFY(survive_damage(path_, image_bytes("progressive.jpg")) >= 0);
}

void JpegTest::claims_too_much() {
    QByteArray bytes = image_bytes("grey.jpg");
    const qsizetype frame = bytes.indexOf("\xff\xc0");
    QVERIFY(frame > 0);
    bytes.replace(frame + 5, 4, QByteArray("\xff\x00\xff\x00", 4));
    const auto tensor = load_image(path_, bytes);
    QVERIFY(!tensor.ok());
    QVERIFY2(tensor.error().text().find("claims 65280 x 65280 pixels") != std::string::npos,
             tensor.error().text().c_str());
}

void JpegTest::the_bytes_decide() {
    // A JPEG under another image's name, and under none.
    QVERIFY(load_image(folder_.filePath("x.png"), image_bytes("grey.jpg")).ok());
    QVERIFY(load_image(folder_.filePath("x"), image_bytes("grey.jpg")).ok());
    const auto text = load_image(path_, "this is no picture");
    QVERIFY(!text.ok());
    QVERIFY2(text.error().text().find("this JPEG cannot be decoded") != std::string::npos, text.error().text().c_str());
}

void JpegTest::cancelled() {
    const auto contents = io::open_file(kImages + "progressive.jpg");
    QVERIFY(contents.ok());
    std::stop_source stop;
    stop.request_stop();
    const auto tensor = io::tensor_of(contents->items[0], JobContext(stop.get_token()));
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().kind, ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(JpegTest)
#include "jpeg_test.moc"
