// SPDX-License-Identifier: Apache-2.0
// Tensors as torch prints them with its default options: 4 decimals, lines of 80, more than 1000 elements cut to 3 at
// each end.
#pragma once

#include "core/ops/dispatch/variable.h"

#include <string>

namespace maskscope::script {

// "tensor([[1., 2.],\n        [3., nan]], dtype=torch.float64)". Without data the shape stands in place of the values.
std::string tensor_repr(const ops::Variable& variable, DType default_dtype = DType::f32);

}  // namespace maskscope::script
