// SPDX-License-Identifier: Apache-2.0
// The connected parts of a set of runs: linear in the runs, whatever their area.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/fill.h"
#include "core/mask/region.h"

#include <cstdint>
#include <vector>

namespace maskscope::mask {

struct Components {
    std::vector<std::uint32_t> of_run;  // by run of the region; numbered by their first cells
    std::vector<std::int64_t> cells;    // by component
};
Result<Components> components_of(const Region& region, Neighbours neighbours, const JobContext& context);

// The runs whose component is chosen.
template <class Chosen>
Region region_of_components(const Region& region, const Components& components, Chosen chosen) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < components.of_run.size(); ++i)
        if (chosen(components.of_run[i])) runs.push_back(region.runs()[i]);
    return Region::of_sorted(std::move(runs));
}

}  // namespace maskscope::mask
