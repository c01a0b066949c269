// SPDX-License-Identifier: GPL-3.0-or-later
// Where the number of a label stands: at the middle of its cells.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/plane.h"

#include <cstdint>
#include <vector>

namespace maskscope::ui {

struct LabelPlace {
    std::int64_t label = 0;
    std::int64_t cells = 0;
    double x = 0;  // the centroid, along columns
    double y = 0;
};
// Of an integer plane, largest first; background left out. Labels beyond the first 65,536 met are not counted.
Result<std::vector<LabelPlace>> labelPlaces(const mask::Plane& plane, const JobContext& context);

}  // namespace maskscope::ui
