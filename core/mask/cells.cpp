// SPDX-License-Identifier: Apache-2.0
#include "core/mask/cells.h"

#include <algorithm>

namespace maskscope::mask {
namespace {

// Sums of two of these stay inside 64 bits, and no plane reaches so far.
constexpr std::int64_t kFar = std::int64_t{1} << 40;

std::int64_t bounded(std::int64_t value) {
    return std::clamp(value, -kFar, kFar);
}

Rect from_to(std::int64_t first, std::int64_t last) {
    const auto [low, high] = std::minmax({bounded(first), bounded(last)});
    return {low, low, high - low + 1, high - low + 1};
}

}  // namespace

Region rows_of(const Rect& plane, std::int64_t first, std::int64_t last) {
    const Rect span = from_to(first, last);
    return Region::of_rect(intersection(plane, {span.row, plane.col, span.rows, plane.cols}));
}

Region columns_of(const Rect& plane, std::int64_t first, std::int64_t last) {
    const Rect span = from_to(first, last);
    return Region::of_rect(intersection(plane, {plane.row, span.col, plane.rows, span.cols}));
}

Region band(const Rect& plane, std::int64_t lower, std::int64_t upper) {
    std::vector<Run> runs;
    for (auto row = plane.row; row < plane.bottom(); ++row) {
        const auto begin = std::max(plane.col, row + bounded(lower));
        const auto end = std::min(plane.right(), row + bounded(upper) + 1);
        if (begin < end)
            runs.push_back(
                {static_cast<std::int32_t>(row), static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
    }
    return Region::of_sorted(std::move(runs));
}

Region causal(const Rect& plane, std::int64_t offset) {
    return band(plane, -kFar, offset);
}

Region window(const Rect& plane, std::int64_t size, std::int64_t offset) {
    return band(plane, bounded(offset) - bounded(size) + 1, offset);
}

}  // namespace maskscope::mask
