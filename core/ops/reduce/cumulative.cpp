// SPDX-License-Identifier: Apache-2.0
// cumsum, cumprod, logcumsumexp.
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/reduce/axes.h"
#include "core/ops/reduce/scan.h"
#include "core/ops/reduce/summand.h"

#include <cmath>
#include <string>

namespace maskscope::ops {
namespace {

// Floating states are double, as torch's are for float32; integers wrap.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, double>;

template <class T>
struct RunningSum {
    using Value = T;
    using State = Wide<T>;
    State start() const { return 0; }
    T join(State& state, T value) const {
        state += static_cast<State>(value);
        return static_cast<T>(state);
    }
};

template <class T>
struct RunningProduct {
    using Value = T;
    using State = Wide<T>;
    State start() const { return 1; }
    T join(State& state, T value) const {
        state *= static_cast<State>(value);
        return static_cast<T>(state);
    }
};

template <class T>
struct RunningLogSumExp {
    using Value = T;
    using State = double;
    State start() const { return -HUGE_VAL; }
    T join(State& state, T value) const {
        const auto other = static_cast<double>(value);
        if (std::isnan(state) || std::isnan(other)) {
            state = std::nan("");
        } else {
            const double larger = state < other ? other : state;
            const double smaller = state < other ? state : other;
            // Equal infinities have no difference.
            state = larger == smaller && std::isinf(larger) ? larger : larger + std::log1p(std::exp(smaller - larger));
        }
        return static_cast<T>(state);
    }
};

// cumsum and cumprod: input, dim, dtype, out.
Result<Outputs> shape_named(const Args& args, const char* kernel) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(axis_of(input.rank(), args.integer(1)));
    const auto wanted = args.dtype(2);
    if (args.in_place() && wanted && *wanted != input.dtype())
        return runtime_error("Bad in-place call: input tensor dtype {} and output tensor dtype {} should match",
                             cpp_type_name(input.dtype()), cpp_type_name(*wanted));
    const DType dtype = args.in_place() ? input.dtype() : sum_dtype(input.dtype(), wanted);
    if (dtype == DType::boolean && input.rank() > 0 && input.numel() > 0) return not_implemented_for(kernel, dtype);
    MS_CHECK(refuse_storage_only(kernel, dtype));
    MS_CHECK(refuse_storage_only(kernel, input.dtype()));
    return Outputs{{input.shape(), dtype, std::nullopt}};
}
Result<Outputs> sum_shape(const Args& args) {
    return shape_named(args, "cumsum_out_cpu");
}
Result<Outputs> product_shape(const Args& args) {
    return shape_named(args, "cumprod_out_cpu");
}

template <template <class> class Op>
Result<void> running_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const DType dtype = outputs[0].dtype();
    MS_TRY(input, as_summand(args.tensor(0), dtype, run));
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    switch (compute_of(dtype)) {
        case Compute::f32:
            return scan(input, axis, ScannerOf<Op<float>>(), outputs, run.context());
        case Compute::f64:
            return scan(input, axis, ScannerOf<Op<double>>(), outputs, run.context());
        case Compute::i64:
            break;
    }
    return scan(input, axis, ScannerOf<Op<std::int64_t>>(), outputs, run.context());
}

Result<Outputs> log_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_CHECK(axis_of(input.rank(), args.integer(1)));
    if (!is_floating(input.dtype())) return not_implemented_for("logcumsumexp_out_cpu", input.dtype());
    return Outputs{{input.shape(), input.dtype(), std::nullopt}};
}

Result<void> log_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(axis, axis_of(input.rank(), args.integer(1)));
    if (input.dtype() == DType::f64)
        return scan(input, axis, ScannerOf<RunningLogSumExp<double>>(), outputs, run.context());
    return scan(input, axis, ScannerOf<RunningLogSumExp<float>>(), outputs, run.context());
}

Overload overload_of(std::string_view signature, unsigned forms, ShapeRule shape, Kernel kernel) {
    Overload overload;
    overload.signature = signature;
    overload.forms = forms;
    overload.shape = shape;
    overload.kernel = kernel;
    return overload;
}

constexpr std::string_view kSignature = "(Tensor input, int dim, *, ScalarType? dtype=None, Tensor? out=None)";

}  // namespace

void add_cumulative(OpTable& table) {
    table.add(
        {"cumsum",
         "Running sums along a dim: the cumsum of a mask numbers its True. Integers and bools give int64, in place "
         "they keep their dtype and wrap.",
         {overload_of(kSignature, kFunction | kMethod | kInPlace, sum_shape, running_kernel<RunningSum>)},
         {"x.cumsum(1)", "torch.cumsum(m, dim=-1)", "i.cumsum(0, dtype=torch.float32)", "x.clone().cumsum_(0)"}});
    table.add(
        {"cumprod",
         "Running products along a dim: the cumprod of a mask stays 1 up to its first False. Integers and bools give "
         "int64.",
         {overload_of(kSignature, kFunction | kMethod | kInPlace, product_shape, running_kernel<RunningProduct>)},
         {"x.cumprod(1)", "torch.cumprod(m, dim=-1)", "x.clone().cumprod_(0)"}});
    table.add(
        {"logcumsumexp",
         "log of the running sums of exp(x) along a dim, without overflow.",
         {overload_of("(Tensor input, int dim, *, Tensor? out=None)", kFunction | kMethod, log_shape, log_kernel)},
         {"x.logcumsumexp(1)", "torch.logcumsumexp(x, dim=0)"}});
}

}  // namespace maskscope::ops
