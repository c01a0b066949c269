// SPDX-License-Identifier: Apache-2.0
// The four operations, quotients and remainders.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/binary_functors.h"
#include "core/ops/elementwise/rows.h"

namespace maskscope::ops {
namespace {

constexpr unsigned kMethods = kMethod | kInPlace;

bool is_bool(const Value& value) {
    return typed_of(value).dtype == DType::boolean;
}

Result<void> refuse_bool_difference(const Args& args) {
    if (is_bool(args[0]) && is_bool(args[1]))
        return torch_error("NotImplementedError",
                           "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
                           "`logical_xor()` operator instead.");
    if (is_bool(args[0]) || is_bool(args[1]))
        return torch_error("NotImplementedError",
                           "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
                           "invert a mask, use the `~` or `logical_not()` operator instead.");
    return {};
}

// Sums and differences: alpha is argument 2.
Result<Outputs> sum_output(const Args& args) {
    MS_TRY(out, (Pointwise<Add, 2>::output(args)));
    const DType common = out.front().dtype;
    if (cannot_be_stored(args, common)) return std::move(out);
    if (args[2].get_if<bool>() != nullptr && common != DType::boolean)
        return runtime_error("Boolean alpha only supported for Boolean results.");
    if (!is_floating(common) && !args[2].is_int())
        return runtime_error("For integral input tensors, argument alpha must not be a floating point number.");
    MS_CHECK(refuse_overflow(args[2], common));
    return std::move(out);
}

Result<Outputs> difference_output(const Args& args) {
    MS_CHECK(refuse_bool_difference(args));
    return sum_output(args);
}

template <class Plain>
Result<void> sum_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const bool plain = args[2].to_double() == 1;
    return plain ? Pointwise<Plain, 2>::kernel(args, outputs, run)
                 : Pointwise<AddScaled, 2>::kernel(args, outputs, run);
}

template <class Plain>
Overload sum(std::string_view signature, unsigned forms) {
    Overload out = pointwise<Plain, 2>(signature, forms);
    out.shape = std::is_same_v<Plain, Sub> ? &difference_output : &sum_output;
    out.kernel = &sum_kernel<Plain>;
    // add(input, alpha, other) of old, which listings leave out.
    out.traits |= kHasDeprecatedForm;
    return out;
}

// An integer divided by zero is an error that only the data shows.
template <class F>
Result<void> quotient_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    if (!is_floating(outputs[0].dtype()) && outputs[0].numel() > 0) {
        MS_TRY(zero, has_zero(args[1], outputs[0].dtype()));
        if (zero) return runtime_error("ZeroDivisionError");
    }
    return Pointwise<F, 2>::kernel(args, outputs, run);
}

template <class F>
Overload quotient(std::string_view signature, unsigned forms) {
    Overload out = pointwise<F, 2>(signature, forms);
    out.kernel = &quotient_kernel<F>;
    return out;
}

// Division with rounding_mode as argument 2.
enum class Rounding : std::uint8_t { none, trunc, floor };

Result<Rounding> rounding_of(const Args& args) {
    if (!args.given(2)) return Rounding::none;
    if (args.text(2) == "trunc") return Rounding::trunc;
    if (args.text(2) == "floor") return Rounding::floor;
    return runtime_error("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'",
                         args.text(2));
}

Result<Outputs> rounded_output(const Args& args) {
    MS_TRY(rounding, rounding_of(args));
    if (rounding == Rounding::none) return Pointwise<TrueDivide, 2>::output(args);
    if (rounding == Rounding::trunc) return Pointwise<TruncDivide, 2>::output(args);
    return Pointwise<FloorDivide, 2>::output(args);
}

Result<void> rounded_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(rounding, rounding_of(args));
    if (rounding == Rounding::none) return Pointwise<TrueDivide, 2>::kernel(args, outputs, run);
    if (rounding == Rounding::trunc) return quotient_kernel<TruncDivide>(args, outputs, run);
    return quotient_kernel<FloorDivide>(args, outputs, run);
}

Overload rounded(std::string_view signature, unsigned forms) {
    Overload out = pointwise<TrueDivide, 2>(signature, forms);
    out.shape = &rounded_output;
    out.kernel = &rounded_kernel;
    return out;
}

