// SPDX-License-Identifier: Apache-2.0
// PNG as numbers: images written here by libpng (depths, interlacing) and hostile bytes. The goldens of Pillow are read
// with the other files of tests/golden.
#include "core/io/format.h"

#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

#include <png.h>
#include <zlib.h>

using namespace maskscope;
using namespace maskscope::io;

namespace {

struct Picture {
    int width = 0;
    int height = 0;
    int bit_depth = 8;
    int colour_type = PNG_COLOR_TYPE_GRAY;
    bool interlaced = false;
    std::vector<std::vector<png_byte>> rows;  // as they stand in the file: packed, big-endian
};

QByteArray encode(const Picture& picture) {
    QByteArray out;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &out,
        [](png_structp self, png_bytep data, png_size_t count) {
            static_cast<QByteArray*>(png_get_io_ptr(self))
                ->append(reinterpret_cast<const char*>(data), static_cast<qsizetype>(count));
        },
        nullptr);
    png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
                 picture.bit_depth, picture.colour_type, picture.interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (picture.colour_type == PNG_COLOR_TYPE_PALETTE) {
        const png_color colours[3] = {{0, 0, 0}, {128, 0, 0}, {0, 128, 0}};
        png_set_PLTE(png, info, colours, 3);
    }
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; ++pass)
        for (const auto& row : picture.rows) png_write_row(png, row.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

std::vector<double> values_of(const Tensor& tensor) {
    const auto flat = tensor.contiguous();
    std::vector<double> out(static_cast<std::size_t>(tensor.numel()));
    convert_to_f64(flat->data(), flat->dtype(), 1, flat->numel(), out.data());
    return out;
}

}  // namespace

class PngTest : public QObject {
    Q_OBJECT

private slots:
    void packed_grey_keeps_its_values();
    void sixteen_bits();
    void palette_indices();
    void colour_has_channels();
    void interlaced_is_the_same_picture();
    void cut_anywhere();
    void hostile();
    void hostile_data();
    void cancelled();

private:
    Result<FileContents> open(const QByteArray& bytes);
    Result<Tensor> load(const QByteArray& bytes);
    QTemporaryDir folder_;
};

Result<FileContents> PngTest::open(const QByteArray& bytes) {
    const QString path = folder_.filePath("x.png");
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return input_error("cannot write the test's file");
    file.write(bytes);
    file.close();
    return open_file(path.toStdString());
}

Result<Tensor> PngTest::load(const QByteArray& bytes) {
    auto contents = open(bytes);
    if (!contents) return contents.error();
    return tensor_of(contents->items[0], {});
}

void PngTest::packed_grey_keeps_its_values() {
    const auto one = load(encode({.width = 10, .height = 1, .bit_depth = 1, .rows = {{0b10110000, 0b01000000}}}));
    QVERIFY2(one.ok(), one ? "" : one.error().text().c_str());
    QCOMPARE(one->dtype(), DType::u8);
    QCOMPARE(values_of(*one), (std::vector<double>{1, 0, 1, 1, 0, 0, 0, 0, 0, 1}));
    const auto two = load(encode({.width = 3, .height = 2, .bit_depth = 2, .rows = {{0b11100100}, {0b00011000}}}));
    QVERIFY(two.ok());
    QCOMPARE(values_of(*two), (std::vector<double>{3, 2, 1, 0, 1, 2}));
    const auto four = load(encode({.width = 3, .height = 1, .bit_depth = 4, .rows = {{0x5f, 0x90}}}));
    QVERIFY(four.ok());
    QCOMPARE(values_of(*four), (std::vector<double>{5, 15, 9}));
}

void PngTest::sixteen_bits() {
    const auto contents = open(encode({.width = 2, .height = 1, .bit_depth = 16, .rows = {{0x65, 0x91, 0xff, 0xff}}}));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items[0].dtype, DType::u16);
    QCOMPARE(contents->items[0].note, "grey, 16 bit");
    const auto tensor = tensor_of(contents->items[0], {});
    QVERIFY(tensor.ok());
    QCOMPARE(values_of(*tensor), (std::vector<double>{26001, 65535}));
}

