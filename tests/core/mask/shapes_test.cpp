// SPDX-License-Identifier: Apache-2.0
// Shapes and the areas of attention masks, pixel by pixel.
#include "core/mask/shapes.h"
#include "core/mask/cells.h"
#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace maskscope;
using namespace maskscope::mask;

namespace {

constexpr Rect kPlane{0, 0, 40, 50};
using Ring = std::vector<Position>;

Region where(const Rect& plane, const std::function<bool(std::int64_t, std::int64_t)>& belongs) {
    std::vector<Run> runs;
    for (auto r = plane.row; r < plane.bottom(); ++r)
        for (auto c = plane.col; c < plane.right(); ++c)
            if (belongs(r, c))
                runs.push_back(
                    {static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), static_cast<std::int32_t>(c + 1)});
    return Region::of(std::move(runs));
}

// Crossings to the left of the centre, counted.
bool inside(const std::vector<Ring>& rings, double x, double y) {
    bool odd = false;
    for (const auto& ring : rings) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
            Position a = ring[i];
            Position b = ring[(i + 1) % ring.size()];
            if (a.y > b.y) std::swap(a, b);
            if (a.y <= y && y < b.y && a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)) <= x) odd = !odd;
        }
    }
    return odd;
}

Region naive_polygon(const std::vector<Ring>& rings, const Rect& plane) {
    return where(plane, [&](std::int64_t r, std::int64_t c) {
        return inside(rings, static_cast<double>(c) + 0.5, static_cast<double>(r) + 0.5);
    });
}

}  // namespace

class ShapesTest : public QObject {
    Q_OBJECT
private slots:
    void a_rectangle_holds_the_pixels_of_both_corners() {
        QVERIFY(rectangle({7.9, 3.0}, {5.1, 4.5}, kPlane) == Region::of_rect({3, 5, 2, 3}));
        QVERIFY(rectangle({5, 5}, {5, 5}, kPlane) == Region::of_rect({5, 5, 1, 1}));
        QVERIFY(rectangle({-1e300, -4}, {1e300, 1.5}, kPlane) == Region::of_rect({0, 0, 2, 50}));
        QVERIFY(rectangle({60, 60}, {70, 70}, kPlane).empty());
        QVERIFY(rectangle({0, std::nan("")}, {1, 1}, kPlane).empty());
    }

    void ellipses_follow_their_equation() {
        for (int height = 1; height < 30; ++height) {
            for (int width = 1; width < 40; ++width) {
                const Region found = ellipse({3.2, 2.7}, {2.0 + width + 0.5, 1.0 + height + 0.5}, kPlane);
                // (2 dx / width)^2 + (2 dy / height)^2 <= 1, in whole numbers.
                const Region expected = where({2, 3, height, width}, [&](std::int64_t r, std::int64_t c) {
                    const std::int64_t dx = 2 * (c - 3) + 1 - width;
                    const std::int64_t dy = 2 * (r - 2) + 1 - height;
                    return dx * dx * height * height + dy * dy * width * width <= width * width * height * height;
                });
                QVERIFY(found == expected);
            }
        }
        QVERIFY((ellipse({0.5, 0.5}, {8.5, 6.5}, kPlane).bounds() == Rect{0, 0, 7, 9}));
        const Region cut = ellipse({-10, -10}, {9.5, 9.5}, kPlane);
        QVERIFY((cut.bounds() == Rect{0, 0, cut.bounds().rows, cut.bounds().cols}) && !cut.empty());
    }

    void on_an_edge_the_left_and_the_top_one_belong() {
        const std::vector<Ring> square = {{{2.5, 3.5}, {6.5, 3.5}, {6.5, 8.5}, {2.5, 8.5}}};
        QVERIFY(polygon(square, kPlane) == Region::of_rect({3, 2, 5, 4}));
        const std::vector<Ring> pixels = {{{2, 3}, {6, 3}, {6, 8}, {2, 8}}};
        QVERIFY(polygon(pixels, kPlane) == Region::of_rect({3, 2, 5, 4}));
    }

    void an_inner_ring_cuts_a_hole_whichever_way_it_goes() {
        const Ring outer = {{2, 2}, {12, 2}, {12, 12}, {2, 12}};
        for (const Ring& inner : {Ring{{4, 5}, {9, 5}, {9, 8}, {4, 8}}, Ring{{4, 8}, {9, 8}, {9, 5}, {4, 5}}})
            QVERIFY(polygon(std::vector<Ring>{outer, inner}, kPlane) ==
                    subtract(Region::of_rect({2, 2, 10, 10}), Region::of_rect({5, 4, 3, 5})));
    }

    void polygons_agree_with_counted_crossings() {
        std::mt19937 random(23);
        std::uniform_real_distribution<double> place(-15, 60);
        std::uniform_int_distribution<int> whole(-10, 110);
        for (int round = 0; round < 300; ++round) {
            std::vector<Ring> rings(static_cast<std::size_t>(1 + round % 3));
            for (auto& ring : rings) {
                for (int i = 0; i < 3 + round % 9; ++i) {
                    // Half of the rounds lie on centres and edges of pixels.
                    if (round % 2 == 0)
                        ring.push_back({place(random), place(random)});
                    else
                        ring.push_back({whole(random) / 2.0, whole(random) / 2.0});
                }
            }
            const Region found = polygon(rings, kPlane);
            QVERIFY(test::is_well_formed(found));
            QVERIFY(found == naive_polygon(rings, kPlane));
        }
    }