// number - x, as x.__rsub__(number).
Result<Value> reflected_difference(const Args& args, Run& run) {
    return run.call("sub", {args[1], args[0]}, {{"alpha", args[2]}});
}

// number / x: PyTorch multiplies by the reciprocal, which rounds twice.
Result<Value> reflected_quotient(const Args& args, Run& run) {
    MS_TRY(inverse, run.tensor("reciprocal", {args[0]}));
    return run.call("mul", {inverse, args[1]});
}

Result<Value> reflected_floor(const Args& args, Run& run) {
    return run.call("floor_divide", {args[1], args[0]});
}

Result<Value> reflected_remainder(const Args& args, Run& run) {
    return run.call("remainder", {args[1], args[0]});
}

void add_sums(OpTable& table) {
    add_row(table,
            {"add",
             "Sum with broadcasting. bool + bool is a logical or, not a count.",
             {"x + r", "torch.add(i, 2)", "m + m"},
             {}},
            {sum<Add>("(TensorOrScalar input, TensorOrScalar other, *, Scalar alpha=1, Tensor? out=None)", kFunction),
             sum<Add>("(Tensor input, TensorOrScalar other, *, Scalar alpha=1)", kMethods)});
    add_row(table,
            {"sub",
             "Difference with broadcasting. A bool operand is refused: use ~mask for 1 - mask.",
             {"x - r", "1 - i"},
             {}},
            {sum<Sub>("(TensorOrScalar input, TensorOrScalar other, *, Scalar alpha=1, Tensor? out=None)", kFunction),
             sum<Sub>("(Tensor input, TensorOrScalar other, *, Scalar alpha=1)", kMethods)});
    add_row(table, {"subtract", "The same as sub.", {"torch.subtract(x, r)"}, {}},
            {sum<Sub>("(TensorOrScalar input, TensorOrScalar other, *, Scalar alpha=1, Tensor? out=None)", kFunction),
             sum<Sub>("(Tensor input, Scalar other, Scalar alpha=1)", kFunction),
             sum<Sub>("(Tensor input, TensorOrScalar other, *, Scalar alpha=1)", kMethods),
             sum<Sub>("(Tensor input, Scalar other, Scalar alpha=1)", kMethods)});
    add_row(table, {"rsub", "other - x.", {"torch.rsub(x, 1)"}, {}},
            {composed("(Tensor input, Tensor other, *, Scalar alpha=1)", kFunction, reflected_difference),
             composed("(Tensor input, Scalar other, Scalar alpha=1)", kFunction, reflected_difference)});
}

void add_products(OpTable& table) {
    add_row(table,
            {"mul",
             "Product with broadcasting. A mask of 0 and 1 clears values, but 0 * inf and 0 * nan are NaN.",
             {"x * m", "2 * x"},
             {}},
            {pointwise<Mul, 2>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
             pointwise<Mul, 2>("(Tensor input, TensorOrScalar other)", kMethods)});
    add_row(table, {"multiply", "The same as mul.", {"torch.multiply(x, r)"}, {}},
            {pointwise<Mul, 2>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
             pointwise<Mul, 2>("(Tensor input, Scalar other)", kFunction),
             pointwise<Mul, 2>("(Tensor input, TensorOrScalar other)", kMethods),
             pointwise<Mul, 2>("(Tensor input, Scalar other)", kMethods)});
}

