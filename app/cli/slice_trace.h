// SPDX-License-Identifier: Apache-2.0
// What a slice did to each dimension, so that axes keep the names, indices and tokens of the file's tensor.
#pragma once

#include "core/tensor/dims.h"
#include "core/tensor/slice.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope::cli {

struct SlicedDim {
    int source = -1;  // dim of the whole tensor; -1: a new axis
    std::int64_t start = 0;
    std::int64_t step = 1;
};

struct SliceTrace {
    std::vector<SlicedDim> dims;                      // of the sliced tensor
    std::vector<std::optional<std::int64_t>> chosen;  // by dim of the whole tensor: the one index that was taken
};

// For items that apply_slice has accepted for this shape.
SliceTrace trace_slice(const Shape& whole, const std::vector<SliceItem>& items);

}  // namespace maskscope::cli
