// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/select/element.h"
#include "core/tensor/tensor.h"

namespace maskscope::ops {

// out = mask ? element : self, with self and the bool mask broadcast to out. `self` may be out.
void fill_where(Tensor& out, const Tensor& self, const Tensor& mask, const Element& element);

}  // namespace maskscope::ops
