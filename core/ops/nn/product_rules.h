// SPDX-License-Identifier: Apache-2.0
// What the products of matrices refuse, in PyTorch's words. Shapes come first, then dtypes: so does PyTorch.
#pragma once

#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/tensor.h"

#include <string_view>

namespace maskscope::ops {

// Has no arithmetic on the CPU: bool and the unsigned types above uint8.
bool has_no_products(DType dtype);

// m1 [M, K] @ m2 [K, N].
Result<void> check_mm(const Tensor& a, const Tensor& b);
// [B, M, K] @ [B, K, N], of which only the sizes that count are given; `name` is the kernel's.
struct BatchedSizes {
    std::int64_t batch_a = 0, depth_a = 0, batch_b = 0, depth_b = 0;
};
Result<void> check_bmm(const BatchedSizes& sizes, DType a, DType b, std::string_view name);
// mat [M, K] @ vec [K] + input [M].
struct VectorSizes {
    std::int64_t input = 0, rows = 0, depth = 0, vector = 0;
};
Result<void> check_mv(const VectorSizes& sizes, DType input, DType matrix, DType vector);
// Whether expand would take it there; alpha and beta of an integer result must be numbers that it holds.
Result<void> check_expand(const Tensor& tensor, const Shape& to);
Result<void> check_factor(const Value& factor, DType dtype);
Result<void> check_dot(const Tensor& a, const Tensor& b);
// The overloads with an out_dtype, which the CPU does not have.
Result<Outputs> refuse_out_dtype(const Args& args);

}  // namespace maskscope::ops
