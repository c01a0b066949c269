// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/summand.h"

#include "core/ops/loops/copy.h"

namespace maskscope::ops {

DType sum_dtype(DType own, std::optional<DType> wanted) {
    return wanted.value_or(is_floating(own) ? own : DType::i64);
}

Result<Tensor> as_summand(const Tensor& input, DType dtype, Run& run) {
    const DType from = input.dtype();
    // Blocks are computed in float, double or int64: only where the conversion rounds or cuts otherwise must it be
    // made.
    const bool cuts = is_floating(from) && dtype != DType::i64 && !is_floating(dtype);
    const bool rounds = size_of(dtype) == 2 && is_floating(dtype) && from != dtype;
    if (!cuts && !rounds && (dtype != DType::boolean || from == dtype)) return input;
    MS_TRY(copy, run.allocate(input.shape(), dtype));
    copy_elements(input, copy);
    return std::move(copy);
}

}  // namespace maskscope::ops
