// SPDX-License-Identifier: Apache-2.0
// The batched matrix product under matmul, bmm, addmm and einsum.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::ops {

// out = beta * add + alpha * (a @ b). All four have any strides; batch dims are already those of `out` (a repeated one
// has stride 0 and is read in place). Halves are computed in float and rounded once; integers wrap, with alpha and beta
// cut to integers. With beta 0, `add` is not read: its NaN stays out.
struct Product {
    Tensor a;                   // [..., M, K]
    Tensor b;                   // [..., K, N]
    Tensor out;                 // [..., M, N]
    std::optional<Tensor> add;  // [..., M, N]
    double alpha = 1;
    double beta = 1;
};
Result<void> run_product(const Product& product, Run& run);

// 2 M N K for each matrix of the batch; `depth` is K.
inline double product_flops(const OutSpec& out, std::int64_t depth) {
    double flops = 2.0 * static_cast<double>(depth);
    for (const auto size : out.shape) flops *= static_cast<double>(size);
    return flops;
}

}  // namespace maskscope::ops
