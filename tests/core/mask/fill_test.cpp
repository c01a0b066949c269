// SPDX-License-Identifier: Apache-2.0
// Bucket fill against a search cell by cell, and the threshold of soft masks.
#include "core/mask/fill.h"
#include "tests/core/mask/bitmap.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::mask;
using namespace maskscope::test;

namespace {

Plane plane_of(const Bitmap& bitmap) {
    return *Plane::of(tensor_of<std::uint8_t>(bitmap.rows, bitmap.cols, DType::u8, [&](auto r, auto c) {
        return static_cast<std::uint8_t>(bitmap.get(r, c) ? 7 : 0);
    }));
}

// A corridor one cell wide that winds through the whole plane; `upright` winds along columns.
Bitmap serpentine(std::int64_t rows, std::int64_t cols, bool upright) {
    Bitmap out(rows, cols, true);
    const auto lines = upright ? cols : rows;
    const auto length = upright ? rows : cols;
    for (std::int64_t line = 1; line < lines; line += 2) {
        for (std::int64_t i = 0; i < length; ++i) {
            const bool gap = i == (line / 2 % 2 == 0 ? length - 1 : 0);
            (upright ? out.at(i, line) : out.at(line, i)) = gap ? 1 : 0;
        }
    }
    return out;
}

Bitmap inverse(Bitmap bitmap) {
    for (auto& cell : bitmap.cells) cell = cell == 0 ? 1 : 0;
    return bitmap;
}

}  // namespace

class FillTest : public QObject {
    Q_OBJECT

private slots:
    void random_planes();
    void uniform_tiles();
    void winding_corridors();
    void diagonals_across_tile_corners();
    void every_width_of_cells();
    void floats_are_compared_as_bits();
    void one_cell();
    void a_seed_outside_is_refused();
    void stops_when_cancelled();
    void large_planes();
    void thresholds();
};

void FillTest::random_planes() {
    std::mt19937 random(1);
    const std::pair<int, int> sizes[] = {{1, 1}, {1, 200}, {200, 1}, {5, 7}, {64, 64}, {63, 65}, {65, 129}, {150, 130}};
    for (const auto& [rows, cols] : sizes) {
        for (const double share : {0.3, 0.45, 0.55, 0.62, 0.8, 0.97}) {
            const auto bitmap = random_bitmap(rows, cols, share, random);
            const auto plane = plane_of(bitmap);
            for (int seed = 0; seed < 6; ++seed) {
                const auto row = std::uniform_int_distribution(0, rows - 1)(random);
                const auto col = std::uniform_int_distribution(0, cols - 1)(random);
                const auto same = bitmap.get(row, col) ? bitmap : inverse(bitmap);
                for (const auto neighbours : {Neighbours::four, Neighbours::eight}) {
                    const auto region = fill(plane, row, col, neighbours);
                    QVERIFY(region.ok());
                    QVERIFY(is_well_formed(*region));
                    QCOMPARE(bitmap_of(*region, bitmap.bounds()),
                             reached(same, row, col, neighbours == Neighbours::four ? 4 : 8));
                }
            }
        }
    }
}

// Blocks of whole tiles, some joined over corners alone, and tiles cut off by the plane's edges.
void FillTest::uniform_tiles() {
    std::mt19937 random(8);
    for (const auto& [rows, cols] : {std::pair{256, 320}, {200, 300}, {65, 513}}) {
        for (int round = 0; round < 20; ++round) {
            const auto blocks = random_bitmap(5, 9, 0.55, random);
            Bitmap bitmap(rows, cols);
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c) bitmap.at(r, c) = blocks.get(r / 64, c / 64) ? 1 : 0;
            const auto row = std::uniform_int_distribution(0, rows - 1)(random);
            const auto col = std::uniform_int_distribution(0, cols - 1)(random);
            const auto same = bitmap.get(row, col) ? bitmap : inverse(bitmap);
            const auto plane = plane_of(bitmap);
            QCOMPARE(bitmap_of(*fill(plane, row, col, Neighbours::four), bitmap.bounds()), reached(same, row, col, 4));
            QCOMPARE(bitmap_of(*fill(plane, row, col, Neighbours::eight), bitmap.bounds()), reached(same, row, col, 8));
        }
    }
}

void FillTest::winding_corridors() {
    for (const bool upright : {false, true}) {
        const auto bitmap = serpentine(201, 199, upright);
        const auto region = fill(plane_of(bitmap), 0, 0, Neighbours::four);
        QVERIFY(region.ok());
        QCOMPARE(bitmap_of(*region, bitmap.bounds()), reached(bitmap, 0, 0, 4));
        // The corridor has one piece, so all of it is filled.
        QCOMPARE(*region, region_of(bitmap));
    }
}

