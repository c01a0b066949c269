// SPDX-License-Identifier: Apache-2.0
// sort, argsort, msort, topk. Equal elements land where torch puts them: a stable sort keeps their order, the others
// run the same algorithms of the standard library over the same comparisons.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/keys.h"
#include "core/ops/reduce/lines.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace maskscope::ops {
namespace {

struct SortOrder {
    std::int64_t dim = -1;
    bool descending = false;
    bool stable = false;
};

// sort and argsort: "(input, *, stable, dim, descending)" and "(input, dim, descending)".
template <bool kStableNamed>
SortOrder order_in(const Args& args) {
    if constexpr (kStableNamed) return {args.integer(2), args.flag(3), args.flag(1)};
    return {args.integer(1), args.flag(2), false};
}

// Long lines of integers are sorted by radix in torch, which is stable.
bool sorts_by_radix(const Tensor& input, bool descending) {
    constexpr std::int64_t kLong = 32768;
    return input.rank() == 1 && input.numel() >= kLong && !descending && is_integer(input.dtype());
}

// Indices are output kIndices; an output 0 before them takes the values.
template <std::size_t kIndices>
Result<void> sort_lines(const Tensor& input, SortOrder order, std::span<Tensor> outputs, Run& run) {
    MS_TRY(axis, axis_of(input.rank(), order.dim));
    const bool stable = order.stable || sorts_by_radix(input, order.descending);
    const auto& context = run.context();
    return for_each_line(input, axis, outputs, context, [&](std::span<const Line> lines) {
        std::vector<Ranked> ranked(static_cast<std::size_t>(lines.front().size));
        for (const auto& line : lines) {
            if (context.cancelled()) return;
            load_ranked(line.in, input.dtype(), line.in_step, line.size, order.descending, ranked.data());
            if (stable)
                std::sort(ranked.begin(), ranked.end(), by_key_and_index);
            else
                std::sort(ranked.begin(), ranked.end(), by_key);
            for (std::int64_t i = 0; i < line.size; ++i) {
                const std::int64_t from = ranked[static_cast<std::size_t>(i)].index;
                if constexpr (kIndices == 1) copy_element(line, from, i, size_of(input.dtype()));
                put_index(line, kIndices, i, from);
            }
        }
    });
}

template <bool kStableNamed, bool kValues>
Result<Outputs> sort_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(axis_of(input.rank(), order_in<kStableNamed>(args).dim));
    MS_CHECK(refuse_storage_only("sort_cpu", input.dtype()));
    const Strides strides = preserved_strides(input);
    const OutSpec indices{input.shape(), DType::i64, strides};
    if constexpr (kValues) return Outputs{{input.shape(), input.dtype(), strides}, indices};
    return Outputs{indices};
}

template <bool kStableNamed, bool kValues>
Result<void> sort_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return sort_lines < kValues ? 1 : 0 > (args.tensor(0), order_in<kStableNamed>(args), outputs, run);
}

double sort_flops(const Args& args, std::span<const OutSpec> /*outputs*/) {
    const auto count = static_cast<double>(args.tensor(0).numel());
    return count * std::max(1.0, std::log2(count + 1));
}

Result<Value> msort(const Args& args, Run& run) {
    MS_TRY(sorted, run.call("sort", {args[0], 0}));
    return sorted.sequence()->front();
}

// topk: input, k, dim, largest, sorted.
Result<Outputs> topk_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
    const std::int64_t k = args.integer(1);
    if (k < 0 || k > (input.rank() > 0 ? input.size(axis) : 1)) return runtime_error("selected index k out of range");
    if (input.dtype() == DType::boolean)
        return torch_error("NotImplementedError", "topk does not support bool dtypes on CPU");
    MS_CHECK(refuse_storage_only("topk_cpu", input.dtype()));
    Shape shape = input.shape();
    if (shape.rank() > 0) shape[axis] = k;
    return Outputs{{shape, input.dtype(), std::nullopt}, {shape, DType::i64, std::nullopt}};
}

