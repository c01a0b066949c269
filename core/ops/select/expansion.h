// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace maskscope::ops {

// Refuses a tensor that cannot be expanded to the shape, as Tensor.expand does.
Result<void> refuse_expansion(const Tensor& tensor, const Shape& to);

}  // namespace maskscope::ops
