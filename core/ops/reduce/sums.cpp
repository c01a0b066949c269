// SPDX-License-Identifier: Apache-2.0
// sum, nansum, mean, nanmean, prod, count_nonzero.
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/reducer.h"
#include "core/ops/reduce/sum_ops.h"
#include "core/ops/reduce/summand.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// Overloads without dim have their dtype at place 1, the others dim, keepdim, dtype at 1, 2, 3.
Axes axes_in(const Args& args, bool has_dim) {
    const int rank = args.tensor(0).rank();
    if (!has_dim) return every_axis(rank);
    const auto axes = axes_of(args, 1, rank);
    return axes ? *axes : Axes();  // the shape rule has seen to it
}

template <bool kHasDim>
Result<Outputs> sum_shape(const Args& args) {
    constexpr int kDType = kHasDim ? 3 : 1;
    const Tensor& input = args.tensor(0);
    Axes axes = every_axis(input.rank());
    if constexpr (kHasDim) {
        MS_TRY(given, axes_of(args, 1, input.rank()));
        axes = given;
    }
    const DType dtype = sum_dtype(input.dtype(), args.dtype(kDType));
    MS_CHECK(refuse_storage_only("sum_cpu", dtype));
    MS_CHECK(refuse_storage_only("sum_cpu", input.dtype()));
    return Outputs{{reduced_shape(input.shape(), axes, kHasDim && args.flag(2)), dtype, std::nullopt}};
}

template <class Op>
Result<void> reduce_by(Op op, const Tensor& input, const Axes& axes, std::span<Tensor> outputs, Run& run) {
    return reduce(input, axes, Order::any, ReducerOf<Op>(op), outputs, run.context());
}

Result<void> sum_in(DType dtype, const Tensor& input, const Axes& axes, std::span<Tensor> outputs, Run& run) {
    if (input.dtype() == DType::boolean) return reduce_by(TruthCount(), input, axes, outputs, run);
    switch (compute_of(dtype)) {
        case Compute::f32:
            return reduce_by(Sum<float>(), input, axes, outputs, run);
        case Compute::f64:
            return reduce_by(Sum<double>(), input, axes, outputs, run);
        case Compute::i64:
            break;
    }
    return reduce_by(IntegerSum(), input, axes, outputs, run);
}

template <bool kHasDim>
Result<void> sum_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const DType dtype = outputs[0].dtype();
    MS_TRY(input, as_summand(args.tensor(0), dtype, run));
    return sum_in(dtype, input, axes_in(args, kHasDim), outputs, run);
}

// The same values with zeros for NaN, contiguous.
Result<Tensor> without_nan(const Tensor& input, Run& run) {
    MS_TRY(copy, run.allocate(input.shape(), DType::f64));
    copy_elements(input, copy);
    double* values = copy.writable_as<double>();
    for (std::int64_t i = 0; i < copy.numel(); ++i)
        if (std::isnan(values[i])) values[i] = 0;
    return std::move(copy);
}

Result<void> nansum_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& given = args.tensor(0);
    if (!is_floating(given.dtype())) return sum_kernel<true>(args, outputs, run);
    const Axes axes = axes_in(args, true);
    const DType dtype = outputs[0].dtype();
    if (!is_floating(dtype)) {
        // Each element is cut to an integer, NaN to 0.
        MS_TRY(finite, without_nan(given, run));
        MS_TRY(input, as_summand(finite, dtype, run));
        return sum_in(dtype, input, axes, outputs, run);
    }
    MS_TRY(input, as_summand(given, dtype, run));
    if (dtype == DType::f64) return reduce_by(Sum<double, NumberOrZero>(), input, axes, outputs, run);
    return reduce_by(Sum<float, NumberOrZero>(), input, axes, outputs, run);
}

template <bool kHasDim>
Result<Outputs> mean_shape(const Args& args) {
    const DType own = args.tensor(0).dtype();
    const auto wanted = args.dtype(kHasDim ? 3 : 1);
    if (!is_floating(wanted.value_or(own)))
        return torch_error("NotImplementedError",
                           "mean(): could not infer output dtype. {} dtype must be either a floating point or complex "
                           "dtype. Got: {}",
                           wanted ? "Optional" : "Input", scalar_type_name(wanted.value_or(own)));
    return sum_shape<kHasDim>(args);
}

template <bool kHasDim>
Result<void> mean_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Axes axes = axes_in(args, kHasDim);
    const DType dtype = outputs[0].dtype();
    MS_TRY(input, as_summand(args.tensor(0), dtype, run));
    const std::int64_t count = reduced_count(input.shape(), axes);
    if (dtype == DType::f64) return reduce_by(Mean<double>(count), input, axes, outputs, run);
    return reduce_by(Mean<float>(count), input, axes, outputs, run);
}

