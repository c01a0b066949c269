// SPDX-License-Identifier: Apache-2.0
// quantile and nanquantile, of other ops: sort, look up around q * (n - 1), interpolate.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/reduce/axes.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

// Parameters: input, q, dim, keepdim, interpolation, out.
Result<void> check(const Args& args) {
    const Value& q = args[1];
    if (!q.is_tensor() && !(q.to_double() >= 0 && q.to_double() <= 1))
        return runtime_error("quantile() q must be in the range [0, 1] but got {}", q.to_double());
    const auto& interpolation = args.text(4);
    constexpr std::array<std::string_view, 5> kKnown = {"linear", "lower", "higher", "midpoint", "nearest"};
    if (std::find(kKnown.begin(), kKnown.end(), interpolation) == kKnown.end())
        return runtime_error(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            "{}",
            interpolation);
    const Tensor& input = args.tensor(0);
    if (input.numel() == 0) return runtime_error("quantile() input tensor must be non-empty");
    if (q.is_tensor() && args.tensor(1).rank() > 1) return runtime_error("quantile() q must be a scalar or 1D tensor");
    if (input.dtype() != DType::f32 && input.dtype() != DType::f64)
        return runtime_error("quantile() input tensor must be either float or double dtype");
    if (q.is_tensor() && args.tensor(1).dtype() != input.dtype())
        return runtime_error("quantile() q tensor must be same dtype as the input tensor");
    if (args.given(2)) MS_CHECK(axis_of(input.rank(), args.integer(2)));
    if (!q.is_tensor() || !args.tensor(1).has_data()) return {};
    MS_TRY(values, args.tensor(1).contiguous());
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        const double value = values.dtype() == DType::f64 ? values.data_as<double>()[i] : values.data_as<float>()[i];
        if (!(value >= 0 && value <= 1)) return runtime_error("quantile() q values must be in the range [0, 1]");
    }
    return {};
}

// q as a 1-D tensor.
Result<VariablePtr> one_dimensional(const Args& args, Run& run) {
    if (args[1].is_tensor()) return run.tensor("reshape", {args[1], make_list({-1})});
    MS_TRY(single, run.allocate(Shape{1}, args.tensor(0).dtype()));
    store_number(args.number(1), single.dtype(), single.writable_data());
    return run.wrap(std::move(single));
}

// The elements sorted along a new last dim; the dims they come from have size 1.
Result<VariablePtr> sorted_lines(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    VariablePtr lines;
    if (args.given(2) && input.rank() > 0) {
        MS_TRY(axis, axis_of(input.rank(), args.integer(2)));
        MS_TRY(longer, run.tensor("unsqueeze", {args[0], -1}));
        MS_TRY(turned, run.tensor("transpose", {longer, axis, -1}));
        lines = turned;
    } else {
        std::vector<Value> shape(static_cast<std::size_t>(input.rank()), Value(1));
        shape.emplace_back(-1);
        MS_TRY(flat, run.tensor("reshape", {args[0], make_list(std::move(shape))}));
        lines = flat;
    }
    MS_TRY(sorted, run.call("sort", {lines}));
    return sorted.sequence()->front().tensor();
}

// Where in each sorted line the quantiles lie, counted from 0; NaN rows point at their NaN, at the end.
template <bool kIgnoreNan>
Result<VariablePtr> ranks_of(const VariablePtr& sorted, const VariablePtr& q, Run& run) {
    MS_TRY(is_nan, run.tensor("isnan", {sorted}));
    if constexpr (kIgnoreNan) {
        MS_TRY(is_number, run.tensor("logical_not", {is_nan}));
        MS_TRY(count, run.tensor("sum", {is_number, -1, true}));
        MS_TRY(last, run.tensor("sub", {count, 1}));
        MS_TRY(ranks, run.tensor("mul", {q, last}));
        return run.tensor("clamp_min", {ranks, 0});
    }
    const std::int64_t last = sorted->tensor.size(sorted->tensor.rank() - 1) - 1;
    MS_TRY(ranks, run.tensor("mul", {q, last}));
    MS_TRY(has_nan, run.tensor("any", {is_nan, -1, true}));
    // The mask has the lines' shape, q the quantiles': the fill broadcasts them together.
    return run.tensor("masked_fill", {ranks, has_nan, last});
}

