// SPDX-License-Identifier: Apache-2.0
// Which dimensions a reduction takes away, and what is left: PyTorch's rules for dim= and keepdim=.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/tensor/dims.h"

#include <bitset>

namespace maskscope::ops {

using Axes = std::bitset<kMaxRank>;

// A dim in [-rank, rank) as one in [0, rank); 0-dim tensors take 0 and -1.
Result<int> axis_of(int rank, std::int64_t dim);
Axes every_axis(int rank);
// dim=None and an empty list mean all dims (sum, mean, amax); for any and all an empty list means none.
enum class EmptyList : std::uint8_t { all, none };
Result<Axes> axes_of(const Args& args, int parameter, int rank, EmptyList empty = EmptyList::all);
Axes one_axis(int rank, int axis);

Shape reduced_shape(const Shape& shape, const Axes& axes, bool keepdim);
// Elements that go into one output element.
std::int64_t reduced_count(const Shape& shape, const Axes& axes);

// One operation for each element that is read.
double input_flops(const Args& args, std::span<const OutSpec> outputs);
// bool to float64: all that PyTorch computes with. The others are refused by the name of torch's kernel.
Result<void> refuse_storage_only(std::string_view kernel, DType dtype);

}  // namespace maskscope::ops