Result<Value> nanmean(const Args& args, Run& run) {
    const DType own = args.tensor(0).dtype();
    if (!is_floating(own))
        return torch_error("NotImplementedError",
                           "nanmean(): expected input to have floating point or complex dtype but got {}",
                           scalar_type_name(own));
    if (const auto wanted = args.dtype(3); wanted && !is_floating(*wanted))
        return runtime_error(
            "nanmean(): could not infer output dtype. Optional dtype must be either a floating point "
            "or complex dtype. Got: {}",
            scalar_type_name(*wanted));
    MS_TRY(sum, run.tensor("nansum", {args[0], args[1], args[2]}, {{"dtype", args[3]}}));
    MS_TRY(is_nan, run.tensor("isnan", {args[0]}));
    MS_TRY(is_number, run.tensor("logical_not", {is_nan}));
    MS_TRY(count, run.tensor("sum", {is_number, args[1], args[2]}));
    return run.call("div", {sum, count});
}

template <bool kHasDim>
Result<Outputs> prod_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    Axes axes = every_axis(input.rank());
    if constexpr (kHasDim) {
        MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
        axes = one_axis(input.rank(), axis);
    }
    const DType dtype = sum_dtype(input.dtype(), args.dtype(kHasDim ? 3 : 1));
    MS_CHECK(refuse_storage_only("prod_cpu", dtype));
    MS_CHECK(refuse_storage_only("prod_cpu", input.dtype()));
    return Outputs{{reduced_shape(input.shape(), axes, kHasDim && args.flag(2)), dtype, std::nullopt}};
}

template <bool kHasDim>
Result<void> prod_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Axes axes = axes_in(args, kHasDim);
    const DType dtype = outputs[0].dtype();
    MS_TRY(input, as_summand(args.tensor(0), dtype, run));
    switch (compute_of(dtype)) {
        case Compute::f32:
            return reduce_by(Product<float>(), input, axes, outputs, run);
        case Compute::f64:
            return reduce_by(Product<double>(), input, axes, outputs, run);
        case Compute::i64:
            break;
    }
    return reduce_by(Product<std::int64_t>(), input, axes, outputs, run);
}

Result<Outputs> count_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axes, axes_of(args, 1, input.rank()));
    return Outputs{{reduced_shape(input.shape(), axes, false), DType::i64, std::nullopt}};
}

Result<void> count_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return reduce_by(TruthCount(), args.tensor(0), axes_in(args, true), outputs, run);
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

}  // namespace

void add_sums(OpTable& table) {
    table.add(
        {"sum",
         "Adds the elements up, along the dims or all of them. Integers and bools give int64, so the sum of a mask "
         "counts its True; the sum of nothing is 0.",
         {reduction("(Tensor input, *, ScalarType? dtype=None)", sum_shape<false>, sum_kernel<false>),
          reduction("(Tensor input, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None)",
                    sum_shape<true>, sum_kernel<true>)},
         {"x.sum()", "x.sum(0)", "torch.sum(x, dim=(0, 1), keepdim=True)", "m.sum(-1)", "i.sum(dtype=torch.float32)"}});
    table.add({"nansum",
               "The sum with NaN counted as 0.",
               {reduction("(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? "
                          "out=None)",
                          sum_shape<true>, nansum_kernel)},
               {"x.nansum()", "torch.nansum(x, 1)", "i.nansum(0, keepdim=True)"}});
    table.add(
        {"mean",
         "The sum divided by the number of elements. Bools and integers are refused (give dtype= or count with "
         "sum); the mean of nothing is NaN, and padded zeros count as elements.",
         {reduction("(Tensor input, *, ScalarType? dtype=None, Tensor? out=None)", mean_shape<false>,
                    mean_kernel<false>),
          reduction("(Tensor input, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None)",
                    mean_shape<true>, mean_kernel<true>)},
         {"x.mean()", "x.mean(1)", "torch.mean(x, (0, 1), keepdim=True)", "m.mean(dtype=torch.float32)"}});
    Overload mean_of_numbers;
    mean_of_numbers.signature =
        "(Tensor input, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None)";
    mean_of_numbers.forms = kFunction | kMethod;
    mean_of_numbers.composite = nanmean;
    table.add({"nanmean",
               "The mean of the elements that are not NaN; NaN where there are none.",
               {mean_of_numbers},
               {"x.nanmean()", "torch.nanmean(x, 1, keepdim=True)"}});
    table.add({"prod",
               "Multiplies the elements; one dim at most. Integers and bools give int64; the product of nothing is 1.",
               {reduction("(Tensor input, *, ScalarType? dtype=None)", prod_shape<false>, prod_kernel<false>),
                reduction("(Tensor input, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None)",
                          prod_shape<true>, prod_kernel<true>)},
               {"x.prod()", "torch.prod(x, 1)", "m.prod(0, keepdim=True)"}});
    table.add({"count_nonzero",
               "How many elements are not zero; NaN is not zero.",
               {reduction("(Tensor input, int? dim=None)", count_shape, count_kernel),
                reduction("(Tensor input, int[] dim)", count_shape, count_kernel)},
               {"x.count_nonzero()", "torch.count_nonzero(m, 1)", "torch.count_nonzero(x, (0, 1))"}});
}

}  // namespace maskscope::ops