void add_quotients(OpTable& table) {
    const std::string_view div_meaning =
        "Quotient with broadcasting. Integers give float32 unless rounding_mode is 'trunc' or 'floor'; 0 / 0 is NaN.";
    add_row(
        table, {"div", div_meaning, {"x / r", "torch.div(i, 2, rounding_mode='floor')"}, {}},
        {pointwise<TrueDivide, 2>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
         rounded("(TensorOrScalar input, TensorOrScalar other, *, str? rounding_mode, Tensor? out=None)", kFunction),
         rounded("(Tensor input, Scalar other, *, str? rounding_mode)", kFunction),
         pointwise<TrueDivide, 2>("(Tensor input, TensorOrScalar other)", kMethods),
         rounded("(Tensor input, TensorOrScalar other, *, str? rounding_mode)", kMethods),
         rounded("(Tensor input, Scalar other, *, str? rounding_mode)", kMethods)});
    add_row(
        table, {"divide", div_meaning, {"torch.divide(x, r)"}, {}},
        {pointwise<TrueDivide, 2>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
         rounded("(TensorOrScalar input, TensorOrScalar other, *, str? rounding_mode, Tensor? out=None)", kFunction),
         pointwise<TrueDivide, 2>("(Tensor input, Scalar other)", kFunction),
         rounded("(Tensor input, Scalar other, *, str? rounding_mode)", kFunction),
         pointwise<TrueDivide, 2>("(Tensor input, TensorOrScalar other)", kMethods),
         rounded("(Tensor input, TensorOrScalar other, *, str? rounding_mode)", kMethods),
         pointwise<TrueDivide, 2>("(Tensor input, Scalar other)", kMethods),
         rounded("(Tensor input, Scalar other, *, str? rounding_mode)", kMethods)});
    add_row(table, {"true_divide", "Quotient; integers give float32.", {"torch.true_divide(i, 2)"}, {}},
            {pointwise<TrueDivide, 2>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
             pointwise<TrueDivide, 2>("(Tensor input, Scalar other)", kFunction),
             pointwise<TrueDivide, 2>("(Tensor input, TensorOrScalar other)", kMethods),
             pointwise<TrueDivide, 2>("(Tensor input, Scalar other)", kMethods)});
    add_row(table,
            {"floor_divide",
             "Quotient rounded down, as Python's //. Integers stay integers; by 0 they are refused.",
             {"i // 2", "x // r"},
             {}},
            {quotient<FloorDivide>("(TensorOrScalar input, TensorOrScalar other, *, Tensor? out=None)", kFunction),
             quotient<FloorDivide>("(Tensor input, Scalar other)", kFunction),
             quotient<FloorDivide>("(Tensor input, TensorOrScalar other)", kMethods),
             quotient<FloorDivide>("(Tensor input, Scalar other)", kMethods)});
}

void add_remainders(OpTable& table) {
    add_row(table,
            {"remainder", "Python's %: the result has the divisor's sign.", {"i % 2", "torch.remainder(x, r)"}, {}},
            {quotient<Remainder>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
             quotient<Remainder>("(Scalar self, Tensor other)", kFunction),
             quotient<Remainder>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
             quotient<Remainder>("(Tensor input, Tensor other)", kMethods),
             quotient<Remainder>("(Tensor input, Scalar other)", kMethods)});
    add_row(
        table,
        {"fmod", "C's remainder: the result has the dividend's sign.", {"torch.fmod(x, 2)", "torch.fmod(x, r)"}, {}},
        {quotient<Fmod>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
         quotient<Fmod>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
         quotient<Fmod>("(Tensor input, Tensor other)", kMethods),
         quotient<Fmod>("(Tensor input, Scalar other)", kMethods)});
}

}  // namespace

AddScaled AddScaled::from(const Args& args, DType) {
    // "sub", "subtract_": the difference.
    const bool minus = args.name().starts_with("sub");
    const auto whole = static_cast<std::uint64_t>(args[2].to_int());
    return {minus ? -args[2].to_double() : args[2].to_double(), static_cast<std::int64_t>(minus ? -whole : whole)};
}

void add_arithmetic(OpTable& table) {
    add_sums(table);
    add_products(table);
    add_quotients(table);
    add_remainders(table);
    const auto reflected = [&](std::string_view name, std::string_view meaning, std::string_view sample,
                               Composite composite) {
        add_row(table, {name, meaning, {sample}, {}},
                {composed("(Tensor input, TensorOrScalar other)", kInternal, composite)});
    };
    reflected("rtruediv", "other / x.", "2 / x", reflected_quotient);
    reflected("rfloordiv", "other // x.", "2 // x", reflected_floor);
    reflected("rremainder", "other % x.", "2 % x", reflected_remainder);
}

}  // namespace maskscope::ops