void FillTest::diagonals_across_tile_corners() {
    Bitmap down(200, 200);
    Bitmap up(200, 200);
    for (std::int64_t i = 0; i < 200; ++i) {
        down.at(i, i) = 1;
        up.at(i, 199 - i) = 1;
    }
    for (const auto& bitmap : {down, up}) {
        const auto start = bitmap.get(0, 0) ? 0 : 199;
        const auto region = fill(plane_of(bitmap), 0, start, Neighbours::eight);
        QCOMPARE(region->count(), 200);
        QCOMPARE(fill(plane_of(bitmap), 0, start, Neighbours::four)->count(), 1);
    }
    // Anti-diagonal through (63, 64), (64, 63): only the corner joins the two tiles.
    Bitmap corner(128, 128);
    corner.at(63, 64) = corner.at(64, 63) = 1;
    QCOMPARE(fill(plane_of(corner), 63, 64, Neighbours::eight)->count(), 2);
    QCOMPARE(fill(plane_of(corner), 64, 63, Neighbours::eight)->count(), 2);
    QCOMPARE(fill(plane_of(corner), 64, 63, Neighbours::four)->count(), 1);
}

void FillTest::every_width_of_cells() {
    std::mt19937 random(2);
    const auto bitmap = random_bitmap(70, 140, 0.7, random);
    const auto check = [&](const Tensor& tensor) {
        const auto region = fill(*Plane::of(tensor), 30, 71, Neighbours::four);
        const auto same = bitmap.get(30, 71) ? bitmap : inverse(bitmap);
        QCOMPARE(bitmap_of(*region, bitmap.bounds()), reached(same, 30, 71, 4));
    };
    // Values that differ in their highest byte alone.
    check(tensor_of<std::uint16_t>(70, 140, DType::u16, [&](auto r, auto c) {
        return static_cast<std::uint16_t>(bitmap.get(r, c) ? 0x8001 : 0x0001);
    }));
    check(tensor_of<std::int32_t>(70, 140, DType::i32, [&](auto r, auto c) { return bitmap.get(r, c) ? -5 : 1; }));
    check(tensor_of<std::int64_t>(70, 140, DType::i64, [&](auto r, auto c) {
        return bitmap.get(r, c) ? std::int64_t{1} << 40 : std::int64_t{0};
    }));
    check(tensor_of<std::uint8_t>(70, 140, DType::boolean,
                                  [&](auto r, auto c) { return static_cast<std::uint8_t>(bitmap.get(r, c)); }));
}

void FillTest::floats_are_compared_as_bits() {
    const auto tensor = tensor_of<float>(3, 100, DType::f32, [](auto r, auto c) {
        return r == 1 ? std::numeric_limits<float>::quiet_NaN() : c < 50 ? 0.25F : 0.5F;
    });
    const auto plane = *Plane::of(tensor);
    QCOMPARE(fill(plane, 0, 3)->count(), 50);
    QCOMPARE(fill(plane, 1, 3)->count(), 100);  // the same NaN everywhere
}

void FillTest::one_cell() {
    const Plane plane(1, 1, DType::i64);
    QCOMPARE(*fill(plane, 0, 0), Region::of_rect({0, 0, 1, 1}));
}

void FillTest::a_seed_outside_is_refused() {
    const Plane plane(4, 5, DType::u8);
    for (const auto& [row, col] : {std::pair{-1, 0}, {0, -1}, {4, 0}, {0, 5}}) {
        const auto region = fill(plane, row, col);
        QVERIFY(!region);
        QVERIFY(region.error().text().find("4 rows and 5 columns") != std::string::npos);
    }
}

void FillTest::stops_when_cancelled() {
    std::stop_source stop;
    stop.request_stop();
    const auto region = fill(Plane(500, 500, DType::u8), 3, 3, Neighbours::four, JobContext(stop.get_token()));
    QVERIFY(!region);
    QCOMPARE(region.error().kind, ErrorKind::cancelled);
}

void FillTest::large_planes() {
    const Plane plane(10'000, 10'000, DType::u8);
    const auto region = fill(plane, 5000, 5000);
    QCOMPARE(*region, Region::of_rect(plane.bounds()));
    QCOMPARE(fill(Plane(1, 100'000'001, DType::u8), 0, 9)->count(), 100'000'001);
}

void FillTest::thresholds() {
    const auto nan = std::numeric_limits<float>::quiet_NaN();
    const auto inf = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {0.5F, 0.49999997F, nan, inf, -inf, 1.0F, 0.0F};
    const auto soft =
        tensor_of<float>(1, 7, DType::f32, [&](auto, auto c) { return values[static_cast<std::size_t>(c)]; });
    QCOMPARE(threshold(*Plane::of(soft), 0.5), Region::of({{0, 0, 1}, {0, 3, 4}, {0, 5, 6}}));
    QCOMPARE(threshold(*Plane::of(soft), std::nan("")), Region());

    std::mt19937 random(3);
    std::uniform_int_distribution<int> number(-100, 100);
    Bitmap wanted(130, 70);
    const auto labels = tensor_of<std::int16_t>(130, 70, DType::i16, [&](auto r, auto c) {
        const auto value = static_cast<std::int16_t>(r < 64 ? 12 : number(random));  // uniform tiles too
        wanted.at(r, c) = value >= 12 ? 1 : 0;
        return value;
    });
    const auto region = threshold(*Plane::of(labels), 12);
    QVERIFY(is_well_formed(region));
    QCOMPARE(bitmap_of(region, wanted.bounds()), wanted);
    QCOMPARE(threshold(Plane(100, 100, DType::f16), 0.0).count(), 10'000);  // zeros reach zero, also beyond a tile
}

QTEST_APPLESS_MAIN(FillTest)
#include "fill_test.moc"
