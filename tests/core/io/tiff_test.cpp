// SPDX-License-Identifier: Apache-2.0
// TIFFs by Pillow and tifffile: strips, tiles, planes, pages, both byte orders; damaged ones are refused in words.
#include "core/io/format.h"
#include "tests/core/io/image_goldens.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace maskscope;
using namespace maskscope::test;

namespace {

// A little-endian TIFF of one strip, tag by tag: (tag, type, count, value or offset).
struct Entry {
    quint16 tag;
    quint16 type;
    quint32 count;
    quint32 value;
};

void put(QByteArray& out, quint32 value, int width) {
    for (int i = 0; i < width; ++i) out += static_cast<char>((value >> (8 * i)) & 0xffU);
}

QByteArray tiff_of(const std::vector<Entry>& entries, const QByteArray& pixels, quint32 next = 0) {
    QByteArray out("II*\0", 4);
    put(out, 8, 4);
    put(out, static_cast<quint32>(entries.size()), 2);
    for (const auto& entry : entries) {
        put(out, entry.tag, 2);
        put(out, entry.type, 2);
        put(out, entry.count, 4);
        put(out, entry.value, 4);
    }
    put(out, next, 4);
    return out + pixels;
}

constexpr quint32 kPixelsAt = 8 + 2 + 9 * 12 + 4;

std::vector<Entry> grey(quint32 width, quint32 height, quint32 bytes) {
    return {{256, 4, 1, width},     {257, 4, 1, height}, {258, 3, 1, 8},      {259, 3, 1, 1},    {262, 3, 1, 1},
            {273, 4, 1, kPixelsAt}, {277, 3, 1, 1},      {278, 4, 1, height}, {279, 4, 1, bytes}};
}

}  // namespace

class TiffTest : public QObject {
    Q_OBJECT

private slots:
    void as_others_read_it_data() { image_rows(".tif"); }
    void as_others_read_it() {
        QFETCH(QString, entry);
        check_image(entry);
    }
    void palette();
    void pages();
    void packed_samples();
    void cut_anywhere();
    void damage();
    void hostile_data();
    void hostile();
    void cancelled();

private:
    QTemporaryDir folder_;
    QString path_ = folder_.filePath("x.tif");
};

void TiffTest::palette() {
    const auto contents = io::open_file(kImages + "palette.tif");
    QVERIFY(contents.ok());
    const auto& facts = *contents->items[0].image;
    QCOMPARE(facts.kind, io::PixelKind::palette);
    QCOMPARE(facts.palette.size(), 256U);
    // make_images.py: index, 255 - index, index / 2.
    QVERIFY((facts.palette[5] == std::array<std::uint8_t, 4>{5, 250, 2, 255}));
}

void TiffTest::pages() {
    const auto contents = io::open_file(kImages + "pages.tif");
    QVERIFY(contents.ok());
    QCOMPARE(contents->items.size(), 3U);
    QCOMPARE(contents->items[1].key, "page2");
    QCOMPARE(contents->items[1].dtype, DType::f32);
    QCOMPARE(contents->items[2].image->page_count, 3);
}

void TiffTest::packed_samples() {
    // 2 bits: 3 2 1 0 | 1, rows begin at bytes.
    auto entries = grey(5, 2, 4);
    entries[2].value = 2;
    const auto tensor = load_image(path_, tiff_of(entries, QByteArray("\xe4\x40\x1b\xc0", 4)));
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().text().c_str());
    QCOMPARE(tensor->dtype(), DType::u8);
    const std::vector<int> wanted = {3, 2, 1, 0, 1, 0, 1, 2, 3, 3};
    for (std::size_t i = 0; i < wanted.size(); ++i) QCOMPARE(int{tensor->data_as<std::uint8_t>()[i]}, wanted[i]);
}

void TiffTest::cut_anywhere() {
    const QByteArray whole = tiff_of(grey(3, 2, 6), "abcdef");
    QVERIFY(load_image(path_, whole).ok());
    for (qsizetype length = 1; length < whole.size(); ++length)
        QVERIFY2(!load_image(path_, whole.first(length)).ok(), qPrintable(QString::number(length)));
}

void TiffTest::damage() {
    for (const char* name : {"rgb_lzw.tif", "bits_fax4.tif", "rgb_jpeg.tif", "palette.tif"})
        QVERIFY2(survive_damage(path_, image_bytes(name)) >= 0, name);
    // Only the directories of the larger ones.
    for (const char* name : {"tiles.tif", "planes.tif", "rgb16_big.tif"}) {
        const QByteArray whole = image_bytes(name);
        for (qsizetype i = 0; i < std::min<qsizetype>(whole.size(), 400); ++i) {
            QByteArray bytes = whole;
            bytes[i] = static_cast<char>(~bytes[i]);
            const auto tensor = load_image(path_, bytes);
            QVERIFY(tensor.ok() || tensor.error().message.text().size() > 10);
        }
    }
}

void TiffTest::hostile_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto with = [](std::size_t entry, quint32 value) {
        auto entries = grey(3, 2, 6);
        entries[entry].value = value;
        return tiff_of(entries, "abcdef");
    };
    QTest::newRow("no TIFF") << QByteArray("this is no picture at all") << "this TIFF cannot be read";
    QTest::newRow("no width") << with(0, 0) << "cannot be read";
    QTest::newRow("wide") << with(0, 0xffffffff) << "not read";
    QTest::newRow("more than there is") << with(1, 100'000) << "more than";
    QTest::newRow("3 bit") << with(2, 3) << "3 bit";
    QTest::newRow("unknown compression") << with(3, 12345) << "compress";
    QTest::newRow("colours of inks") << with(4, 5) << "CMYK";
    QTest::newRow("pixels beyond the end") << with(5, 1'000'000) << "cannot be read";
    const auto tiles = [](quint32 width, quint32 height) {
        const std::vector<Entry> entries = {{256, 4, 1, 3},      {257, 4, 1, 2},         {258, 3, 1, 8},
                                            {259, 3, 1, 1},      {262, 3, 1, 1},         {322, 4, 1, width},
                                            {323, 4, 1, height}, {324, 4, 1, kPixelsAt}, {325, 4, 1, 6}};
        return tiff_of(entries, "abcdef");
    };
    QTest::newRow("no rows in a strip") << with(7, 0) << "TIFF";
    QTest::newRow("no tiles") << tiles(0, 0) << "TIFF";
    QTest::newRow("huge tiles") << tiles(0x7ffffff0, 0x7ffffff0) << "TIFF";
    QTest::newRow("large tiles") << tiles(0x8000, 0x8000) << "TIFF";
    QTest::newRow("many samples") << with(6, 60'000) << "samples";
    QTest::newRow("a ring of pages") << tiff_of(grey(3, 2, 6), "abcdef", 8) << "";
}

void TiffTest::hostile() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto tensor = load_image(path_, bytes);
    if (says.isEmpty()) return;  // read or not, it ends
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().kind, ErrorKind::input);
    QVERIFY2(QString::fromStdString(tensor.error().text()).contains(says), tensor.error().text().c_str());
}

void TiffTest::cancelled() {
    const auto contents = io::open_file(kImages + "tiles.tif");
    QVERIFY(contents.ok());
    std::stop_source stop;
    stop.request_stop();
    const auto tensor = io::tensor_of(contents->items[0], JobContext(stop.get_token()));
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().kind, ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(TiffTest)
#include "tiff_test.moc"
