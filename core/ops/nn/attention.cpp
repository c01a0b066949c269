// SPDX-License-Identifier: Apache-2.0
// scaled_dot_product_attention: computed in one kernel, or step by step where a gradient or dropout is wanted.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/nn/attention_kernel.h"
#include "core/ops/nn/attention_rules.h"
#include "core/tensor/broadcast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace maskscope::ops {
namespace {

// Parameters of both ops below, in order.
enum Place : int { kQuery = 0, kKey, kValue, kMask, kDropout, kCausal, kScale, kGrouped };

std::int64_t from_end(const Tensor& tensor, int place) {
    return tensor.size(tensor.rank() - place);
}

AttentionArgs arguments(const Args& args) {
    AttentionArgs out;
    out.query = args.variable(kQuery);
    out.key = args.variable(kKey);
    out.value = args.variable(kValue);
    if (args.given(kMask)) out.mask = args.variable(kMask);
    out.dropout = args.number(kDropout);
    out.is_causal = args.flag(kCausal);
    out.is_grouped = args.flag(kGrouped);
    const Tensor& query = out.query->tensor;
    if (args.given(kScale)) {
        out.scale = args.number(kScale);
    } else if (query.rank() > 0 && from_end(query, 1) > 0) {
        out.scale = 1.0 / std::sqrt(static_cast<double>(from_end(query, 1)));
    }
    return out;
}

Result<Outputs> shape(const Args& args) {
    const AttentionArgs in = arguments(args);
    MS_TRY(sizes, check_attention(in));
    return Outputs{{sizes.out, in.query->tensor.dtype(), attention_strides(in, sizes)}};
}

Shape with_last_two(const Shape& like, std::int64_t rows, std::int64_t columns) {
    Shape out = like;
    out[out.rank() - 2] = rows;
    out[out.rank() - 1] = columns;
    return out;
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const AttentionArgs in = arguments(args);
    MS_TRY(sizes, check_attention(in));
    Attention job;
    const Shape& out = sizes.out;
    MS_TRY(query, expand(in.query->tensor, with_last_two(out, out[out.rank() - 2], from_end(in.query->tensor, 1))));
    job.query = query;
    job.key = in.key->tensor;
    job.value = in.value->tensor;
    if (in.mask) {
        Tensor mask = in.mask->tensor;
        while (mask.rank() > out.rank()) mask = mask.select(0, 0);
        MS_TRY(whole, expand(mask, with_last_two(out, out[out.rank() - 2], from_end(in.key->tensor, 2))));
        job.mask = whole;
    }
    job.out = outputs[0];
    job.scale = in.scale;
    job.is_causal = in.is_causal;
    job.is_fused = sizes.is_fused;
    return run_attention(job, run);
}

// Two products for each visible pair of query and key.
double flops(const Args& args, std::span<const OutSpec> outputs) {
    const Shape& out = outputs[0].shape;
    const auto rows = static_cast<double>(out[out.rank() - 2]);
    const auto keys = static_cast<double>(from_end(args.tensor(kKey), 2));
    double pairs = rows * keys;
    if (args.flag(kCausal)) {
        const double corner = std::min(rows, keys);
        pairs = corner * (corner + 1) / 2 + (rows - corner) * keys;
    }
    for (int i = 0; i + 2 < out.rank(); ++i) pairs *= static_cast<double>(out[i]);
    return 2 * pairs * static_cast<double>(from_end(args.tensor(kQuery), 1) + from_end(args.tensor(kValue), 1));
}

// --- step by step ---

Result<VariablePtr> repeated_heads(const VariablePtr& tensor, const AttentionArgs& in, Run& run) {
    const std::int64_t times = from_end(in.query->tensor, 3) / from_end(tensor->tensor, 3);
    if (!in.is_grouped || times == 1) return tensor;
    return run.tensor("repeat_interleave", {tensor, times, -3});
}

// 0 and -inf: what the mask adds.
Result<VariablePtr> additive_mask(const AttentionArgs& in, const VariablePtr& scores, Run& run) {
    VariablePtr keep = in.mask;
    // A batch of one before 3-D operands.
    while (keep && keep->tensor.rank() > scores->tensor.rank()) {
        MS_TRY(inner, run.tensor("select", {keep, 0, 0}));
        keep = inner;
    }
    if (in.is_causal) {
        const Value sizes = make_list({from_end(scores->tensor, 2), from_end(scores->tensor, 1)});
        MS_TRY(ones, run.tensor("ones", {sizes}, {{"dtype", DType::boolean}}));
        MS_TRY(lower, run.tensor("tril", {ones}));
        keep = lower;
    }
    if (!keep || keep->tensor.dtype() != DType::boolean) return keep;
    MS_TRY(zeros, run.tensor("zeros_like", {keep}, {{"dtype", scores->tensor.dtype()}}));
    MS_TRY(drop, run.tensor("logical_not", {keep}));
    return run.tensor("masked_fill", {zeros, drop, -std::numeric_limits<double>::infinity()});
}

// softmax with 0 instead of NaN where every key is masked. Such rows are emptied before and after, so that their
// gradient is 0 and not NaN.
Result<VariablePtr> softmax_of(const VariablePtr& scores, Run& run) {
    MS_TRY(hidden, run.tensor("eq", {scores, -std::numeric_limits<double>::infinity()}));
    MS_TRY(empty, run.tensor("all", {hidden, -1, true}));
    MS_TRY(safe, run.tensor("masked_fill", {scores, empty, 0.0}));
    MS_TRY(weights, run.tensor("softmax", {safe, -1}));
    return run.tensor("masked_fill", {weights, empty, 0.0});
}

// The fused kernel's layout, where another one came out.
Result<Value> in_layout(const VariablePtr& out, const std::optional<Strides>& strides, Run& run) {
    if (!strides || out->tensor.strides() == *strides) return Value(out);
    // From the largest stride to the smallest, and back.
    const int rank = out->tensor.rank();
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return (*strides)[a] > (*strides)[b]; });
    std::vector<Value> there;
    std::vector<Value> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        there.emplace_back(order[i]);
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    }
    MS_TRY(turned, run.tensor("permute", {out, make_list(there)}));
    MS_TRY(laid, run.tensor("contiguous", {turned}));
    MS_TRY(turned_back, run.tensor("permute", {laid, make_list(back)}));
    return Value(turned_back);
}

