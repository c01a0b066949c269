// SPDX-License-Identifier: Apache-2.0
// Block means of an image: blocks of 4 x 4 pixels, then 8 x 8, and so on. Each is rounded once, from exact sums.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/render/overlay/image_source.h"
#include "core/render/pool/raw_array.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

struct ImageLevel {
    std::int64_t unit = 1;  // image pixels along a block's side
    std::int64_t rows = 0;  // of blocks; the last ones may be cut off by the image's edge
    std::int64_t cols = 0;
    RawArray values;  // row by row, `shown` channels a block, of the source's LevelType
};

struct ImageLevels {
    std::vector<ImageLevel> levels;
    // The level for pixels of `cells` image pixels a side; null: the image itself.
    const ImageLevel* for_cells(double cells) const;
};

// Error: cancelled, or no memory.
Result<ImageLevels> build_levels(const ImageSource& source, const JobContext& context);

}  // namespace maskscope::render
