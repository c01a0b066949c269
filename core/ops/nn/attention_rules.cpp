// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/attention_rules.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/nn/product_rules.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <string>

namespace maskscope::ops {
namespace {

constexpr int kBatch = 0;

std::int64_t from_end(const Tensor& tensor, int place) {
    return tensor.size(tensor.rank() - place);
}

Shape without_last_two(const Tensor& tensor) {
    Shape out;
    for (int i = 0; i + 2 < tensor.rank(); ++i) out.push_back(tensor.size(i));
    return out;
}

Shape with_last_two(Shape batch, std::int64_t rows, std::int64_t columns) {
    batch.push_back(rows);
    batch.push_back(columns);
    return batch;
}

Result<void> check_dtypes(const AttentionArgs& args) {
    const Tensor& q = args.query->tensor;
    const Tensor& k = args.key->tensor;
    const Tensor& v = args.value->tensor;
    if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2)
        return runtime_error(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {} key.dim: {} and "
            "value.dim: {} instead.",
            q.rank(), k.rank(), v.rank());
    if (q.dtype() != k.dtype() || q.dtype() != v.dtype())
        return runtime_error(
            "Expected query, key, and value to have the same dtype, but got query.dtype: {} key.dtype: {} and "
            "value.dtype: {} instead.",
            cpp_type_name(q.dtype()), cpp_type_name(k.dtype()), cpp_type_name(v.dtype()));
    if (!args.mask) return {};
    if (args.is_causal)
        return runtime_error("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
    const DType mask = args.mask->tensor.dtype();
    if (mask != DType::boolean && mask != DType::f32 && mask != q.dtype())
        return runtime_error(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {} and  "
            "query.dtype: {} instead.",
            cpp_type_name(mask), cpp_type_name(q.dtype()));
    if (mask == DType::boolean && !is_floating(q.dtype()))
        return runtime_error("value cannot be converted to type {} without overflow",
                             q.dtype() == DType::i64 ? "int64_t" : cpp_type_name(q.dtype()));
    return {};
}

Result<void> check_groups(const AttentionArgs& args) {
    if (!args.is_grouped) return {};
    for (const auto* operand : {&args.query, &args.key, &args.value}) {
        const Tensor& tensor = (*operand)->tensor;
        if (tensor.rank() < 3) return dimension_out_of_range(tensor.rank(), -3);
    }
    const std::int64_t heads = from_end(args.query->tensor, 3);
    for (const auto* operand : {&args.key, &args.value}) {
        const std::int64_t shared = from_end((*operand)->tensor, 3);
        if (shared == 0 || heads % shared != 0)
            return runtime_error("Number of heads in key and value must divide the number of heads in query");
    }
    return {};
}

// The leading dims of keys or values as the queries see them: shared heads are repeated.
Shape batch_of(const AttentionArgs& args, const Tensor& tensor) {
    Shape out = without_last_two(tensor);
    if (args.is_grouped) out[out.rank() - 1] = from_end(args.query->tensor, 3);
    return out;
}

Result<void> check_product(const Shape& batch, std::int64_t rows, std::int64_t depth_a, std::int64_t depth_b,
                           std::int64_t columns) {
    if (depth_a == depth_b) return {};
    if (batch.empty())
        return runtime_error("mm: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", rows, depth_a, depth_b,
                             columns);
    const std::int64_t count = element_count(batch).value_or(0);
    return runtime_error("Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].",
                         count, depth_a, count, depth_b);
}

Result<void> check_mask(const AttentionArgs& args, const Shape& scores) {
    if (!args.mask) return {};
    const Shape& mask = args.mask->tensor.shape();
    if (args.query->tensor.rank() == 4) {
        if (mask.empty()) return index_error("Dimension specified as -2 but tensor has no dimensions");
        if (mask.rank() == 1) return dimension_out_of_range(1, -2);
    }
    // PyTorch sees 3-D operands as a batch of one.
    Shape whole = scores;
    if (whole.rank() == 3) whole.insert(0, 1);
    MS_TRY(both, broadcast_shapes(whole, mask));
    if (both == whole) return {};
    return runtime_error("output with shape {} doesn't match the broadcast shape {}", text_of(whole), text_of(both));
}

bool runs_along_memory(const Tensor& tensor) {
    return tensor.strides()[tensor.rank() - 1] == 1;
}

// What PyTorch asks before it takes its fused kernel.
bool is_for_fused(const AttentionArgs& args) {
    const Tensor& q = args.query->tensor;
    const Tensor& k = args.key->tensor;
    const Tensor& v = args.value->tensor;
    const int rank = q.rank();
    if ((rank != 4 && rank != 3) || k.rank() != rank || v.rank() != rank || args.dropout > 0) return false;
    const std::int64_t depth = from_end(q, 1);
    if (depth == 0 || from_end(k, 1) != depth || from_end(v, 1) != depth) return false;
    if (q.numel() == 0 || k.numel() == 0 || v.numel() == 0) return false;
    if (!runs_along_memory(q) || !runs_along_memory(k) || !runs_along_memory(v)) return false;
    if (rank == 4 && (q.size(kBatch) != k.size(kBatch) || q.size(kBatch) != v.size(kBatch))) return false;
    const std::int64_t heads = from_end(q, 3);
    const std::int64_t shared = from_end(k, 3);
    if (from_end(v, 3) != shared) return false;
    if (shared != heads && !args.is_grouped && shared != 1) return false;
    if (!args.mask) return true;
    const int mask_rank = args.mask->tensor.rank();
    return !args.mask->requires_grad && (rank == 3 || mask_rank == 2 || mask_rank == 4);
}

Result<void> check_dropout(const AttentionArgs& args, bool is_fused) {
    if (args.dropout > 1)
        return runtime_error("dropout probability has to be between 0 and 1, but got {}", args.dropout);
    if (is_fused && args.dropout != 0)
        return runtime_error("scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0");
    return {};
}

}  // namespace

Result<AttentionSizes> check_attention(const AttentionArgs& args) {
    MS_CHECK(check_dtypes(args));
    MS_CHECK(check_groups(args));
    const Tensor& q = args.query->tensor;
    const Tensor& k = args.key->tensor;
    const Tensor& v = args.value->tensor;
    AttentionSizes out;
    out.is_fused = is_for_fused(args);
    MS_TRY(batch, broadcast_shapes(without_last_two(q), batch_of(args, k)));
    if (!is_floating(q.dtype())) {
        if (q.rank() == 2)
            return runtime_error("expected m1 and m2 to have the same dtype, but got: float != {}",
                                 cpp_type_name(q.dtype()));
        return runtime_error("expected scalar type Float but found {}", scalar_type_name(q.dtype()));
    }
    if (size_of(q.dtype()) == 1) return not_implemented_for("mul_cpu_reduced_float", q.dtype());
    const std::int64_t length = from_end(q, 2);
    const std::int64_t keys = from_end(k, 2);
    MS_CHECK(check_product(batch, length, from_end(q, 1), from_end(k, 1), keys));
    out.scores = with_last_two(batch, length, keys);
    MS_CHECK(check_mask(args, out.scores));
    MS_CHECK(check_dropout(args, out.is_fused));
    MS_TRY(whole, broadcast_shapes(batch, batch_of(args, v)));
    MS_CHECK(check_product(whole, length, keys, from_end(v, 2), from_end(v, 1)));
    out.out = with_last_two(whole, length, from_end(v, 1));
    return out;
}

std::optional<Strides> attention_strides(const AttentionArgs& args, const AttentionSizes& sizes) {
    if (!sizes.is_fused) return std::nullopt;
    return preserved_strides(args.query->tensor);
}

}  // namespace maskscope::ops
