// SPDX-License-Identifier: Apache-2.0
// Questions about a plane's finite visible cells that take a pass over them.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/render/pool/cell_state.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

// Error: cancelled.
Result<std::vector<double>> exact_percentiles(const Plane& plane, const MaskPlane* mask,
                                              const std::vector<double>& fractions, const JobContext& context);
Result<std::vector<std::int64_t>> exact_histogram(const Plane& plane, const MaskPlane* mask, double lo, double hi,
                                                  bool log, int bins, const JobContext& context);

}  // namespace maskscope::render
