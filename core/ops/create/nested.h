// SPDX-License-Identifier: Apache-2.0
// Nested lists and tuples of numbers and tensors, read as torch.tensor reads them.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/tensor.h"

namespace maskscope::ops::create {

// The sizes, told by the first item of each level. Tensors inside a list are single elements.
Result<Shape> nested_shape(const Value& data);
// The dtype that holds every item: bool, int64, `default_dtype` for floats, and the dtypes of tensors.
Result<DType> nested_dtype(const Value& data, DType default_dtype);
// Writes the items into a contiguous tensor of that shape. Refuses ragged lists, and numbers that do not fit.
Result<void> store_nested(const Value& data, Tensor& out);
// Whether every tensor inside has data.
bool nested_has_data(const Value& data);

}  // namespace maskscope::ops::create
