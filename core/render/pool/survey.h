// SPDX-License-Identifier: Apache-2.0
// The one pass over a plane's cells that everything shown of it comes from.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/jobs/parallel.h"
#include "core/render/pool/cell_state.h"
#include "core/render/pool/heatmap_data.h"
#include "core/render/pool/mask_pyramid.h"
#include "core/render/pool/pyramid.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

struct Survey {
    Pyramid pyramid;  // of the cells, whatever the mask hides
    PlaneStats stats;
    Gutter gutter;
    std::vector<std::uint8_t> row_flags;  // kFlag... of the states in each row
};

// `mask` and `coverage` are both null or both given. Error: cancelled, or no memory.
Result<Survey> survey(const Plane& plane, const MaskPlane* mask, const MaskPyramid* coverage, const JobContext& context,
                      Lane lane);

}  // namespace maskscope::render
