// SPDX-License-Identifier: Apache-2.0
// Stamps by hand and by the circle's equation; strokes by the stamps along the way.
#include "core/mask/brush.h"

#include "tests/core/mask/bitmap.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <utility>

using namespace maskscope;
using namespace maskscope::mask;

namespace {

// By real numbers, pixel by pixel.
Region naive_stamp(const Brush& brush, Position at) {
    const double half = brush.size / 2.0;
    const bool even = brush.size % 2 == 0;
    const double x = even ? std::floor(at.x + 0.5) : std::floor(at.x) + 0.5;
    const double y = even ? std::floor(at.y + 0.5) : std::floor(at.y) + 0.5;
    std::vector<Run> runs;
    for (auto r = static_cast<std::int32_t>(y - half - 2); r <= static_cast<std::int32_t>(y + half + 2); ++r) {
        for (auto c = static_cast<std::int32_t>(x - half - 2); c <= static_cast<std::int32_t>(x + half + 2); ++c) {
            const double dx = std::abs(c + 0.5 - x);
            const double dy = std::abs(r + 0.5 - y);
            const bool inside =
                brush.shape == BrushShape::square ? dx < half && dy < half : dx * dx + dy * dy <= half * half;
            if (inside) runs.push_back({r, c, c + 1});
        }
    }
    return Region::of(std::move(runs));
}

// The union of the stamps at these parts of the way.
Region stamps_at(const Brush& brush, Position from, Position to, const std::vector<double>& parts) {
    const double shift = brush.size % 2 == 0 ? 0.5 : 0.0;
    std::set<std::pair<double, double>> seen;
    Region out;
    for (const double part : parts) {
        const Position at{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
        if (seen.emplace(std::floor(at.x + shift), std::floor(at.y + shift)).second)
            out = unite(out, naive_stamp(brush, at));
    }
    return out;
}

std::vector<double> quarter_pixels(Position from, Position to) {
    const double steps = std::ceil(std::hypot(to.x - from.x, to.y - from.y) * 4) + 1;
    std::vector<double> out;
    for (double step = 0; step <= steps; ++step) out.push_back(step / steps);
    return out;
}

// One for each stretch on which the stamp stays where it is: it moves at certain lines.
std::vector<double> stretches(const Brush& brush, Position from, Position to) {
    const double shift = brush.size % 2 == 0 ? 0.5 : 0.0;
    std::vector<double> moves = {0, 1};
    for (const auto& [a, b] : {std::pair{from.x + shift, to.x + shift}, {from.y + shift, to.y + shift}})
        for (double at = std::ceil(std::min(a, b)); at <= std::max(a, b) && a != b; ++at)
            moves.push_back((at - a) / (b - a));
    std::sort(moves.begin(), moves.end());
    std::vector<double> out = {0, 1};
    for (std::size_t i = 1; i < moves.size(); ++i) out.push_back((moves[i - 1] + moves[i]) / 2);
    return out;
}

}  // namespace

class BrushTest : public QObject {
    Q_OBJECT
private slots:
    void small_stamps_are_what_they_look_like() {
        QVERIFY(stamp({BrushShape::round, 1}, {7.9, 3.1}) == Region::of({{3, 7, 8}}));
        QVERIFY(stamp({BrushShape::round, 2}, {7.9, 3.1}) == Region::of_rect({2, 7, 2, 2}));
        QVERIFY(stamp({BrushShape::round, 3}, {7.5, 3.5}) == Region::of_rect({2, 6, 3, 3}));
        QVERIFY(stamp({BrushShape::round, 4}, {7.2, 3.2}) == Region::of({{1, 6, 8}, {2, 5, 9}, {3, 5, 9}, {4, 6, 8}}));
        QVERIFY(stamp({BrushShape::round, 5}, {2, 2}) ==
                Region::of({{0, 1, 4}, {1, 0, 5}, {2, 0, 5}, {3, 0, 5}, {4, 1, 4}}));
        QVERIFY(stamp({BrushShape::square, 4}, {7.2, 3.2}) == Region::of_rect({1, 5, 4, 4}));
        QVERIFY(stamp({BrushShape::square, 5}, {-0.5, -0.5}) == Region::of_rect({-3, -3, 5, 5}));
    }