Result<Value> by_steps(const AttentionArgs& in, const AttentionSizes& sizes, Run& run) {
    MS_TRY(key, repeated_heads(in.key, in, run));
    MS_TRY(value, repeated_heads(in.value, in, run));
    MS_TRY(key_t, run.tensor("transpose", {key, -2, -1}));
    MS_TRY(product, run.tensor("matmul", {in.query, key_t}));
    MS_TRY(scores, run.tensor("mul", {product, in.scale}));
    MS_TRY(additive, additive_mask(in, scores, run));
    if (additive) {
        MS_TRY(masked, run.tensor("add", {scores, additive}));
        // A float32 mask does not make halves wider.
        MS_TRY(same, run.tensor("to", {masked, scores->tensor.dtype()}));
        scores = same;
    }
    MS_TRY(weights, softmax_of(scores, run));
    if (in.dropout > 0) {
        MS_TRY(dropped, run.tensor("dropout", {weights, in.dropout, true}));
        weights = dropped;
    }
    MS_TRY(out, run.tensor("matmul", {weights, value}));
    return in_layout(out, attention_strides(in, sizes), run);
}

bool wants_gradient(const AttentionArgs& in, const Run& run) {
    if (!run.grad_enabled) return false;
    return in.query->requires_grad || in.key->requires_grad || in.value->requires_grad ||
           (in.mask && in.mask->requires_grad);
}

Result<Value> attention(const Args& args, Run& run) {
    const AttentionArgs in = arguments(args);
    MS_TRY(sizes, check_attention(in));
    const bool has_uneven_groups = in.is_grouped && from_end(in.key->tensor, 3) != from_end(in.value->tensor, 3);
    if (in.dropout > 0 || has_uneven_groups || wants_gradient(in, run)) return by_steps(in, sizes, run);
    MS_TRY(out,
           run.tensor("_scaled_dot_product_attention", {args[kQuery], args[kKey], args[kValue], args[kMask],
                                                        args[kDropout], args[kCausal], args[kScale], args[kGrouped]}));
    // PyTorch computes rank 3 as rank 4 and takes the batch away again: a view.
    if (out->tensor.rank() == 3) return run.call("view_as", {out, out});
    return Value(out);
}

}  // namespace

void add_attention(OpTable& table) {
    table.add(
        {"scaled_dot_product_attention",
         "softmax(query @ key^T * scale + mask) @ value, without keeping the scores. A bool mask says True = may look, "
         "the opposite of masked_fill and nn.MultiheadAttention. is_causal is aligned at the top left, so one query "
         "against a cache of keys sees the first key only. A query that sees nothing gets 0; NaN in a masked value "
         "still comes through.",
         {composed("(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool "
                   "is_causal=False, *, float? scale=None, bool enable_gqa=False)",
                   kFunctional, attention)},
         {"F.scaled_dot_product_attention(x, y, y)", "F.scaled_dot_product_attention(x, y, y, attn_mask=m[:, :3])",
          "F.scaled_dot_product_attention(x, y, y, is_causal=True, scale=0.5)"}});
    table.add(
        {"_scaled_dot_product_attention",
         "The one kernel behind scaled_dot_product_attention. Blocks of keys that the mask or causality hides are not "
         "computed.",
         {computed(
             "(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, float dropout_p, bool is_causal, float? "
             "scale, bool enable_gqa)",
             kInternal, shape, kernel, 0, flops)},
         {}});
}

}  // namespace maskscope::ops
