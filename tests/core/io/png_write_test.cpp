// SPDX-License-Identifier: Apache-2.0
// PNGs written and read again; make_images.py --check has Pillow read what the command wrote.
#include "core/io/png_write.h"
#include "core/io/format.h"
#include "core/io/image_facts.h"
#include "tests/core/io/scratch_files.h"

#include <QtTest>

#include <cstring>

using namespace maskscope;
using namespace maskscope::io;
using namespace maskscope::test;

namespace {

// A value for each pixel that depends on its place.
std::uint16_t pixel(std::int64_t row, std::int64_t col) {
    return static_cast<std::uint16_t>(row * 7919 + col * 104'729);
}

Result<void> wide_row(std::int64_t row, std::byte* out, std::int64_t width) {
    for (std::int64_t c = 0; c < width; ++c) {
        const std::uint16_t value = pixel(row, c);
        std::memcpy(out + 2 * c, &value, 2);
    }
    return {};
}

}  // namespace

class PngWriteTest : public QObject {
    Q_OBJECT

private slots:
    void sixteen_bits();
    void palette_with_alpha();
    void what_fails_leaves_the_old_file();
    void impossible_sizes();

private:
    ScratchFolder folder_;
};

void PngWriteTest::sixteen_bits() {
    const auto path = folder_.path("wide.png");
    const auto row = [](std::int64_t r, std::byte* out) { return wide_row(r, out, 301); };
    const auto saved = write_png(path, {.height = 97, .width = 301, .bit_depth = 16, .palette = {}}, row);
    QVERIFY2(saved.ok(), saved ? "" : saved.error().text().c_str());
    const auto contents = open_file(path);
    QVERIFY(contents.ok());
    QCOMPARE(contents->items[0].note, "grey, 16 bit");
    const auto tensor = tensor_of(contents->items[0], {});
    QVERIFY(tensor.ok());
    QVERIFY(tensor->shape() == Dims({97, 301}));
    const auto values = values_of<std::uint16_t>(*tensor);
    for (std::int64_t r = 0; r < 97; ++r)
        for (std::int64_t c = 0; c < 301; ++c) QCOMPARE(values[static_cast<std::size_t>(r * 301 + c)], pixel(r, c));
}

void PngWriteTest::palette_with_alpha() {
    const auto path = folder_.path("palette.png");
    PngPicture picture{.height = 2, .width = 3, .bit_depth = 8, .palette = {}};
    picture.palette = {{1, 2, 3, 0}, {4, 5, 6, 77}, {7, 8, 9, 255}};
    const auto row = [](std::int64_t r, std::byte* out) -> Result<void> {
        for (int c = 0; c < 3; ++c) out[c] = static_cast<std::byte>((r + c) % 3);
        return {};
    };
    QVERIFY(write_png(path, picture, row).ok());
    const auto contents = open_file(path);
    QVERIFY(contents.ok());
    const auto& facts = *contents->items[0].image;
    QCOMPARE(facts.kind, PixelKind::palette);
    QCOMPARE(facts.bit_depth, 8);
    QVERIFY(facts.palette == picture.palette);
    const auto tensor = tensor_of(contents->items[0], {});
    QVERIFY(tensor.ok());
    QCOMPARE(values_of<std::uint8_t>(*tensor), (std::vector<std::uint8_t>{0, 1, 2, 1, 2, 0}));
}

void PngWriteTest::what_fails_leaves_the_old_file() {
    const auto path = folder_.write("kept.png", "what stood there");
    const PngPicture picture{.height = 5, .width = 3, .bit_depth = 8, .palette = {}};
    const auto failing = [](std::int64_t r, std::byte* out) -> Result<void> {
        std::memset(out, 0, 3);
        if (r == 3) return input_error("row 3 is not to be had");
        return {};
    };
    const auto failed = write_png(path, picture, failing);
    QVERIFY(!failed.ok());
    QCOMPARE(failed.error().message.text(), "row 3 is not to be had");
    QCOMPARE(read_bytes(path), "what stood there");
    std::stop_source stop;
    stop.request_stop();
    const auto good = [](std::int64_t, std::byte* out) -> Result<void> {
        std::memset(out, 0, 3);
        return {};
    };
    const auto cancelled = write_png(path, picture, good, JobContext(stop.get_token()));
    QVERIFY(!cancelled.ok());
    QCOMPARE(cancelled.error().kind, ErrorKind::cancelled);
    QCOMPARE(read_bytes(path), "what stood there");
    // A folder that is not there.
    QVERIFY(!write_png(folder_.path("none/x.png"), picture, good).ok());
    QVERIFY(write_png(path, picture, good).ok());
    QVERIFY(open_file(path).ok());
}

void PngWriteTest::impossible_sizes() {
    const auto row = [](std::int64_t, std::byte*) -> Result<void> { return {}; };
    for (const auto& [height, width] :
         {std::pair<std::int64_t, std::int64_t>{0, 3}, {3, 0}, {-1, 3}, {3, std::int64_t{1} << 40}}) {
        const auto saved = write_png(folder_.path("x.png"), {height, width, 8, {}}, row);
        QVERIFY(!saved.ok());
        QVERIFY(!QFile::exists(QString::fromStdString(folder_.path("x.png"))));
    }
}

QTEST_APPLESS_MAIN(PngWriteTest)
#include "png_write_test.moc"
