// SPDX-License-Identifier: Apache-2.0
// The broadcasting rule (NumPy's and PyTorch's): align shapes at the right; sizes must be equal or 1.
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace maskscope {

// Error in PyTorch's words: "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension
// 1".
Result<Shape> broadcast_shapes(const Shape& a, const Shape& b);
// True when `from` can be expanded to `to` (to is not enlarged).
bool broadcasts_to(const Shape& from, const Shape& to);
// A view with stride 0 along the repeated dims; no bytes. Error in PyTorch's words for expand.
Result<Tensor> expand(const Tensor& tensor, const Shape& to);

}  // namespace maskscope