void PngTest::palette_indices() {
    const auto contents = open(encode(
        {.width = 4, .height = 1, .bit_depth = 2, .colour_type = PNG_COLOR_TYPE_PALETTE, .rows = {{0b00011001}}}));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items[0].note, "palette indices, 2 bit");
    QCOMPARE(contents->metadata.at("palette"), "0 0 0, 128 0 0, 0 128 0");
    const auto tensor = tensor_of(contents->items[0], {});
    QVERIFY(tensor.ok());
    QCOMPARE(values_of(*tensor), (std::vector<double>{0, 1, 2, 1}));
}

void PngTest::colour_has_channels() {
    const auto contents = open(encode(
        {.width = 1, .height = 2, .colour_type = PNG_COLOR_TYPE_RGB_ALPHA, .rows = {{1, 2, 3, 4}, {5, 6, 7, 8}}}));
    QVERIFY(contents.ok());
    const Item& item = contents->items[0];
    QVERIFY(item.shape == Dims({2, 1, 4}));
    QCOMPARE(item.dim_names, (std::vector<std::string>{"height", "width", "channel"}));
    const auto tensor = tensor_of(item, {});
    QVERIFY(tensor.ok());
    QCOMPARE(values_of(*tensor), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
}

void PngTest::interlaced_is_the_same_picture() {
    Picture picture{.width = 13, .height = 11, .rows = {}};
    std::vector<double> wanted;
    for (int row = 0; row < picture.height; ++row) {
        picture.rows.emplace_back();
        for (int col = 0; col < picture.width; ++col) {
            picture.rows.back().push_back(static_cast<png_byte>(row * 17 + col * 3));
            wanted.push_back(picture.rows.back().back());
        }
    }
    picture.interlaced = true;
    const auto tensor = load(encode(picture));
    QVERIFY(tensor.ok());
    QCOMPARE(values_of(*tensor), wanted);
}

void PngTest::cut_anywhere() {
    const QByteArray whole = encode({.width = 3, .height = 2, .rows = {{1, 2, 3}, {4, 5, 6}}});
    QVERIFY(load(whole).ok());
    // The last 16 bytes are the checksum of the pixels' chunk and the empty end chunk.
    for (qsizetype length = 1; length < whole.size() - 16; ++length) {
        const auto tensor = load(whole.first(length));
        QVERIFY(!tensor.ok());
        QCOMPARE(tensor.error().kind, ErrorKind::input);
    }
}

void PngTest::hostile_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const QByteArray good = encode({.width = 3, .height = 2, .rows = {{1, 2, 3}, {4, 5, 6}}});
    const auto with_size = [&](quint32 width, quint32 height) {
        QByteArray bytes = good;
        qToBigEndian(width, bytes.data() + 16);
        qToBigEndian(height, bytes.data() + 20);
        const auto crc = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + 12), 17);
        qToBigEndian(static_cast<quint32>(crc), bytes.data() + 29);
        return bytes;
    };
    QByteArray flipped = good;
    flipped[flipped.size() - 20] = static_cast<char>(flipped[flipped.size() - 20] ^ 1);
    QTest::newRow("no PNG") << QByteArray("hello, this is no picture at all") << "Not a PNG file";
    QTest::newRow("no width") << with_size(0, 2) << "Invalid IHDR";
    QTest::newRow("too wide") << with_size(1U << 30U, 1) << "Invalid IHDR";
    QTest::newRow("more than the file can hold") << with_size(100'000, 100'000) << "more than";
    QTest::newRow("more rows than there are") << with_size(3, 3) << "cannot be decoded";
    QTest::newRow("changed pixels") << flipped << "cannot be decoded";
}

void PngTest::hostile() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto tensor = load(bytes);
    QVERIFY(!tensor.ok());
    QVERIFY2(QString::fromStdString(tensor.error().text()).contains(says), tensor.error().text().c_str());
}

void PngTest::cancelled() {
    const auto contents = open(encode({.width = 3, .height = 2, .rows = {{1, 2, 3}, {4, 5, 6}}}));
    QVERIFY(contents.ok());
    std::stop_source stop;
    stop.request_stop();
    const auto tensor = tensor_of(contents->items[0], JobContext(stop.get_token()));
    QVERIFY(!tensor.ok());
    QCOMPARE(tensor.error().kind, ErrorKind::cancelled);
}

QTEST_APPLESS_MAIN(PngTest)
#include "png_test.moc"
