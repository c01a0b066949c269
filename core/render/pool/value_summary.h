// SPDX-License-Identifier: Apache-2.0
// Moments and samples of the finite visible cells of planes, for colour ranges that span more than one slice.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/render/pool/cell_state.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace maskscope::render {

struct ValueSummary {
    std::int64_t count = 0;
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    double smallest_positive = std::numeric_limits<double>::infinity();
    double mean = 0;
    double sum_of_squares = 0;  // of the deviations from the mean

    double deviation() const;  // population standard deviation
    // Chan's pairwise update: the order of merging is the caller's, so the result is the same on every machine.
    void merge(const ValueSummary& other);
};

// Error: cancelled.
Result<ValueSummary> summarise(const Plane& plane, const MaskPlane* mask, const JobContext& context);

// Appends every `step`-th finite visible cell of each row to `out`.
Result<void> collect_values(const Plane& plane, const MaskPlane* mask, std::int64_t step, std::vector<float>& out,
                            const JobContext& context);

}  // namespace maskscope::render
