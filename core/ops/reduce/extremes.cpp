// SPDX-License-Identifier: Apache-2.0
// amax, amin, aminmax and the whole-tensor and two-tensor forms of max and min.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/extreme_ops.h"
#include "core/ops/reduce/reducer.h"

namespace maskscope::ops {
namespace {

template <bool kMax>
Result<void> reduce_to_extreme(const Tensor& input, const Axes& axes, std::span<Tensor> outputs, Run& run) {
    const auto& context = run.context();
    switch (compute_of(input.dtype())) {
        case Compute::f32:
            return reduce(input, axes, Order::any, ReducerOf<Extreme<float, kMax>>({}), outputs, context);
        case Compute::f64:
            return reduce(input, axes, Order::any, ReducerOf<Extreme<double, kMax>>({}), outputs, context);
        case Compute::i64:
            break;
    }
    return reduce(input, axes, Order::any, ReducerOf<Extreme<std::int64_t, kMax>>({}), outputs, context);
}

Error no_dim_for_empty(const char* name) {
    return runtime_error(
        "{}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
        "with the 'dim' argument.",
        name);
}

// amax and amin: "(Tensor input, int[1]? dim=(), bool keepdim=False)".
template <bool kMax>
Result<Outputs> several_shape(const Args& args) {
    const char* name = kMax ? "amax" : "amin";
    const Tensor& input = args.tensor(0);
    const bool all = !args.given(1) || args.integers(1).empty();
    if (all && input.numel() == 0) return no_dim_for_empty(name);
    MS_TRY(axes, axes_of(args, 1, input.rank()));
    // An extreme of nothing does not exist. The dim is told as it was written.
    if (input.numel() == 0)
        for (const auto dim : args.integers(1))
            if (input.size(static_cast<int>(dim < 0 ? dim + input.rank() : dim)) == 0)
                return index_error("{}(): Expected reduction dim {} to have non-zero size.", name, dim);
    MS_CHECK(refuse_storage_only(kMax ? "max_values_cpu" : "min_values_cpu", input.dtype()));
    return Outputs{{reduced_shape(input.shape(), axes, args.flag(2)), input.dtype(), std::nullopt}};
}

template <bool kMax>
Result<void> several_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(axes, axes_of(args, 1, args.tensor(0).rank()));
    return reduce_to_extreme<kMax>(args.tensor(0), axes, outputs, run);
}

template <bool kMax>
Result<Outputs> whole_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    if (input.numel() == 0) return no_dim_for_empty(kMax ? "max" : "min");
    MS_CHECK(refuse_storage_only(kMax ? "max_all" : "min_all", input.dtype()));
    return Outputs{{Shape(), input.dtype(), std::nullopt}};
}

template <bool kMax>
Result<void> whole_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return reduce_to_extreme<kMax>(args.tensor(0), every_axis(args.tensor(0).rank()), outputs, run);
}

template <bool kMax>
Result<Value> of_two(const Args& args, Run& run) {
    return run.call(kMax ? "maximum" : "minimum", {args[0], args[1]});
}

Result<Axes> both_axes(const Args& args) {
    const int rank = args.tensor(0).rank();
    if (!args.given(1)) return every_axis(rank);
    MS_TRY(axis, axis_of(rank, args.integer(1)));
    return one_axis(rank, axis);
}

Result<Outputs> both_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axes, both_axes(args));
    if (input.numel() == 0 && !args.given(1))
        return runtime_error(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
    for (int i = 0; i < input.rank(); ++i)
        if (axes.test(static_cast<std::size_t>(i)) && input.size(i) == 0)
            return index_error("aminmax: Expected reduction dim {} to have non-zero size.", i);
    MS_CHECK(refuse_storage_only("aminmax_cpu", input.dtype()));
    const OutSpec out{reduced_shape(input.shape(), axes, args.flag(2)), input.dtype(), std::nullopt};
    return Outputs{out, out};
}

Result<void> both_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(axes, both_axes(args));
    MS_CHECK(reduce_to_extreme<false>(args.tensor(0), axes, outputs.first(1), run));
    return reduce_to_extreme<true>(args.tensor(0), axes, outputs.last(1), run);
}

Overload reduction(std::string_view signature, ShapeRule shape, Kernel kernel) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction | kMethod;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = input_flops;
    return overload;
}

template <bool kMax>
std::vector<Overload> whole_and_two() {
    Overload two;
    two.signature = "(Tensor input, Tensor other, *, Tensor? out=None)";
    two.forms = kFunction | kMethod;
    two.composite = of_two<kMax>;
    return {reduction("(Tensor input, *, Tensor? out=None)", whole_shape<kMax>, whole_kernel<kMax>), two};
}

}  // namespace

void add_extremes(OpTable& table) {
    table.add(
        {"amax",
         "The largest element along the dims or of all, without its index; NaN where there is one. Of nothing it is "
         "refused. Equal largest elements share the gradient.",
         {reduction("(Tensor input, int[1]? dim=(), bool keepdim=False, *, Tensor? out=None)", several_shape<true>,
                    several_kernel<true>)},
         {"x.amax()", "x.amax(1)", "torch.amax(x, (0, 1), keepdim=True)"}});
    table.add(
        {"amin",
         "The smallest element along the dims or of all, without its index; NaN where there is one. Of nothing it "
         "is refused. Equal smallest elements share the gradient.",
         {reduction("(Tensor input, int[1]? dim=(), bool keepdim=False, *, Tensor? out=None)", several_shape<false>,
                    several_kernel<false>)},
         {"x.amin()", "x.amin(1)", "torch.amin(x, (0, 1), keepdim=True)"}});
    Overload both =
        reduction("(Tensor input, *, int? dim=None, bool keepdim=False, Tensor[]? out=None)", both_shape, both_kernel);
    both.returns = {"min", "max"};
    table.add({"aminmax",
               "The smallest and the largest element at once, along one dim or of all.",
               {both},
               {"x.aminmax()", "torch.aminmax(x, dim=0, keepdim=True)"}});
    table.add(
        {"max",
         "The largest element; along a dim also its index (the first of equal ones, the first NaN); with a second "
         "tensor the larger of each pair.",
         whole_and_two<true>(),
         {"x.max()", "torch.max(x, y)"}});
    table.add(
        {"min",
         "The smallest element; along a dim also its index (the first of equal ones, the first NaN); with a second "
         "tensor the smaller of each pair.",
         whole_and_two<false>(),
         {"x.min()", "torch.min(x, y)"}});
}

}  // namespace maskscope::ops
