// SPDX-License-Identifier: Apache-2.0
#include "core/mask/components.h"
#include "core/mask/morphology.h"

#include <algorithm>
#include <numeric>

namespace maskscope::mask {

Result<Region> fill_holes(const Region& region, const Rect& plane, std::int64_t max_cells, const JobContext& context) {
    if (max_cells < 0) return usage_error(MS_TEXT("a hole has no {} cells; 0 fills holes of any size"), max_cells);
    const auto inside = region.clipped(plane);
    if (inside.empty()) return inside;
    // One cell around the bounds joins all that is outside, but where the plane ends.
    const Rect bounds = inside.bounds();
    const Rect frame = intersection({bounds.row - 1, bounds.col - 1, bounds.rows + 2, bounds.cols + 2}, plane);
    const auto background = subtract(Region::of_rect(frame), inside);
    MS_TRY(parts, components_of(background, Neighbours::four, context));
    std::vector<bool> fills(parts.cells.size());
    for (std::size_t i = 0; i < fills.size(); ++i) fills[i] = max_cells == 0 || parts.cells[i] <= max_cells;
    for (std::size_t i = 0; i < parts.of_run.size(); ++i) {
        const auto& run = background.runs()[i];
        if (run.row == frame.row || run.row + 1 == frame.bottom() || run.begin == frame.col || run.end == frame.right())
            fills[parts.of_run[i]] = false;
    }
    return unite(inside, region_of_components(background, parts, [&](std::uint32_t part) { return fills[part]; }));
}

Result<std::vector<Region>> islands(const Region& region, Neighbours neighbours, const JobContext& context) {
    MS_TRY(parts, components_of(region, neighbours, context));
    std::vector<std::size_t> run_counts(parts.cells.size());
    for (const auto part : parts.of_run) ++run_counts[part];
    std::vector<std::vector<Run>> runs(parts.cells.size());
    for (std::size_t i = 0; i < runs.size(); ++i) runs[i].reserve(run_counts[i]);
    for (std::size_t i = 0; i < parts.of_run.size(); ++i) runs[parts.of_run[i]].push_back(region.runs()[i]);

    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return parts.cells[a] > parts.cells[b]; });
    std::vector<Region> out;
    out.reserve(order.size());
    for (const auto part : order) out.push_back(Region::of_sorted(std::move(runs[part])));
    return out;
}

Result<Region> without_small_islands(const Region& region, std::int64_t min_cells, Neighbours neighbours,
                                     const JobContext& context) {
    MS_TRY(parts, components_of(region, neighbours, context));
    return region_of_components(region, parts, [&](std::uint32_t part) { return parts.cells[part] >= min_cells; });
}

}  // namespace maskscope::mask
