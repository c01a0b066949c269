// SPDX-License-Identifier: Apache-2.0
// Values held between bounds, which are numbers or tensors.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/binary_functors.h"
#include "core/ops/elementwise/rows.h"

#include <cmath>
#include <limits>

namespace maskscope::ops {
namespace {

struct Bounds {
    Value low;  // None: no bound
    Value high;
};

// clamp(input, min, max), clamp_min(input, min) and clamp_max(input, max) in one.
Bounds bounds_of(const Args& args) {
    if (args.count() > 2 && !args.name().starts_with("clamp_m")) return {args[1], args[2]};
    if (args.name().starts_with("clamp_max")) return {Value(), args[1]};
    return {args[1], Value()};
}

struct ClampNumbers {
    static constexpr Takes kTakes = Takes::numbers;
    double low = 0;
    double high = 0;
    std::int64_t whole_low = 0;
    std::int64_t whole_high = 0;
    bool nan = false;

    static ClampNumbers from(const Bounds& bounds) {
        constexpr double kInf = std::numeric_limits<double>::infinity();
        ClampNumbers out;
        out.low = bounds.low.is_none() ? -kInf : bounds.low.to_double();
        out.high = bounds.high.is_none() ? kInf : bounds.high.to_double();
        out.whole_low = bounds.low.is_none() ? std::numeric_limits<std::int64_t>::min() : bounds.low.to_int();
        out.whole_high = bounds.high.is_none() ? std::numeric_limits<std::int64_t>::max() : bounds.high.to_int();
        out.nan = std::isnan(out.low) || std::isnan(out.high);
        return out;
    }
    template <class T>
    T operator()(T x) const {
        if constexpr (std::is_integral_v<T>) {
            const T raised = x < whole_low ? whole_low : x;
            return raised > whole_high ? whole_high : raised;
        } else {
            if (nan) return std::numeric_limits<T>::quiet_NaN();
            const T raised = x < static_cast<T>(low) ? static_cast<T>(low) : x;
            return raised > static_cast<T>(high) ? static_cast<T>(high) : raised;
        }
    }
};

// NaN where any of the three is NaN.
struct ClampTensors {
    static constexpr Takes kTakes = Takes::all;
    template <class T>
    T operator()(T x, T low, T high) const {
        return Minimum()(Maximum()(x, low), high);
    }
};

std::string_view stub_of(const Bounds& bounds) {
    if (bounds.high.is_none()) return "clamp_min_scalar_cpu";
    return bounds.low.is_none() ? "clamp_max_scalar_cpu" : "clamp_scalar_cpu";
}

std::array<Value, 3> with_bounds(const Args& args, const Bounds& bounds) {
    return {args[0], bounds.low.is_none() ? bounds.high : bounds.low, bounds.high};
}

// self with the bounds that are given.
std::size_t operand_count(const Bounds& bounds) {
    return bounds.low.is_none() || bounds.high.is_none() ? 2 : 3;
}

Result<void> refuse_no_bounds(const Bounds& bounds) {
    if (!bounds.low.is_none() || !bounds.high.is_none()) return {};
    return runtime_error("torch.clamp: At least one of 'min' or 'max' must not be None");
}

Result<Outputs> numbers_output(const Args& args) {
    const Bounds bounds = bounds_of(args);
    MS_CHECK(refuse_no_bounds(bounds));
    const auto operands = with_bounds(args, bounds);
    MS_TRY(dtype, compute_dtype(std::span(operands.data(), operand_count(bounds)), Takes::all, stub_of(bounds)));
    if (args.in_place() && !can_cast(dtype, args.tensor(0).dtype()))
        return runtime_error("result type {} can't be cast to the desired output type {}", scalar_type_name(dtype),
                             cpp_type_name(args.tensor(0).dtype()));
    if (dtype == DType::boolean) return not_implemented_for(stub_of(bounds), dtype);
    MS_CHECK(check_bounds(bounds.low, bounds.high, dtype));
    return elementwise_output(std::span(operands.data(), 1), dtype);
}

Result<void> numbers_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const auto functor = ClampNumbers::from(bounds_of(args));
    const Value& self = args[0];
    return sweep(Pointwise<ClampNumbers, 1>::loops(), {std::span(&self, 1), outputs[0].dtype(), &functor, false},
                 outputs[0], run.context());
}

Result<Outputs> tensors_output(const Args& args) {
    const Bounds bounds = bounds_of(args);
    MS_CHECK(refuse_no_bounds(bounds));
    const auto operands = with_bounds(args, bounds);
    const bool both = operand_count(bounds) == 3;
    return elementwise_output(args, std::span(operands.data(), operand_count(bounds)),
                              both ? Takes::numbers : Takes::all, "clamp_cpu", false);
}

Result<void> tensors_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Bounds bounds = bounds_of(args);
    const auto operands = with_bounds(args, bounds);
    const Sweep plan{std::span(operands.data(), operand_count(bounds)), outputs[0].dtype(), nullptr, false};
    if (bounds.high.is_none()) return sweep(Pointwise<Maximum, 2>::loops(), plan, outputs[0], run.context());
    if (bounds.low.is_none()) return sweep(Pointwise<Minimum, 2>::loops(), plan, outputs[0], run.context());
    return sweep(Pointwise<ClampTensors, 3>::loops(), plan, outputs[0], run.context());
}

Overload by_numbers(std::string_view signature, unsigned forms) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.shape = &numbers_output;
    out.kernel = &numbers_kernel;
    out.traits = kElementwise;
    return out;
}

Overload by_tensors(std::string_view signature, unsigned forms) {
    Overload out = by_numbers(signature, forms);
    out.shape = &tensors_output;
    out.kernel = &tensors_kernel;
    return out;
}

}  // namespace

void add_clamp(OpTable& table) {
    constexpr unsigned kMethods = kMethod | kInPlace;
    add_row(table,
            {"clamp",
             "Holds values between min and max, either of which may be left out. Where min is above max the result is "
             "max; NaN stays NaN.",
             {"x.clamp(0, 1)", "x.clamp(min=0.5)", "torch.clamp(x, max=r)", "torch.clamp(x, r, r)"},
             {"clip"}},
            {by_tensors("(Tensor input, Tensor? min=None, Tensor? max=None, *, Tensor? out=None)", kFunction),
             by_numbers("(Tensor input, Scalar? min=None, Scalar? max=None, *, Tensor? out=None)", kFunction),
             by_tensors("(Tensor input, Tensor? min=None, Tensor? max=None)", kMethods),
             by_numbers("(Tensor input, Scalar? min=None, Scalar? max=None)", kMethods)});
    add_row(table, {"clamp_min", "Raises what is below min to it.", {"x.clamp_min(0)", "torch.clamp_min(x, r)"}, {}},
            {by_tensors("(Tensor input, Tensor min, *, Tensor? out=None)", kFunction),
             by_numbers("(Tensor input, Scalar min, *, Tensor? out=None)", kFunction),
             by_tensors("(Tensor input, Tensor min)", kMethods), by_numbers("(Tensor input, Scalar min)", kMethods)});
    add_row(table, {"clamp_max", "Lowers what is above max to it.", {"x.clamp_max(0)", "torch.clamp_max(x, r)"}, {}},
            {by_tensors("(Tensor input, Tensor max, *, Tensor? out=None)", kFunction),
             by_numbers("(Tensor input, Scalar max, *, Tensor? out=None)", kFunction),
             by_tensors("(Tensor input, Tensor max)", kMethods), by_numbers("(Tensor input, Scalar max)", kMethods)});
}

}  // namespace maskscope::ops
