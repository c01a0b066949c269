// SPDX-License-Identifier: Apache-2.0
// dtype= of sums and products: the elements are converted before they are added up.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/run.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::ops {

// What a sum of that dtype comes in: what is asked for, else int64 for integers and bools.
DType sum_dtype(DType own, std::optional<DType> wanted);
// The input in the dtype that is summed, or the input itself where converting blocks on the way comes to the same.
Result<Tensor> as_summand(const Tensor& input, DType dtype, Run& run);

}  // namespace maskscope::ops
