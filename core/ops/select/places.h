// SPDX-License-Identifier: Apache-2.0
// Where a tensor is not zero, row by row.
#pragma once

#include "core/base/function_ref.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope::ops {

// How many places lie before each chunk of rows; the last entry is their number. NaN is not zero.
std::vector<std::int64_t> nonzero_counts(const Tensor& tensor);

// A part of one row (along the last dim) with its truth, one byte for each element.
struct TruthRun {
    std::span<const std::int64_t> index;  // of the first element
    std::span<const std::uint8_t> truth;
    std::int64_t before = 0;  // places that lie before it
};
// In parallel: runs come in any order.
void for_each_truth(const Tensor& tensor, std::span<const std::int64_t> counts,
                    FunctionRef<void(const TruthRun&)> body);

}  // namespace maskscope::ops
