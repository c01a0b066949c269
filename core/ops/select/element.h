// SPDX-License-Identifier: Apache-2.0
// A number as the bytes of one element: what a fill writes. Unlike a conversion of a tensor, a number that the dtype
// cannot hold is refused.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/number.h"
#include "core/tensor/tensor.h"

namespace maskscope::ops {

// A float becomes an integer by dropping its fraction; True is 1. Error: "value cannot be converted to type int64_t
// without overflow".
Result<Element> held_element(const Value& number, DType dtype);
// The only element of a tensor that has data, converted as a number is.
Result<Element> held_element(const Tensor& tensor, DType dtype);

}  // namespace maskscope::ops
