// SPDX-License-Identifier: Apache-2.0
// What is told of an image: palettes, EXIF blocks of either byte order and broken ones, the sentences.
#include "core/io/image_facts.h"
#include "tests/core/io/image_goldens.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::io;
using namespace maskscope::test;

namespace {

int orientation_of(std::string_view block) {
    return exif_orientation(std::as_bytes(std::span(block)));
}

// One entry, little or big endian.
const std::string kLittle("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0", 26);
const std::string kBig("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0", 26);

}  // namespace

class ImageFactsTest : public QObject {
    Q_OBJECT

private slots:
    void png_as_pillow_reads_it_data() { image_rows(".png"); }
    void png_as_pillow_reads_it() {
        QFETCH(QString, entry);
        check_image(entry);
    }
    void clear_palette();
    void voc();
    void exif();
    void broken_exif();
    void sentences();
};

void ImageFactsTest::clear_palette() {
    const auto contents = open_file(kImages + "clear.png");
    QVERIFY(contents.ok());
    const auto& facts = *contents->items[0].image;
    QCOMPARE(facts.kind, PixelKind::palette);
    QCOMPARE(facts.bit_depth, 2);
    QCOMPARE(facts.compression, "deflate");
    QVERIFY(facts.palette.size() >= 3);
    QVERIFY((facts.palette[0] == std::array<std::uint8_t, 4>{0, 0, 0, 0}));
    QVERIFY((facts.palette[1] == std::array<std::uint8_t, 4>{10, 20, 30, 128}));
    QVERIFY((facts.palette[2] == std::array<std::uint8_t, 4>{40, 50, 60, 255}));
    QVERIFY(contents->metadata.at("palette").starts_with("0 0 0, 10 20 30, 40 50 60"));
}

void ImageFactsTest::voc() {
    const auto palette = voc_palette();
    QCOMPARE(palette.size(), 256U);
    const auto is = [&](std::size_t index, std::array<std::uint8_t, 4> colour) { return palette[index] == colour; };
    QVERIFY(is(0, {0, 0, 0, 255}));
    QVERIFY(is(1, {128, 0, 0, 255}));
    QVERIFY(is(15, {192, 128, 128, 255}));
    QVERIFY(is(20, {0, 64, 128, 255}));
    QVERIFY(is(255, {224, 224, 192, 255}));
    // All differ.
    auto sorted = palette;
    std::sort(sorted.begin(), sorted.end());
    QVERIFY(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
}

void ImageFactsTest::exif() {
    QCOMPARE(orientation_of(kLittle), 6);
    QCOMPARE(orientation_of(kBig), 3);
    std::string other = kLittle;
    other[10] = '\x13';  // another tag
    QCOMPARE(orientation_of(other), 1);
}

void ImageFactsTest::broken_exif() {
    QCOMPARE(orientation_of(""), 1);
    QCOMPARE(orientation_of("II"), 1);
    QCOMPARE(orientation_of("no exif at all, only text"), 1);
    // The value ends at byte 20; what is cut before says nothing.
    for (std::size_t length = 0; length < 20; ++length) QCOMPARE(orientation_of(kLittle.substr(0, length)), 1);
    for (std::size_t at = 0; at < kLittle.size(); ++at) {
        std::string changed = kLittle;
        for (int value = 0; value < 256; ++value) {
            changed[at] = static_cast<char>(value);
            const int got = orientation_of(changed);
            QVERIFY(got >= 1 && got <= 8);
        }
    }
    std::string nine = kLittle;
    nine[18] = 9;
    QCOMPARE(orientation_of(nine), 1);
}

void ImageFactsTest::sentences() {
    QCOMPARE(describe(ImageFacts{}), "grey, 8 bit");
    ImageFacts facts;
    facts.kind = PixelKind::rgb;
    facts.compression = "JPEG 4:2:0";
    facts.orientation = 6;
    QCOMPARE(describe(facts), "RGB, 8 bit, JPEG 4:2:0; EXIF says: turn 90 degrees clockwise");
    QCOMPARE(orientation_text(1), "as stored");
    QCOMPARE(orientation_text(8), "turn 90 degrees counter-clockwise");
}

QTEST_APPLESS_MAIN(ImageFactsTest)
#include "image_facts_test.moc"
