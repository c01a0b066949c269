// SPDX-License-Identifier: Apache-2.0
// COCO's run lengths: the documented vector, pycocotools' own strings, a cell-by-cell reference, and broken strings.
#include "core/io/coco_rle.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <random>

using namespace maskscope;
using namespace maskscope::io;
using nlohmann::json;

namespace {

const json& goldens() {
    static const json all = [] {
        std::ifstream in(MS_SOURCE_DIR "/tests/golden/coco/rle.json");
        return json::parse(in);
    }();
    return all;
}

// Row-major '0' and '1', read off the counts one cell after the other.
std::string cells_of(const CocoRle& rle) {
    std::string out(static_cast<std::size_t>(rle.height * rle.width), '?');
    std::int64_t at = 0;
    for (std::size_t i = 0; i < rle.counts.size(); ++i) {
        for (std::uint32_t k = 0; k < rle.counts[i]; ++k, ++at) {
            const auto row = at % rle.height;
            const auto column = at / rle.height;
            out[static_cast<std::size_t>(row * rle.width + column)] = i % 2 == 0 ? '0' : '1';
        }
    }
    return out;
}

std::string cells_of(const mask::Region& region, std::int64_t height, std::int64_t width) {
    std::string out(static_cast<std::size_t>(height * width), '0');
    for (const auto& run : region.runs()) {
        for (int column = run.begin; column < run.end; ++column) {
            out[static_cast<std::size_t>(run.row * width + column)] = '1';
        }
    }
    return out;
}

// As a tool may leave it: a run for each cell.
mask::Region region_of_cells(const std::string& cells, std::int64_t width) {
    std::vector<mask::Run> runs;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == '0') continue;
        const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(i) / width);
        const auto column = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % width);
        runs.push_back({row, column, column + 1});
    }
    return mask::Region::of(std::move(runs));
}

}  // namespace

class CocoRleTest : public QObject {
    Q_OBJECT

private slots:
    void documented_vector();
    void goldens_of_pycocotools();
    void merges_of_pycocotools();
    void large_runs();
    void regions_of_any_form();
    void regions_are_clipped();
    void runs_beyond_32_bits();
    void broken_strings();
    void broken_strings_data();
    void broken_counts();
    void empty_masks();
    void near_linear_on_ten_thousand_square();
};

void CocoRleTest::documented_vector() {
    const std::vector<std::uint32_t> counts{6, 1, 40, 4, 5, 4, 5, 4, 21};
    const auto rle = parse_rle("61X13mN000`0", 9, 10);
    QVERIFY(rle.ok());
    QVERIFY(rle->counts == counts);
    QCOMPARE(area(*rle), std::int64_t{13});
    const auto checked = checked_rle(counts, 9, 10);
    QVERIFY(checked.ok());
    QCOMPARE(rle_text(*checked), std::string("61X13mN000`0"));
}

void CocoRleTest::goldens_of_pycocotools() {
    int seen = 0;
    for (const auto& mask : goldens()["masks"]) {
        const std::int64_t height = mask["size"][0];
        const std::int64_t width = mask["size"][1];
        const std::string text = mask["text"];
        const std::string cells = mask["cells"];
        const auto rle = parse_rle(text, height, width);
        QVERIFY2(rle.ok(), text.c_str());
        QVERIFY(rle->counts == mask["counts"].get<std::vector<std::uint32_t>>());
        QCOMPARE(cells_of(*rle), cells);
        QCOMPARE(rle_text(*rle), text);
        QCOMPARE(area(*rle), mask["area"].get<std::int64_t>());
        QCOMPARE(cells_of(region_of(*rle), height, width), cells);
        QCOMPARE(rle_text(rle_of(region_of_cells(cells, width), height, width)), text);
        ++seen;
    }
    QCOMPARE(seen, 120);
}

void CocoRleTest::merges_of_pycocotools() {
    int seen = 0;
    for (const auto& merge : goldens()["merges"]) {
        std::vector<CocoRle> parts;
        for (const auto& text : merge["parts"]) {
            auto part = parse_rle(text.get<std::string>(), merge["size"][0], merge["size"][1]);
            QVERIFY(part.ok());
            parts.push_back(std::move(*part));
        }
        QCOMPARE(rle_text(unite(parts)), merge["union"].get<std::string>());
        ++seen;
    }
    QCOMPARE(seen, 60);
}

void CocoRleTest::large_runs() {
    const auto& large = goldens()["large"];
    const auto rle = parse_rle(large["text"].get<std::string>(), 700, 900);
    QVERIFY(rle.ok());
    QCOMPARE(area(*rle), std::int64_t{550} * 770 - 100 * 40);
    QCOMPARE(area(*rle), large["area"].get<std::int64_t>());
    auto outer = mask::Region::of_rect({100, 30, 550, 770});
    const auto ring = mask::subtract(outer, mask::Region::of_rect({200, 100, 100, 40}));
    QVERIFY(region_of(*rle) == ring);
    QCOMPARE(rle_text(rle_of(ring, 700, 900)), large["text"].get<std::string>());
}

void CocoRleTest::regions_of_any_form() {
    std::mt19937 random(11);
    for (int round = 0; round < 400; ++round) {
        const auto height = static_cast<std::int64_t>(1 + random() % 20);
        const auto width = static_cast<std::int64_t>(1 + random() % 20);
        std::string cells(static_cast<std::size_t>(height * width), '0');
        const auto filled = random() % 101;
        for (auto& cell : cells) cell = random() % 100 < filled ? '1' : '0';
        const auto region = region_of_cells(cells, width);
        const auto rle = rle_of(region, height, width);
        QCOMPARE(cells_of(rle), cells);
        QVERIFY(region_of(rle) == region);
        // No run but the first is empty.
        for (std::size_t i = 1; i < rle.counts.size(); ++i) QVERIFY(rle.counts[i] > 0);
    }
}

