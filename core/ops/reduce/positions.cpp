// SPDX-License-Identifier: Apache-2.0
// argmax, argmin and the forms of max and min that tell an index too.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/extreme_ops.h"
#include "core/ops/reduce/reducer.h"

namespace maskscope::ops {
namespace {

template <template <class, bool> class Op, bool kMax>
Result<void> reduce_by(const Tensor& input, const Axes& axes, std::span<Tensor> outputs, Run& run) {
    // Positions count in the order of the indices, not of memory.
    const auto& context = run.context();
    switch (compute_of(input.dtype())) {
        case Compute::f32:
            return reduce(input, axes, Order::logical, ReducerOf<Op<float, kMax>>({}), outputs, context);
        case Compute::f64:
            return reduce(input, axes, Order::logical, ReducerOf<Op<double, kMax>>({}), outputs, context);
        case Compute::i64:
            break;
    }
    return reduce(input, axes, Order::logical, ReducerOf<Op<std::int64_t, kMax>>({}), outputs, context);
}

Result<void> refuse_empty(const char* name, const Tensor& input, int axis) {
    if (input.rank() > 0 && input.size(axis) == 0)
        return index_error("{}(): Expected reduction dim {} to have non-zero size.", name, axis);
    return {};
}

// max(dim) and min(dim).
template <bool kMax>
Result<Outputs> pair_shape(const Args& args) {
    const char* name = kMax ? "max" : "min";
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    MS_CHECK(refuse_empty(name, input, axis));
    MS_CHECK(refuse_storage_only(kMax ? "max_cpu" : "min_cpu", input.dtype()));
    const Shape shape = reduced_shape(input.shape(), one_axis(input.rank(), axis), args.flag(2));
    return Outputs{{shape, input.dtype(), std::nullopt}, {shape, DType::i64, std::nullopt}};
}

template <bool kMax>
Result<void> pair_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    return reduce_by<ExtremeAndPosition, kMax>(input, one_axis(input.rank(), axis), outputs, run);
}

// argmax and argmin: of all elements the index counts as if the tensor were flattened.
Result<Axes> argument_axes(const Args& args) {
    const int rank = args.tensor(0).rank();
    if (!args.given(1)) return every_axis(rank);
    MS_TRY(axis, axis_of(rank, args.integer(1)));
    return one_axis(rank, axis);
}

template <bool kMax>
Result<Outputs> index_shape(const Args& args) {
    const char* name = kMax ? "argmax" : "argmin";
    const Tensor& input = args.tensor(0);
    if (input.dtype() == DType::boolean)
        return torch_error("NotImplementedError", "{}(): does not support bool input", name);
    MS_TRY(axes, argument_axes(args));
    if (args.given(1)) {
        MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
        MS_CHECK(refuse_empty(name, input, axis));
    } else if (input.numel() == 0) {
        return index_error("{}(): Expected reduction dim to be specified for input.numel() == 0.", name);
    }
    MS_CHECK(refuse_storage_only(kMax ? "argmax_cpu" : "argmin_cpu", input.dtype()));
    return Outputs{{reduced_shape(input.shape(), axes, args.flag(2)), DType::i64, std::nullopt}};
}

template <bool kMax>
Result<void> index_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(axes, argument_axes(args));
    return reduce_by<PositionOnly, kMax>(args.tensor(0), axes, outputs, run);
}

Overload overload_of(std::string_view signature, ShapeRule shape, Kernel kernel) {
    Overload overload;
    overload.signature = signature;
    overload.forms = kFunction | kMethod;
    overload.shape = shape;
    overload.kernel = kernel;
    overload.flops = input_flops;
    return overload;
}

constexpr std::string_view kIndexSignature = "(Tensor input, int? dim=None, bool keepdim=False, *, Tensor? out=None)";
constexpr std::string_view kPairSignature = "(Tensor input, int dim, bool keepdim=False, *, Tensor[]? out=None)";

}  // namespace

void add_positions(OpTable& table) {
    Overload largest = overload_of(kPairSignature, pair_shape<true>, pair_kernel<true>);
    largest.returns = {"values", "indices"};
    table.add({"max", "", {largest}, {"x.max(1)", "torch.max(x, dim=0, keepdim=True)", "m.max(1)"}});
    Overload smallest = overload_of(kPairSignature, pair_shape<false>, pair_kernel<false>);
    smallest.returns = {"values", "indices"};
    table.add({"min", "", {smallest}, {"x.min(1)", "torch.min(x, dim=0, keepdim=True)", "m.min(1)"}});
    table.add(
        {"argmax",
         "The index of the largest element, the first of equal ones; the first NaN where there is one. Without dim "
         "the index counts through the flattened tensor. Bools are refused: use .int().",
         {overload_of(kIndexSignature, index_shape<true>, index_kernel<true>)},
         {"x.argmax()", "x.argmax(1)", "torch.argmax(i, dim=0, keepdim=True)"}});
    table.add(
        {"argmin",
         "The index of the smallest element, the first of equal ones; the first NaN where there is one. Without dim "
         "the index counts through the flattened tensor. Bools are refused: use .int().",
         {overload_of(kIndexSignature, index_shape<false>, index_kernel<false>)},
         {"x.argmin()", "x.argmin(1)", "torch.argmin(i, dim=0, keepdim=True)"}});
}

}  // namespace maskscope::ops
