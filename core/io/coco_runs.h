// SPDX-License-Identifier: Apache-2.0
// What the makers of COCO run lengths share.
#pragma once

#include "core/base/result.h"
#include "core/io/coco_rle.h"

#include <cstdint>
#include <vector>

namespace maskscope::io {

// Cells [begin, end), counted down the columns.
struct CellSpan {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

// Ascending by begin; they may overlap. Runs beyond 32 bits are cut by empty ones.
CocoRle rle_of_spans(const std::vector<CellSpan>& spans, std::int64_t height, std::int64_t width);

Result<void> check_mask_size(std::int64_t height, std::int64_t width);

}  // namespace maskscope::io
