// SPDX-License-Identifier: Apache-2.0
#include "core/mask/contour.h"

#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <random>
#include <set>
#include <utility>

using namespace maskscope;
using namespace maskscope::mask;
using test::region_of;
using Corners = std::vector<Corner>;

namespace {

Region picture(const std::vector<const char*>& rows) {
    std::vector<Run> runs;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::int32_t c = 0; rows[r][c] != 0; ++c)
            if (rows[r][c] == '#') runs.push_back({static_cast<std::int32_t>(r), c, c + 1});
    return Region::of(std::move(runs));
}

// Twice the area, positive when the ring is walked clockwise on a screen whose y points down.
std::int64_t doubled_area(const Corners& corners) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Corner& a = corners[i];
        const Corner& b = corners[(i + 1) % corners.size()];
        sum += std::int64_t{a.x} * b.y - std::int64_t{b.x} * a.y;
    }
    return sum;
}

int parts_of(const test::Bitmap& cells, int neighbours) {
    test::Bitmap rest = cells;
    int parts = 0;
    for (std::int64_t r = 0; r < cells.rows; ++r) {
        for (std::int64_t c = 0; c < cells.cols; ++c) {
            if (!rest.get(r, c)) continue;
            ++parts;
            const auto part = test::reached(rest, r, c, neighbours);
            for (std::size_t i = 0; i < part.cells.size(); ++i)
                if (part.cells[i] != 0) rest.cells[i] = 0;
        }
    }
    return parts;
}

// Background that does not reach the border; corners join it.
int holes_of(const test::Bitmap& cells) {
    test::Bitmap background(cells.rows + 2, cells.cols + 2, true);
    for (std::int64_t r = 0; r < cells.rows; ++r)
        for (std::int64_t c = 0; c < cells.cols; ++c)
            if (cells.get(r, c)) background.at(r + 1, c + 1) = 0;
    return parts_of(background, 8) - 1;
}

}  // namespace

class ContourTest : public QObject {
    Q_OBJECT
private slots:
    void one_pixel_is_a_clockwise_square() {
        const auto rings = contours(Region::of({{3, 5, 6}}));
        QCOMPARE(rings.size(), std::size_t{1});
        QVERIFY(!rings[0].hole);
        QVERIFY((rings[0].corners == Corners{{5, 3}, {6, 3}, {6, 4}, {5, 4}}));
    }

    void straight_pieces_are_one() {
        const auto rings = contours(picture({"###.", "####", "####"}));
        QCOMPARE(rings.size(), std::size_t{1});
        QVERIFY((rings[0].corners == Corners{{0, 0}, {3, 0}, {3, 1}, {4, 1}, {4, 3}, {0, 3}}));
    }

    void a_hole_is_walked_the_other_way() {
        const auto rings = contours(picture({"#####", "#..##", "#####"}));
        QCOMPARE(rings.size(), std::size_t{2});
        QVERIFY(!rings[0].hole);
        QVERIFY(rings[1].hole);
        QCOMPARE(doubled_area(rings[0].corners), std::int64_t{30});
        QCOMPARE(doubled_area(rings[1].corners), std::int64_t{-4});
        std::set<std::pair<int, int>> corners;
        for (const auto& corner : rings[1].corners) corners.emplace(corner.x, corner.y);
        QVERIFY((corners == std::set<std::pair<int, int>>{{1, 1}, {1, 2}, {3, 1}, {3, 2}}));
    }

    void pixels_that_touch_at_a_corner_are_two_rings() {
        for (const auto& rows : {std::vector<const char*>{"#.", ".#"}, {".#", "#."}}) {
            const auto rings = contours(picture(rows));
            QCOMPARE(rings.size(), std::size_t{2});
            for (const auto& ring : rings) {
                QVERIFY(!ring.hole);
                QCOMPARE(doubled_area(ring.corners), std::int64_t{2});
            }
        }
        // Two holes that touch at a corner are one, as their cells' surroundings stay joined over edges.
        QCOMPARE(contours(picture({"####", "#.##", "##.#", "####"})).size(), std::size_t{2});
    }

    void rings_lie_inside_holes() {
        const auto rings = contours(picture({"#####", "#...#", "#.#.#", "#...#", "#####"}));
        QCOMPARE(rings.size(), std::size_t{3});
        QVERIFY(!rings[0].hole && rings[1].hole && !rings[2].hole);
        QCOMPARE(doubled_area(rings[1].corners), std::int64_t{-18});
        QCOMPARE(doubled_area(rings[2].corners), std::int64_t{2});
    }

    void random_regions_come_back_whole() {
        std::mt19937 random(5);
        for (int round = 0; round < 400; ++round) {
            const auto cells = test::random_bitmap(1 + round % 17, 1 + round % 23, (round % 11) / 10.0, random);
            const Region region = region_of(cells).moved(-3, 5);
            const auto rings = contours(region);
            QVERIFY(filled(rings) == region);
            std::int64_t area = 0;
            int outer = 0;
            for (const auto& ring : rings) {
                QCOMPARE(doubled_area(ring.corners) < 0, ring.hole);
                area += doubled_area(ring.corners);
                if (!ring.hole) ++outer;
                for (std::size_t i = 0; i < ring.corners.size(); ++i) {
                    const Corner& a = ring.corners[i];
                    const Corner& b = ring.corners[(i + 1) % ring.corners.size()];
                    const Corner& c = ring.corners[(i + 2) % ring.corners.size()];
                    QVERIFY((a.x == b.x) != (a.y == b.y));  // along one axis, and not nowhere
                    QVERIFY((a.x == b.x) != (b.x == c.x));  // a turn at each corner
                }
            }
            QCOMPARE(area, 2 * region.count());
            QCOMPARE(outer, parts_of(cells, 4));
            QCOMPARE(static_cast<int>(rings.size()) - outer, holes_of(cells));
        }
        QVERIFY(contours({}).empty());
        QVERIFY(filled({}).empty());
    }
};

QTEST_APPLESS_MAIN(ContourTest)
#include "contour_test.moc"