Result<VariablePtr> looked_up(const VariablePtr& sorted, const VariablePtr& ranks, Run& run) {
    MS_TRY(places, run.tensor("to", {ranks, DType::i64}));
    return run.tensor("gather", {sorted, -1, places});
}

Result<VariablePtr> interpolated(const VariablePtr& sorted, const VariablePtr& ranks, const std::string& interpolation,
                                 Run& run) {
    if (interpolation == "nearest") {
        MS_TRY(nearest, run.tensor("round", {ranks}));
        return looked_up(sorted, nearest, run);
    }
    MS_TRY(below, run.tensor("floor", {ranks}));
    MS_TRY(above, run.tensor("ceil", {ranks}));
    if (interpolation == "higher") return looked_up(sorted, above, run);
    MS_TRY(lower, looked_up(sorted, below, run));
    if (interpolation == "lower") return lower;
    MS_TRY(upper, looked_up(sorted, above, run));
    if (interpolation == "midpoint") return run.tensor("lerp", {lower, upper, 0.5});
    MS_TRY(weight, run.tensor("sub", {ranks, below}));
    return run.tensor("lerp", {lower, upper, weight});
}

template <bool kIgnoreNan>
Result<Value> quantile(const Args& args, Run& run) {
    MS_CHECK(check(args));
    const int rank = args.tensor(0).rank();
    MS_TRY(q, one_dimensional(args, run));
    MS_TRY(sorted, sorted_lines(args, run));
    MS_TRY(ranks, ranks_of<kIgnoreNan>(sorted, q, run));
    MS_TRY(values, interpolated(sorted, ranks, args.text(4), run));
    // The quantiles are the last dim; the reduced ones before it have size 1.
    VariablePtr out = values;
    if (!args.flag(3) && rank > 0) {
        if (args.given(2)) {
            MS_TRY(axis, axis_of(rank, args.integer(2)));
            MS_TRY(squeezed, run.tensor("squeeze", {out, axis}));
            out = squeezed;
        } else {
            MS_TRY(flat, run.tensor("reshape", {out, make_list({-1})}));
            out = flat;
        }
    }
    const bool is_one = !args[1].is_tensor() || args.tensor(1).rank() == 0;
    MS_TRY(placed, is_one ? run.tensor("squeeze", {out, -1}) : run.tensor("movedim", {out, -1, 0}));
    placed->base = nullptr;  // nobody else sees the values: to PyTorch it is no view
    return Value(placed);
}

template <bool kIgnoreNan>
std::vector<Overload> overloads() {
    std::vector<Overload> out(2);
    out[0].signature =
        "(Tensor input, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor? "
        "out=None)";
    out[1].signature =
        "(Tensor input, float q, int? dim=None, bool keepdim=False, *, str interpolation=\"linear\", Tensor? out=None)";
    for (auto& overload : out) {
        overload.forms = kFunction | kMethod;
        overload.composite = quantile<kIgnoreNan>;
    }
    return out;
}

}  // namespace

void add_quantiles(OpTable& table) {
    table.add(
        {"quantile",
         "The values below which the shares q of the elements lie, interpolated between neighbours; several q come "
         "first in the result. NaN where there is one; float32 and float64 only.",
         overloads<false>(),
         {"x.quantile(0.5)", "torch.quantile(x, torch.tensor([0.25, 0.75]), dim=1)",
          "x.quantile(0.3, dim=0, keepdim=True, interpolation='nearest')"}});
    table.add({"nanquantile",
               "quantile of the elements that are not NaN; NaN where there are none.",
               overloads<true>(),
               {"x.nanquantile(0.5)", "torch.nanquantile(x, torch.tensor([0.25, 0.75]), dim=1)"}});
}

}  // namespace maskscope::ops
