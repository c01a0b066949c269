// SPDX-License-Identifier: Apache-2.0
// Powers. Fixed exponents that have a shorter way take it, as in PyTorch: the digits differ.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/binary_functors.h"
#include "core/ops/elementwise/rows.h"
#include "core/ops/loops/copy.h"

namespace maskscope::ops {
namespace {

struct Square {
    static constexpr Takes kTakes = Takes::all;
    template <class T>
    T operator()(T x) const {
        return Mul()(x, x);
    }
};

struct Cube {
    static constexpr Takes kTakes = Takes::all;
    template <class T>
    T operator()(T x) const {
        return Mul()(Mul()(x, x), x);
    }
};

struct CubeOfHalves : Rounded {
    template <class T>
    T operator()(T x) const {
        return near(x * x) * x;
    }
};

struct InverseSquare {
    static constexpr Takes kTakes = Takes::floating;
    template <class T>
    T operator()(T x) const {
        return T(1) / (x * x);
    }
};

bool is_number(const Value& value, double number) {
    return value.is_number() && value.to_double() == number;
}

Result<Outputs> power_output(const Args& args) {
    const Value& exponent = args[1];
    if (exponent.is_int() && exponent.to_int() < 0 && !is_floating(typed_of(args[0]).dtype))
        return runtime_error("Integers to negative integer powers are not allowed.");
    MS_TRY(out, (Pointwise<Pow, 2>::output(args)));
    const DType common = out.front().dtype;
    MS_CHECK(refuse_overflow(exponent, common));
    const bool is_fixed = is_number(exponent, 0) || is_number(exponent, 1);
    if (common == DType::boolean && !is_fixed) return not_implemented_for(Pow::kStub, common);
    // PyTorch does not carry the order of memory through here.
    if (args[0].is_number()) out.front().strides.reset();
    return std::move(out);
}

template <class F>
Result<void> fixed_power(const Value& base, DType common, Tensor& out, Run& run, F functor = F()) {
    return sweep(Pointwise<F, 1>::loops(), {std::span(&base, 1), common, &functor, false}, out, run.context());
}

Result<void> fill_with_one(Tensor& out) {
    std::array<std::byte, sizeof(std::int64_t)> one{};
    store_number(std::int64_t{1}, out.dtype(), one.data());
    fill_elements(out, one.data());
    return {};
}

Result<void> power_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs[0];
    const Value& base = args[0];
    const Value& exponent = args[1];
    const DType common = out.dtype();
    if (is_number(base, 1) || is_number(exponent, 0)) return fill_with_one(out);
    if (is_number(exponent, 1)) {
        copy_elements(args.tensor(0), out);
        return {};
    }
    if (is_number(exponent, 2)) return fixed_power<Square>(base, common, out, run);
    if (is_number(exponent, 3) && common == DType::bf16)
        return fixed_power(base, common, out, run, CubeOfHalves{{common}});
    if (is_number(exponent, 3)) return fixed_power<Cube>(base, common, out, run);
    if (is_floating(common)) {
        if (is_number(exponent, 0.5)) return fixed_power<Sqrt>(base, common, out, run);
        // float16 takes the long way here: of -inf it gives 0, where 1 / sqrt(x) is NaN.
        if (is_number(exponent, -0.5) && common != DType::f16) return fixed_power<Rsqrt>(base, common, out, run);
        if (is_number(exponent, -1)) return fixed_power<Reciprocal>(base, common, out, run);
        if (is_number(exponent, -2)) return fixed_power<InverseSquare>(base, common, out, run);
    }
    return Pointwise<Pow, 2>::kernel(args, outputs, run);
}

Overload power(std::string_view signature, unsigned forms) {
    Overload out = pointwise<Pow, 2>(signature, forms);
    out.shape = &power_output;
    out.kernel = &power_kernel;
    return out;
}

// bool squares to int64: the 2 of x ** 2 is an int.
Result<Value> square(const Args& args, Run& run) {
    return run.call("pow", {args[0], 2});
}

Result<Value> reflected_power(const Args& args, Run& run) {
    return run.call("pow", {args[1], args[0]});
}

}  // namespace

void add_power(OpTable& table) {
    add_row(table,
            {"pow",
             "x to the power of the exponent, with broadcasting. Integers stay integers (and wrap), so that a negative "
             "exponent is refused.",
             {"x ** 2", "x ** 0.5", "torch.pow(2, i)", "x.abs() ** r"},
             {}},
            {power("(Tensor input, Tensor exponent, *, Tensor? out=None)", kFunction),
             power("(Scalar self, Tensor exponent, *, Tensor? out=None)", kFunction),
             power("(Tensor input, Scalar exponent, *, Tensor? out=None)", kFunction),
             power("(Tensor input, Tensor exponent)", kMethod | kInPlace),
             power("(Tensor input, Scalar exponent)", kMethod | kInPlace)});
    add_row(table, {"square", "x * x; bool gives int64.", {"x.square()"}, {}},
            {composed("(Tensor input, *, Tensor? out=None)", kFunction, square),
             composed("(Tensor input)", kMethod | kInPlace, square)});
    add_row(table, {"rpow", "other ** x.", {"2 ** x"}, {}},
            {composed("(Tensor input, TensorOrScalar other)", kInternal, reflected_power)});
}

}  // namespace maskscope::ops