void select_top(std::vector<Ranked>& ranked, std::int64_t k, bool sorted) {
    const auto size = static_cast<std::int64_t>(ranked.size());
    const auto first = ranked.begin();
    // A few of many: a heap of k.
    if (k * 64 <= size) {
        std::partial_sort(first, first + k, ranked.end(), by_key);
        return;
    }
    std::nth_element(first, first + k - 1, ranked.end(), by_key);
    if (sorted) std::sort(first, first + k - 1, by_key);
}

Result<void> topk_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
    // Of a 0-dim tensor torch gives the element whatever k is.
    const std::int64_t k = input.rank() == 0 ? 1 : args.integer(1);
    if (k == 0) return {};
    const bool largest = args.flag(3);
    const bool sorted = args.flag(4);
    const auto& context = run.context();
    return for_each_line(input, axis, outputs, context, [&](std::span<const Line> lines) {
        std::vector<Ranked> ranked(static_cast<std::size_t>(lines.front().size));
        for (const auto& line : lines) {
            if (context.cancelled()) return;
            load_ranked(line.in, input.dtype(), line.in_step, line.size, largest, ranked.data());
            select_top(ranked, k, sorted);
            for (std::int64_t i = 0; i < k; ++i) {
                const std::int64_t from = ranked[static_cast<std::size_t>(i)].index;
                copy_element(line, from, i, size_of(input.dtype()));
                put_index(line, 1, i, from);
            }
        }
    });
}

template <bool kStableNamed, bool kValues>
Overload sort_overload(std::string_view signature) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction | kMethod;
    overload.shape = sort_shape<kStableNamed, kValues>;
    overload.kernel = sort_kernel<kStableNamed, kValues>;
    overload.flops = sort_flops;
    if (kValues) overload.returns = {"values", "indices"};
    return overload;
}

}  // namespace

void add_sorting(OpTable& table) {
    table.add({"sort",
               "Sorts along a dim (the last unless told otherwise) and tells where each element was. NaN counts as "
               "largest; equal elements keep their order only with stable=True.",
               {sort_overload<true, true>(
                    "(Tensor input, *, bool? stable, int dim=-1, bool descending=False, Tensor[]? out=None)"),
                sort_overload<false, true>("(Tensor input, int dim=-1, bool descending=False, *, Tensor[]? out=None)")},
               {"x.sort()", "torch.sort(x, dim=0, descending=True)", "i.sort(stable=True, dim=1)"}});
    table.add(
        {"argsort",
         "The indices that would sort along a dim; argsort of an argsort gives ranks. Equal elements keep their order "
         "only with stable=True.",
         {sort_overload<true, false>(
              "(Tensor input, *, bool stable, int dim=-1, bool descending=False, Tensor? out=None)"),
          sort_overload<false, false>("(Tensor input, int dim=-1, bool descending=False)")},
         {"x.argsort()", "torch.argsort(x, dim=0, descending=True)", "x.argsort().argsort()",
          "i.argsort(stable=True, dim=1)"}});
    Overload first_dim;
    first_dim.signature = "(Tensor input, *, Tensor? out=None)";
    first_dim.forms = kFunction | kMethod;
    first_dim.composite = msort;
    table.add({"msort", "Sorts along the first dim, values only.", {first_dim}, {"x.msort()", "torch.msort(x)"}});
    Overload top;
    top.signature = "(Tensor input, int k, int dim=-1, bool largest=True, bool sorted=True, *, Tensor[]? out=None)";
    top.forms = kFunction | kMethod;
    top.shape = topk_shape;
    top.kernel = topk_kernel;
    top.flops = sort_flops;
    top.returns = {"values", "indices"};
    table.add(
        {"topk",
         "The k largest (or smallest) elements along a dim and their indices, in order. NaN counts as largest; which "
         "of several equal elements are taken is not defined.",
         {top},
         {"x.topk(2)", "torch.topk(x, 1, dim=0)", "x.topk(2, largest=False, sorted=False)"}});
}

}  // namespace maskscope::ops
