// SPDX-License-Identifier: Apache-2.0
// WebPs by Pillow: the same pixels, not turned; animations and damaged files are refused in words.
#include "core/io/format.h"
#include "tests/core/io/image_goldens.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace maskscope;
using namespace maskscope::test;

class WebpTest : public QObject {
    Q_OBJECT

private slots:
    void as_pillow_reads_it_data() { image_rows(".webp"); }
    void as_pillow_reads_it() {
        QFETCH(QString, entry);
        check_image(entry);
    }
    void facts();
    void cut_anywhere();
    void damage();
    void no_webp();

private:
    QTemporaryDir folder_;
    QString path_ = folder_.filePath("x.webp");
};

void WebpTest::facts() {
    const auto contents = io::open_file(kImages + "alpha.webp");
    QVERIFY(contents.ok());
    QCOMPARE(contents->format_id, "webp");
    QCOMPARE(contents->items[0].image->kind, io::PixelKind::rgba);
    QCOMPARE(contents->items[0].image->channel_order, "RGBA");
    QCOMPARE(contents->items[0].image->compression, "lossless WebP");
    QVERIFY(contents->items[0].shape == Dims({21, 34, 4}));
}

void WebpTest::cut_anywhere() {
    for (const char* name : {"lossy.webp", "lossless.webp"}) {
        const QByteArray whole = image_bytes(name);
        QVERIFY(load_image(path_, whole).ok());
        for (qsizetype length = 1; length < whole.size() - 2; ++length) {
            const auto tensor = load_image(path_, whole.first(length));
            QVERIFY2(!tensor.ok(), qPrintable(QString("%1 of %2 bytes").arg(length).arg(whole.size())));
        }
    }
}

void WebpTest::damage() {
    QVERIFY(survive_damage(path_, image_bytes("lossless.webp")) >= 0);
    QVERIFY(survive_damage(path_, image_bytes("lossy.webp")) >= 0);
    QVERIFY(survive_damage(path_, image_bytes("turned.webp")) >= 0);
}

void WebpTest::no_webp() {
    const auto tensor = load_image(path_, "this is no picture");
    QVERIFY(!tensor.ok());
    QVERIFY2(tensor.error().text().find("this WebP cannot be decoded") != std::string::npos,
             tensor.error().text().c_str());
}

QTEST_APPLESS_MAIN(WebpTest)
#include "webp_test.moc"
