// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"

namespace maskscope::ops {

// In-place ops that move elements about refuse any input that shares memory with what they write, the tensor itself too
// (elementwise ones, which the dispatcher sees to, allow that).
inline Result<void> refuse_alias(const Tensor& written, const Tensor& input) {
    if (overlap_of(written, input) == Overlap::none) return {};
    return runtime_error(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation.");
}

}  // namespace maskscope::ops
