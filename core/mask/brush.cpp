// SPDX-License-Identifier: Apache-2.0
// Both stamps are convex and lie around their centre row by row, so all stamps along a way make one run in each row:
// its ends are the outermost of theirs.
#include "core/mask/brush.h"

#include "core/mask/contour.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace maskscope::mask {
namespace {

// Farther out nothing is painted. A way of so many rows still fits the memory.
constexpr double kFarthestX = 0x1p30;
constexpr double kFarthestY = 0x1p25;

bool is_finite(Position at) {
    return std::isfinite(at.x) && std::isfinite(at.y);
}

Position bounded(Position at) {
    return {std::clamp(at.x, -kFarthestX, kFarthestX), std::clamp(at.y, -kFarthestY, kFarthestY)};
}

bool is_far(Position at) {
    return std::abs(at.x) > kFarthestX || std::abs(at.y) > kFarthestX;
}

// Leaves of a way what lies between two positions on an axis; false when nothing does.
bool cut(Position& from, Position& to, double low, double high, double Position::*axis) {
    if (from.*axis > to.*axis) return cut(to, from, low, high, axis);
    if (to.*axis < low || from.*axis > high) return false;
    const auto at = [&](double value) {
        const double part = (value - from.*axis) / (to.*axis - from.*axis);
        Position out{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
        out.*axis = value;
        return out;
    };
    const Position start = from.*axis < low ? at(low) : from;
    const Position end = to.*axis > high ? at(high) : to;
    from = start;
    to = end;
    return true;
}

// A brush's stamp around a centre (x, y): rows y + first() to y + first() + rows() - 1, columns from x - reach to
// x + reach of the row's, plus one column and row where the size is even and the centre the corner of a pixel.
class Stamp {
public:
    explicit Stamp(const Brush& brush) : size_(std::clamp(brush.size, 1, kMaxBrushSize)), even_(size_ % 2 == 0) {
        reach_.reserve(static_cast<std::size_t>(size_));
        for (int row = 0; row < size_; ++row) reach_.push_back(reach_of(brush.shape, row));
    }
    // The centre in whole numbers: the pixel, or the corner before which as many pixels lie as after it.
    std::int64_t centre(double at) const { return static_cast<std::int64_t>(std::floor(even_ ? at + 0.5 : at)); }
    // That of the positions just before it.
    std::int64_t centre_before(double at) const {
        return static_cast<std::int64_t>(std::ceil(even_ ? at + 0.5 : at)) - 1;
    }
    std::int64_t first() const { return -(size_ / 2); }
    std::int64_t rows() const { return size_; }
    // Of each row: its columns are [x - reach, x + reach + odd).
    const std::vector<std::int32_t>& reach() const { return reach_; }
    std::int64_t odd() const { return even_ ? 0 : 1; }
    bool even() const { return even_; }

private:
    std::int32_t reach_of(BrushShape shape, int row) const {
        if (shape == BrushShape::square) return size_ / 2;
        // In half pixels from the centre: (2 dy)^2 + (2 dx)^2 <= size^2, with odd offsets for even sizes.
        const std::int64_t dy = 2 * (row - size_ / 2) + (even_ ? 1 : 0);
        const std::int64_t square = std::int64_t{size_} * size_ - dy * dy;
        auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
        while (root * root > square) --root;
        while ((root + 1) * (root + 1) <= square) ++root;
        return static_cast<std::int32_t>(even_ ? (root + 1) / 2 : root / 2);
    }

    int size_;
    bool even_;
    std::vector<std::int32_t> reach_;
};

// The centres along a way: of each row the first and the last column.
struct Way {
    std::int64_t top = 0;
    std::vector<std::int32_t> left;
    std::vector<std::int32_t> right;
};

// In the rows of centres [first, end).
Way way_of(const Stamp& stamp, Position from, Position to, std::int64_t first, std::int64_t end_row) {
    if (to.y < from.y) std::swap(from, to);
    const auto last = stamp.centre(to.y);
    Way way;
    way.top = std::max(first, stamp.centre(from.y));
    const auto rows = std::max<std::int64_t>(0, std::min(end_row, last + 1) - way.top);
    way.left.reserve(static_cast<std::size_t>(rows));
    way.right.reserve(static_cast<std::size_t>(rows));
    const double low = std::min(from.x, to.x);
    const double high = std::max(from.x, to.x);
    // Where the way enters the row of centres `row`; a row ends where the next begins.
    const auto enters_at = [&](std::int64_t row) {
        const double y = static_cast<double>(row) - (stamp.even() ? 0.5 : 0.0);
        if (y <= from.y) return from.x;
        return std::clamp(from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y)), low, high);
    };
    for (auto row = way.top; row < way.top + rows; ++row) {
        const auto begin = stamp.centre(enters_at(row));
        const double leaves = row < last ? enters_at(row + 1) : to.x;
        // The point where it leaves is the next row's: going right, a column that begins just there is not this row's.
        const bool short_of = row < last && to.x > from.x;
        const auto end = short_of ? std::max(begin, stamp.centre_before(leaves)) : stamp.centre(leaves);
        way.left.push_back(static_cast<std::int32_t>(std::min(begin, end)));
        way.right.push_back(static_cast<std::int32_t>(std::max(begin, end)));
    }
    return way;
}