void CocoRleTest::regions_are_clipped() {
    const auto rle = rle_of(mask::Region::of_rect({-3, -2, 5, 5}), 4, 6);
    QCOMPARE(cells_of(rle), std::string("111000111000000000000000"));
}

void CocoRleTest::runs_beyond_32_bits() {
    // 70,000 * 70,000 cells are more than 2^32: the run before the last cell is cut by an empty one.
    const std::int64_t side = 70'000;
    const auto last = mask::Region::of_rect({side - 1, side - 1, 1, 1});
    const auto rle = rle_of(last, side, side);
    QCOMPARE(rle.counts.size(), std::size_t{4});
    QCOMPARE(rle.counts[1], std::uint32_t{0});
    const auto back = parse_rle(rle_text(rle), side, side);
    QVERIFY(back.ok());
    QVERIFY(*back == rle);
    QVERIFY(region_of(*back) == last);
    QCOMPARE(area(*back), std::int64_t{1});
}

void CocoRleTest::broken_strings_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("offset");
    QTest::addColumn<QString>("words");
    QTest::newRow("too few cells") << "61" << 2 << "count 7 cells, but 9 x 10 are 90";
    QTest::newRow("too many cells") << "61X13mN000`0000" << 12 << "more cells than 9 x 10";
    QTest::newRow("junk") << "61X1\x7f" << 4 << "does not belong";
    QTest::newRow("below the alphabet") << "61X1!" << 4 << "does not belong";
    QTest::newRow("cut number") << "61X" << 3 << "middle of a number";
    QTest::newRow("overlong number") << "6PPPPPPPP0" << 8 << "more than 7 characters";
    QTest::newRow("negative run") << "O" << 0 << "length of -1";
    QTest::newRow("negative total") << "611J" << 3 << "length of -5";
    QTest::newRow("a run beyond 32 bits") << "PPPPPP4" << 0 << "length of 4294967296";
    QTest::newRow("empty") << "" << 0 << "count 0 cells";
}

void CocoRleTest::broken_strings() {
    QFETCH(QString, text);
    QFETCH(int, offset);
    QFETCH(QString, words);
    const auto rle = parse_rle(text.toStdString(), 9, 10);
    QVERIFY(!rle.ok());
    const auto sentence = rle.error().message.text();
    QVERIFY2(sentence.find(words.toStdString()) != std::string::npos, sentence.c_str());
    QVERIFY(rle.error().where.offset.has_value());
    QCOMPARE(static_cast<int>(*rle.error().where.offset), offset);
}

void CocoRleTest::broken_counts() {
    QVERIFY(!checked_rle({1, 2}, 2, 2).ok());
    QVERIFY(!checked_rle({5}, 2, 2).ok());
    QVERIFY(!checked_rle({4}, -2, -2).ok());
    // 2^32 would be 0 in 32 bits.
    QVERIFY(!checked_rle({2147483648U, 2147483648U}, 0, 0).ok());
    QVERIFY(!checked_rle({0}, std::int64_t{1} << 40U, 1).ok());
    // Empty runs are allowed anywhere.
    const auto odd = checked_rle({1, 0, 0, 2, 0, 1}, 2, 2);
    QVERIFY(odd.ok());
    QCOMPARE(cells_of(*odd), std::string("0111"));
    QCOMPARE(cells_of(region_of(*odd), 2, 2), std::string("0111"));
}

void CocoRleTest::empty_masks() {
    QCOMPARE(rle_text(rle_of({}, 3, 4)), std::string("<"));
    QVERIFY(region_of(*parse_rle("<", 3, 4)).empty());
    QVERIFY(parse_rle("", 0, 7).ok());
    QVERIFY(parse_rle("0", 0, 7).ok());
    QVERIFY(region_of(*parse_rle("0", 0, 7)).empty());
    QCOMPARE(rle_text(rle_of({}, 0, 7)), std::string("0"));
    QVERIFY(unite({}).counts.empty());
}

void CocoRleTest::near_linear_on_ten_thousand_square() {
    // A ring of 10,000 across: some 20,000 runs in either order, and a hundred million cells that nobody may visit.
    constexpr int kSide = 10'000;
    std::vector<mask::Run> runs;
    for (int row = 0; row < kSide; ++row) {
        const double y = row - kSide / 2.0;
        const auto half = [&](double radius) {
            return static_cast<int>(std::sqrt(std::max(0.0, radius * radius - y * y)));
        };
        const int outer = half(4900);
        const int inner = half(4890);
        if (outer == 0) continue;
        runs.push_back({row, kSide / 2 - outer, kSide / 2 - inner});
        runs.push_back({row, kSide / 2 + inner, kSide / 2 + outer});
    }
    const auto ring = mask::Region::of(std::move(runs));
    QElapsedTimer timer;
    timer.start();
    const auto rle = rle_of(ring, kSide, kSide);
    const auto there = timer.nsecsElapsed();
    const auto back = region_of(rle);
    const auto and_back = timer.nsecsElapsed() - there;
    qInfo("%zu row runs, %zu column runs: %.2f ms there, %.2f ms back", ring.runs().size(), rle.counts.size() / 2,
          static_cast<double>(there) * 1e-6, static_cast<double>(and_back) * 1e-6);
    QVERIFY(back == ring);
    QCOMPARE(area(rle), ring.count());
    // A visit of each cell would take longer, even at one a nanosecond.
    QVERIFY(there + and_back < 100'000'000);
}

QTEST_APPLESS_MAIN(CocoRleTest)
#include "coco_rle_test.moc"
