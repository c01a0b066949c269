// SPDX-License-Identifier: Apache-2.0
// Sets of runs, compared with sets of single cells.
#include "core/mask/region.h"

#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <limits>
#include <random>

using namespace maskscope;
using namespace maskscope::mask;
using test::Bitmap;
using test::bitmap_of;
using test::region_of;

namespace {

constexpr Rect kPlane{0, 0, 13, 29};

template <class Both>
Region by_cell(const Region& a, const Region& b, Both both) {
    const Bitmap left = bitmap_of(a, kPlane);
    const Bitmap right = bitmap_of(b, kPlane);
    Bitmap out(kPlane.rows, kPlane.cols);
    for (std::int64_t r = 0; r < out.rows; ++r)
        for (std::int64_t c = 0; c < out.cols; ++c) out.at(r, c) = both(left.get(r, c), right.get(r, c)) ? 1 : 0;
    return region_of(out);
}

}  // namespace

class RegionTest : public QObject {
    Q_OBJECT
private slots:
    void runs_in_any_order_become_sorted_ones_that_do_not_touch() {
        const Region region =
            Region::of({{2, 5, 9}, {0, 3, 3}, {0, 7, 8}, {2, 0, 5}, {2, 8, 12}, {0, 4, 6}, {1, 9, 2}});
        const std::vector<Run> expected = {{0, 4, 6}, {0, 7, 8}, {2, 0, 12}};
        QVERIFY(region.runs() == expected);
        QCOMPARE(region.count(), std::int64_t{15});
        QVERIFY((region.bounds() == Rect{0, 0, 3, 12}));
        QVERIFY(Region().empty());
        QVERIFY(Region().bounds().empty());
    }

    void a_rectangle_has_one_run_a_row_and_an_empty_one_none() {
        const std::vector<Run> expected = {{-1, 4, 9}, {0, 4, 9}, {1, 4, 9}};
        QVERIFY(Region::of_rect({-1, 4, 3, 5}).runs() == expected);
        QVERIFY(Region::of_rect({3, 3, 0, 5}).empty());
        QVERIFY(Region::of_rect({3, 3, 2, -5}).empty());
    }

    void contains_agrees_with_the_cells() {
        std::mt19937 random(3);
        const Bitmap cells = test::random_bitmap(kPlane.rows, kPlane.cols, 0.4, random);
        const Region region = region_of(cells);
        for (std::int64_t r = -1; r <= kPlane.rows; ++r)
            for (std::int64_t c = -1; c <= kPlane.cols; ++c) QCOMPARE(region.contains(r, c), cells.get(r, c));
    }

    void operations_agree_with_those_on_cells() {
        std::mt19937 random(7);
        for (int round = 0; round < 300; ++round) {
            const double share = (round % 10) / 9.0;
            const Region a = region_of(test::random_bitmap(kPlane.rows, kPlane.cols, share, random));
            const Region b = region_of(test::random_bitmap(kPlane.rows, kPlane.cols, 0.5, random));
            const Region united = unite(a, b);
            const Region common = intersect(a, b);
            const Region rest = subtract(a, b);
            for (const auto* region : {&united, &common, &rest}) QVERIFY(test::is_well_formed(*region));
            QVERIFY(united == by_cell(a, b, [](bool x, bool y) { return x || y; }));
            QVERIFY(common == by_cell(a, b, [](bool x, bool y) { return x && y; }));
            QVERIFY(rest == by_cell(a, b, [](bool x, bool y) { return x && !y; }));
        }
    }

    void one_long_run_is_cut_by_many() {
        const Region line = Region::of({{0, 0, 100}});
        const Region holes = Region::of({{0, -5, 3}, {0, 10, 11}, {0, 50, 60}, {0, 99, 200}});
        const std::vector<Run> expected = {{0, 3, 10}, {0, 11, 50}, {0, 60, 99}};
        QVERIFY(subtract(line, holes).runs() == expected);
        const Region pieces = Region::of({{0, 0, 4}, {0, 6, 9}, {1, 0, 4}});
        QVERIFY(subtract(pieces, Region::of({{0, 2, 8}})) == Region::of({{0, 0, 2}, {0, 8, 9}, {1, 0, 4}}));
    }

    void clipping_is_an_intersection_with_a_rectangle() {
        std::mt19937 random(11);
        const Region region = region_of(test::random_bitmap(kPlane.rows, kPlane.cols, 0.6, random));
        for (const Rect& rect : {Rect{2, 3, 5, 9}, Rect{-4, -4, 6, 100}, Rect{12, 28, 9, 9}, Rect{0, 0, 0, 5}})
            QVERIFY(region.clipped(rect) == intersect(region, Region::of_rect(rect)));
        QVERIFY(region.clipped({40, 0, 5, 5}).empty());
    }

    void moving_there_and_back_changes_nothing() {
        std::mt19937 random(13);
        const Region region = region_of(test::random_bitmap(kPlane.rows, kPlane.cols, 0.6, random));
        const Region moved = region.moved(-70, 1000);
        QVERIFY((moved.bounds().row == region.bounds().row - 70));
        QCOMPARE(moved.count(), region.count());
        QVERIFY(moved.contains(region.runs()[0].row - 70, region.runs()[0].begin + 1000));
        QVERIFY(moved.moved(70, -1000) == region);
        // What leaves the range of 32 bits is gone.
        QVERIFY(region.moved(0, std::numeric_limits<std::int32_t>::max()).count() < region.count());
    }
};

QTEST_APPLESS_MAIN(RegionTest)
#include "region_test.moc"