    void neighbours_share_an_edge_and_no_pixel() {
        std::mt19937 random(29);
        std::uniform_real_distribution<double> place(3, 37);
        for (int round = 0; round < 100; ++round) {
            const Position middle{place(random), place(random)};
            const std::vector<Position> around = {{0, 0}, {40, 0}, {40, 40}, {0, 40}};
            Region all;
            std::int64_t count = 0;
            for (std::size_t i = 0; i < 4; ++i) {
                const Region part = polygon(std::vector<Ring>{{around[i], middle, around[(i + 1) % 4]}}, kPlane);
                count += part.count();
                all = unite(all, part);
            }
            QVERIFY(all == Region::of_rect({0, 0, 40, 40}));
            QCOMPARE(count, std::int64_t{1600});
        }
    }

    void degenerate_polygons_are_empty() {
        QVERIFY(polygon({}, kPlane).empty());
        QVERIFY(polygon(std::vector<Ring>{{}, {{3, 3}}, {{3, 3}, {20, 20}}}, kPlane).empty());
        QVERIFY(polygon(std::vector<Ring>{{{3, 3}, {20, std::nan("")}, {9, 9}}}, kPlane).empty());
        QVERIFY(polygon(std::vector<Ring>{{{3, 3}, {20, 3}, {9, 9}}}, {}).empty());
        const double far = 1e308;
        QVERIFY(polygon(std::vector<Ring>{{{-far, -far}, {far, -far}, {far, far}, {-far, far}}}, kPlane) ==
                Region::of_rect(kPlane));
    }

    void a_line_is_a_stroke_cut_to_the_plane() {
        const Brush brush{BrushShape::round, 5};
        QVERIFY(line({3, 4}, {40, 20}, brush, kPlane) == stroke(brush, {3, 4}, {40, 20}));
        std::mt19937 random(19);
        std::uniform_int_distribution<int> place(-200, 250);
        for (int round = 0; round < 500; ++round) {
            const Position from{place(random) / 2.0, place(random) / 2.0};
            const Position to{place(random) / 2.0, place(random) / 2.0};
            const Brush some{BrushShape::round, 1 + round % 9};
            QVERIFY(line(from, to, some, kPlane) == stroke(some, from, to).clipped(kPlane));
        }
        const Region thin = stroke({BrushShape::round, 1}, {3.3, 4.9}, {40.2, 20.6});
        for (int size = 1; size < 9; ++size)
            for (const auto shape : {BrushShape::round, BrushShape::square})
                QVERIFY(subtract(thin, line({3.3, 4.9}, {40.2, 20.6}, {shape, size}, kPlane)).empty());
        QVERIFY(line({-1e12, 10.5}, {1e12, 10.5}, {BrushShape::round, 1}, kPlane) == Region::of_rect({10, 0, 1, 50}));
        QVERIFY(line({5.5, -1e300}, {5.5, 1e300}, {BrushShape::round, 1}, kPlane) == Region::of_rect({0, 5, 40, 1}));
        const Region slanted = line({-1e12, 20.5 - 1e12}, {1e12, 20.5 + 1e12}, {BrushShape::round, 1}, kPlane);
        QVERIFY((slanted.bounds() == Rect{20, 0, 20, 20}));
        QVERIFY(line({-90, -90}, {-50, 300}, brush, kPlane).empty());
        QVERIFY(line({3, 4}, {40, 20}, brush, {}).empty());
    }

    void rows_and_columns_reach_across_the_plane() {
        QVERIFY(rows_of(kPlane, 3, 5) == Region::of_rect({3, 0, 3, 50}));
        QVERIFY(rows_of(kPlane, 5, 3) == Region::of_rect({3, 0, 3, 50}));
        QVERIFY(rows_of(kPlane, -9, 0) == Region::of_rect({0, 0, 1, 50}));
        QVERIFY(columns_of(kPlane, 48, std::numeric_limits<std::int64_t>::max()) == Region::of_rect({0, 48, 40, 2}));
        QVERIFY(columns_of(kPlane, 50, 60).empty());
    }

    void bands_lie_along_the_diagonal() {
        const auto far = std::numeric_limits<std::int64_t>::max();
        for (const auto& plane : {Rect{0, 0, 7, 12}, Rect{0, 0, 12, 7}}) {
            for (std::int64_t lower = -13; lower < 13; ++lower) {
                for (std::int64_t upper = -13; upper < 13; ++upper)
                    QVERIFY(band(plane, lower, upper) == where(plane, [&](std::int64_t r, std::int64_t c) {
                                return lower <= c - r && c - r <= upper;
                            }));
                const auto offset = lower;
                QVERIFY(causal(plane, offset) ==
                        where(plane, [&](std::int64_t r, std::int64_t c) { return c <= r + offset; }));
                for (std::int64_t size = 0; size < 9; ++size)
                    QVERIFY(window(plane, size, offset) == where(plane, [&](std::int64_t r, std::int64_t c) {
                                return c <= r + offset && r + offset - c < size;
                            }));
            }
            QVERIFY(band(plane, -far, far) == Region::of_rect(plane));
            QVERIFY(band(plane, far, -far).empty());
        }
        QCOMPARE(causal({0, 0, 4, 4}, 0).count(), std::int64_t{10});
        QCOMPARE(window({0, 0, 6, 6}, 2, 0).count(), std::int64_t{11});
    }
};

QTEST_APPLESS_MAIN(ShapesTest)
#include "shapes_test.moc"
