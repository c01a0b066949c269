// SPDX-License-Identifier: Apache-2.0
// Growing a region by an element that is convex and the same in all four quarters: a disc, a square.
#pragma once

#include "core/jobs/job_context.h"
#include "core/mask/region.h"

#include <span>

namespace maskscope::mask {

// half_widths[d] is how far the element reaches to either side, d rows away from its middle. The region lies inside
// `plane`, the result too. Unfinished when the context was cancelled.
Region dilated(const Region& region, const Rect& plane, std::span<const int> half_widths, const JobContext& context);

}  // namespace maskscope::mask
