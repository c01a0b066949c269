// SPDX-License-Identifier: Apache-2.0
// What gather, scatter and the index_... ops do with the elements of their lines. `index` is int64; all tensors have at
// least one dim. Each returns false when an index was out of range (and passes that element over).
#pragma once

#include "core/ops/select/combine.h"
#include "core/ops/select/lines.h"

namespace maskscope::ops {

// out[..., k, ...] = self[..., index, ...]; out has the shape of the index.
bool gather_lines(const Tensor& self, const Tensor& index, const Tensor& out, int dim);
// self[..., index, ...] = source[..., k, ...], or combined with what stands there, in the order of k. Sums of float16
// and bfloat16 are rounded after each step.
bool scatter_lines(Combine how, const Tensor& self, const Tensor& index, const Tensor& source, int dim);
// The same, but float16 and bfloat16 are rounded once, at the end.
Result<bool> scatter_lines_in_float(Combine how, Tensor& self, const Tensor& index, const Tensor& source, int dim,
                                    Run& run);
// A tensor of the shape in which every element is that one.
Result<Tensor> repeated(const std::array<std::byte, 8>& element, DType dtype, const Shape& shape, Run& run);

}  // namespace maskscope::ops
