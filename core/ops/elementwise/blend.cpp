// SPDX-License-Identifier: Apache-2.0
// Three operands in one step.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/binary_functors.h"
#include "core/ops/elementwise/rows.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// From the end that is nearer, so that weight 1 gives exactly `end`.
template <class T>
T blended(T start, T end, T weight) {
    const bool near_start = std::fabs(weight) < T(0.5);
    return std::fma(near_start ? weight : weight - T(1), end - start, near_start ? start : end);
}

// No promotion: the tensors must agree.
Result<void> refuse_other_dtypes(const Args& args) {
    const DType dtype = args.tensor(0).dtype();
    const auto refuse = [&](int operand, std::string_view name) -> Result<void> {
        if (!args[operand].is_tensor() || args.tensor(operand).dtype() == dtype) return {};
        return runtime_error("expected dtype {} for `{}` but got dtype {}", cpp_type_name(dtype), name,
                             cpp_type_name(args.tensor(operand).dtype()));
    };
    MS_CHECK(refuse(1, "end"));
    return refuse(2, "weight");
}

struct LerpTensor {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "lerp_kernel_tensor";
    static Result<void> check(const Args& args) { return refuse_other_dtypes(args); }
    template <class T>
    T operator()(T start, T end, T weight) const {
        return blended(start, end, weight);
    }
};

struct LerpNumber {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "lerp_kernel_scalar";
    double weight = 0;
    static Result<void> check(const Args& args) { return refuse_other_dtypes(args); }
    static LerpNumber from(const Args& args, DType) { return {args.number(2)}; }
    template <class T>
    T operator()(T start, T end) const {
        return blended(start, end, static_cast<T>(weight));
    }
};

// input + value * tensor1 * tensor2; value is argument 3.
struct AddProduct {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "addcmul_cpu_out";
    double value = 1;
    std::int64_t whole_value = 1;
    static AddProduct from(const Args& args, DType);
    template <class T>
    T operator()(T input, T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return Add()(input, Mul()(Mul()(whole_value, a), b));
        else
            return std::fma(static_cast<T>(value) * a, b, input);
    }
};

AddProduct AddProduct::from(const Args& args, DType) {
    return {args.number(3), cut_to(DType::i64, args[3])};
}

struct AddQuotient {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "addcdiv_cpu_out";
    double value = 1;
    static Result<void> check(const Args& args);
    static AddQuotient from(const Args& args, DType) { return {args.number(3)}; }
    template <class T>
    T operator()(T input, T a, T b) const {
        return input + static_cast<T>(value) * a / b;
    }
};

Result<void> AddQuotient::check(const Args& args) {
    if (is_floating(args.tensor(1).dtype()) || is_floating(args.tensor(2).dtype())) return {};
    return runtime_error(
        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
        "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
        "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) "
        "for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
        "tensor2), for all dtypes.");
}

}  // namespace

void add_blend(OpTable& table) {
    constexpr unsigned kMethods = kMethod | kInPlace;
    add_row(table,
            {"lerp",
             "From input (weight 0) to end (weight 1) on a straight line. All tensors must have one dtype.",
             {"torch.lerp(x, y, 0.3)", "torch.lerp(x, y, r)"},
             {}},
            {pointwise<LerpTensor, 3>("(Tensor input, Tensor end, Tensor weight, *, Tensor? out=None)", kFunction),
             pointwise<LerpNumber, 2>("(Tensor input, Tensor end, Scalar weight, *, Tensor? out=None)", kFunction),
             pointwise<LerpTensor, 3>("(Tensor input, Tensor end, Tensor weight)", kMethods),
             pointwise<LerpNumber, 2>("(Tensor input, Tensor end, Scalar weight)", kMethods)});
    add_row(table, {"addcmul", "input + value * tensor1 * tensor2.", {"torch.addcmul(x, y, r, value=0.5)"}, {}},
            {pointwise<AddProduct, 3>(
                 "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor? out=None)", kFunction),
             pointwise<AddProduct, 3>("(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", kMethods)});
    add_row(table,
            {"addcdiv",
             "input + value * tensor1 / tensor2. Integers are refused.",
             {"torch.addcdiv(x, y, r, value=0.5)"},
             {}},
            {pointwise<AddQuotient, 3>(
                 "(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor? out=None)", kFunction),
             pointwise<AddQuotient, 3>("(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)", kMethods)});
}

}  // namespace maskscope::ops