    void stamps_follow_the_circle_and_are_the_same_at_every_place() {
        for (const auto shape : {BrushShape::round, BrushShape::square}) {
            for (int size = 1; size < 70; ++size) {
                const Region here = stamp({shape, size}, {100.5, 200.5});
                QVERIFY(here == naive_stamp({shape, size}, {100.5, 200.5}));
                QVERIFY(test::is_well_formed(here));
                QVERIFY((here.bounds().rows == size && here.bounds().cols == size));
                QVERIFY(stamp({shape, size}, {-3.5, 40.5}) == here.moved(-160, -104));
            }
        }
        const double area = static_cast<double>(stamp({BrushShape::round, kMaxBrushSize}, {0, 0}).count());
        QVERIFY(std::abs(area / (3.14159265 * 2048 * 2048) - 1) < 1e-3);
    }

    void a_stroke_is_all_stamps_along_the_way() {
        std::mt19937 random(17);
        std::uniform_real_distribution<double> place(-40, 40);
        for (int round = 0; round < 200; ++round) {
            const Brush brush{round % 4 == 0 ? BrushShape::square : BrushShape::round, 1 + round % 19};
            const Position from{place(random), place(random)};
            const Position to =
                round % 7 == 0 ? Position{from.x, place(random)} : Position{place(random), place(random)};
            const Region swept = stroke(brush, from, to);
            QVERIFY(test::is_well_formed(swept));
            // No step of a quarter pixel leaves it, and nothing in it is beyond the stamps.
            QVERIFY(subtract(stamps_at(brush, from, to, quarter_pixels(from, to)), swept).empty());
            QVERIFY(swept == stamps_at(brush, from, to, stretches(brush, from, to)));
            QVERIFY(stroke(brush, to, from) == swept);
        }
    }

    void ways_over_corners_and_along_lines_take_no_pixel_too_much() {
        const Brush dot{BrushShape::round, 1};
        std::vector<Run> falling;
        std::vector<Run> horizontal;
        for (std::int32_t i = 0; i <= 10; ++i) {
            falling.push_back({i, i, i + 1});
            horizontal.push_back({4, i, i + 1});
        }
        QVERIFY(stroke(dot, {0.5, 0.5}, {10.5, 10.5}) == Region::of(falling));
        QVERIFY(stroke(dot, {10.5, 10.5}, {0.5, 0.5}) == Region::of(falling));
        QVERIFY(stroke(dot, {0, 0}, {10, 10}) == Region::of(falling));
        QVERIFY(stroke(dot, {10, 4}, {0, 4}) == Region::of(horizontal));
        // Going left and down through a corner it touches the pixel below it on the right.
        QVERIFY(stroke(dot, {1.5, 0.5}, {0.5, 1.5}) == Region::of({{0, 1, 2}, {1, 0, 2}}));
    }

    void a_fast_mouse_leaves_no_gap() {
        const Region far = stroke({BrushShape::round, 9}, {10, 10}, {9000, 3000});
        const Rect bounds = far.bounds();
        QCOMPARE(static_cast<std::int64_t>(far.runs().size()), bounds.rows);  // one run in each row
        for (std::size_t i = 1; i < far.runs().size(); ++i)
            QVERIFY(far.runs()[i].begin < far.runs()[i - 1].end && far.runs()[i - 1].begin < far.runs()[i].end);
    }

    void nonsense_paints_nothing_and_takes_no_memory() {
        const double nan = std::nan("");
        const double infinite = std::numeric_limits<double>::infinity();
        QVERIFY(stamp({}, {nan, 1}).empty());
        QVERIFY(stroke({}, {0, 0}, {infinite, 1}).empty());
        QVERIFY(outline({}, {nan, nan}).empty());
        QCOMPARE(stamp({BrushShape::round, -4}, {0, 0}).count(), std::int64_t{1});
        QCOMPARE(stamp({BrushShape::square, 1 << 30}, {0, 0}).bounds().rows, std::int64_t{kMaxBrushSize});
        QVERIFY(stroke({BrushShape::round, 4}, {-1e300, 5}, {1e300, 5}).runs().size() == 4);
    }

    void the_outline_goes_around_the_stamp() {
        const auto ring = outline({BrushShape::round, 2}, {7.9, 3.1});
        const std::vector<Position> expected = {{7, 2}, {9, 2}, {9, 4}, {7, 4}};
        QVERIFY(ring == expected);
    }
};

QTEST_APPLESS_MAIN(BrushTest)
#include "brush_test.moc"