Region swept(const Stamp& stamp, const Way& way) {
    const auto centres = static_cast<std::int64_t>(way.left.size());
    if (centres == 0) return {};
    const auto rows = centres + stamp.rows() - 1;
    std::vector<Run> runs;
    runs.reserve(static_cast<std::size_t>(rows));
    for (std::int64_t row = 0; row < rows; ++row) {
        // Row `row` of the sweep is row `row - centre` of the stamp at that centre.
        const auto first = std::max<std::int64_t>(0, row - stamp.rows() + 1);
        const auto last = std::min(row, centres - 1);
        std::int32_t begin = std::numeric_limits<std::int32_t>::max();
        std::int32_t end = std::numeric_limits<std::int32_t>::min();
        const std::int32_t* reach = stamp.reach().data() + row;
        for (auto centre = first; centre <= last; ++centre) {
            const auto at = static_cast<std::size_t>(centre);
            begin = std::min(begin, way.left[at] - reach[-centre]);
            end = std::max(end, way.right[at] + reach[-centre]);
        }
        runs.push_back({static_cast<std::int32_t>(way.top + stamp.first() + row), begin,
                        end + static_cast<std::int32_t>(stamp.odd())});
    }
    return Region::of_sorted(std::move(runs));
}

}  // namespace

Region stamp(const Brush& brush, Position at) {
    return stroke(brush, at, at);
}

Region stroke(const Brush& brush, Position from, Position to) {
    if (!is_finite(from) || !is_finite(to)) return {};
    const Stamp stamp(brush);
    constexpr auto kFarthestRow = static_cast<std::int64_t>(kFarthestY) + 1;
    return swept(stamp, way_of(stamp, bounded(from), bounded(to), -kFarthestRow, kFarthestRow));
}

Region stroke(const Brush& brush, Position from, Position to, const Rect& within) {
    if (!is_finite(from) || !is_finite(to) || within.empty()) return {};
    const Stamp stamp(brush);
    const auto top = within.row - stamp.rows();
    const auto bottom = within.bottom() + stamp.rows();
    if (is_far(from) || is_far(to)) {
        const auto margin = static_cast<double>(stamp.rows());
        if (!cut(from, to, static_cast<double>(top), static_cast<double>(bottom), &Position::y)) return {};
        if (!cut(from, to, static_cast<double>(within.col) - margin, static_cast<double>(within.right()) + margin,
                 &Position::x))
            return {};
    }
    return swept(stamp, way_of(stamp, from, to, top, bottom)).clipped(within);
}

std::vector<Position> outline(const Brush& brush, Position at) {
    std::vector<Position> out;
    const auto rings = contours(stamp(brush, at));
    if (rings.empty()) return out;
    out.reserve(rings.front().corners.size());
    for (const auto& corner : rings.front().corners)
        out.push_back({static_cast<double>(corner.x), static_cast<double>(corner.y)});
    return out;
}

}  // namespace maskscope::mask
