// SPDX-License-Identifier: Apache-2.0
// pycocotools' raster. It scales the corners by 5, walks each edge in whole steps along its longer axis, and keeps the
// steps that pass the middle of a pixel column; each such crossing flips the column's cells from there down. Here the
// crossings of an edge are computed one by one instead of walking to them, so that an edge costs the columns that it
// crosses, however long it is. The rounding is the walk's, in the same double arithmetic.
#include "core/io/coco_rle.h"

#include "core/io/coco_runs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope::io {

namespace {

constexpr int kScale = 5;
constexpr double kMaxCoordinate = 1e8;
// Of all edges together; each takes 8 bytes while a polygon is drawn.
constexpr std::int64_t kMaxCrossings = std::int64_t{1} << 24U;

struct Corner {
    std::int64_t x = 0;
    std::int64_t y = 0;
};

// Towards zero, below it as well: as the walk's cast does.
std::int64_t rounded(double value) {
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): another rounding would draw other pixels
    return static_cast<std::int64_t>(value + .5);
}

// Pixel columns [first, last) whose middle an edge passes: the step between 5 c + 2 and 5 c + 3.
struct Columns {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t count() const { return std::max<std::int64_t>(0, last - first); }
};

Columns columns_crossed(const Corner& a, const Corner& b, std::int64_t width) {
    const std::int64_t left = std::min(a.x, b.x);
    const std::int64_t right = std::max(a.x, b.x);
    // 5 c + 2 >= left and 5 c + 3 <= right.
    const std::int64_t first = left <= 2 ? 0 : (left - 2 + kScale - 1) / kScale;
    const std::int64_t last = right < 3 ? 0 : (right - 3) / kScale + 1;
    return {first, std::min(last, width)};
}

// An edge from its end with the smaller coordinate on the longer axis: the walk goes so too, whichever way the polygon
// runs.
class Edge {
public:
    Edge(Corner a, Corner b) {
        const std::int64_t dx = std::abs(b.x - a.x);
        const std::int64_t dy = std::abs(b.y - a.y);
        along_x_ = dx >= dy;
        steps_ = std::max(dx, dy);
        if (along_x_ ? a.x > b.x : a.y > b.y) std::swap(a, b);
        from_ = a;
        slope_ = along_x_ ? static_cast<double>(b.y - a.y) / static_cast<double>(dx)
                          : static_cast<double>(b.x - a.x) / static_cast<double>(dy);
    }

    // The upper one of the two steps beside the middle of the column.
    std::int64_t crossing(std::int64_t column) const {
        const std::int64_t left = kScale * column + 2;
        if (along_x_) return std::min(across(left - from_.x), across(left + 1 - from_.x));
        return from_.y + last_step_before(left);
    }

private:
    // The other coordinate after `step` steps.
    std::int64_t across(std::int64_t step) const {
        return rounded(static_cast<double>(along_x_ ? from_.y : from_.x) + slope_ * static_cast<double>(step));
    }
    // The last step on the side of the column's middle where the walk begins.
    std::int64_t last_step_before(std::int64_t left) const {
        const bool rightwards = slope_ > 0;
        std::int64_t before = 0;
        std::int64_t behind = steps_;
        while (behind - before > 1) {
            const std::int64_t middle = before + (behind - before) / 2;
            const bool is_left = across(middle) <= left;
            (is_left == rightwards ? before : behind) = middle;
        }
        return before;
    }

    Corner from_;
    double slope_ = 0;
    std::int64_t steps_ = 0;
    bool along_x_ = true;
};

Result<std::vector<Corner>> scaled(const std::vector<double>& xy) {
    if (xy.size() % 2 != 0) {
        return input_error(MS_TEXT("the polygon has {} coordinates; they come in pairs"), xy.size());
    }
    std::vector<Corner> corners;
    corners.reserve(xy.size() / 2);
    for (std::size_t i = 0; i < xy.size(); i += 2) {
        for (const double value : {xy[i], xy[i + 1]}) {
            if (!(std::abs(value) <= kMaxCoordinate)) {
                return input_error(MS_TEXT("the polygon has a coordinate of {}; up to {} are read"), value,
                                   kMaxCoordinate);
            }
        }
        corners.push_back({rounded(kScale * xy[i]), rounded(kScale * xy[i + 1])});
    }
    return corners;
}

// Adds the cells, as indices in COCO's order, from which on a column is flipped. `budget` is what may still be crossed.
Result<void> add_flips(std::vector<std::int64_t>& flips, const std::vector<Corner>& corners, std::int64_t height,
                       std::int64_t width, std::int64_t& budget) {
    const auto each_edge = [&](auto&& body) {
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Corner& a = corners[i];
            const Corner& b = corners[i + 1 == corners.size() ? 0 : i + 1];
            body(a, b, columns_crossed(a, b, width));
        }
    };
    each_edge([&](const Corner& /*a*/, const Corner& /*b*/, const Columns& columns) { budget -= columns.count(); });
    if (budget < 0) {
        return input_error(MS_TEXT("the polygon's outline crosses more than {} pixel columns"), kMaxCrossings);
    }
    each_edge([&](const Corner& a, const Corner& b, const Columns& columns) {
        if (columns.count() == 0) return;
        const Edge edge(a, b);
        for (std::int64_t column = columns.first; column < columns.last; ++column) {
            // The first row whose middle is not above the crossing.
            const std::int64_t y = edge.crossing(column);
            const std::int64_t row = y <= 2 ? 0 : (y + 2) / kScale;
            flips.push_back(column * height + std::min(row, height));
        }
    });
    return {};
}

CocoRle rle_of_flips(std::vector<std::int64_t> flips, std::int64_t height, std::int64_t width) {
    std::sort(flips.begin(), flips.end());
    std::vector<CellSpan> spans;
    bool inside = false;
    std::int64_t begin = 0;
    for (const std::int64_t flip : flips) {
        if (inside && flip > begin) spans.push_back({begin, flip});
        begin = flip;
        inside = !inside;
    }
    if (inside) spans.push_back({begin, height * width});
    return rle_of_spans(spans, height, width);
}

Result<CocoRle> drawn(const std::vector<double>& xy, std::int64_t height, std::int64_t width, std::int64_t& budget) {
    MS_TRY(corners, scaled(xy));
    std::vector<std::int64_t> flips;
    MS_CHECK(add_flips(flips, corners, height, width, budget));
    return rle_of_flips(std::move(flips), height, width);
}

}  // namespace

Result<CocoRle> rle_of_polygon(const std::vector<double>& xy, std::int64_t height, std::int64_t width) {
    MS_CHECK(check_mask_size(height, width));
    std::int64_t budget = kMaxCrossings;
    return drawn(xy, height, width, budget);
}

Result<CocoRle> rle_of_polygons(const std::vector<std::vector<double>>& parts, std::int64_t height,
                                std::int64_t width) {
    MS_CHECK(check_mask_size(height, width));
    std::int64_t budget = kMaxCrossings;
    std::vector<CocoRle> drawn_parts;
    for (const auto& part : parts) {
        MS_TRY(rle, drawn(part, height, width, budget));
        drawn_parts.push_back(std::move(rle));
    }
    if (drawn_parts.empty()) return rle_of({}, height, width);
    return unite(drawn_parts);
}

}  // namespace maskscope::io
