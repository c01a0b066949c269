// SPDX-License-Identifier: Apache-2.0
// Questions about each element, and the repair of what is not finite.
#include "core/ops/elementwise/rows.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace maskscope::ops {
namespace {

// `test` of a floating-point x; what integers answer without being asked.
#define MS_PREDICATE(Functor, test, of_integer, stub) \
    struct Functor {                                  \
        static constexpr Takes kTakes = Takes::all;   \
        static constexpr const char* kStub = stub;    \
        template <class T>                            \
        bool operator()([[maybe_unused]] T x) const { \
            if constexpr (std::is_integral_v<T>)      \
                return of_integer;                    \
            else                                      \
                return test;                          \
        }                                             \
    }
MS_PREDICATE(IsNan, std::isnan(x), false, "isnan_cpu");
MS_PREDICATE(IsInf, std::fabs(x) == std::numeric_limits<T>::infinity(), false, "isinf_cpu");
MS_PREDICATE(IsFinite, std::fabs(x) <= std::numeric_limits<T>::max(), true, "isfinite_cpu");
MS_PREDICATE(IsPosInf, x == std::numeric_limits<T>::infinity(), false, "isposinf_cpu");
MS_PREDICATE(IsNegInf, x == -std::numeric_limits<T>::infinity(), false, "isneginf_cpu");
MS_PREDICATE(IsReal, true, true, "isreal_cpu");
MS_PREDICATE(Signbit, std::signbit(x), x < 0, "signbit_cpu");
#undef MS_PREDICATE

struct NanToNum {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "nan_to_num";
    static constexpr bool kKeepsStrides = true;
    double nan = 0;
    double posinf = 0;
    double neginf = 0;
    static NanToNum from(const Args& args, DType common) {
        const double largest = largest_finite(common);
        return {args.given(1) ? args.number(1) : 0.0, args.given(2) ? args.number(2) : largest,
                args.given(3) ? args.number(3) : -largest};
    }
    template <class T>
    T operator()(T x) const {
        if constexpr (std::is_integral_v<T>)
            return x;
        else {
            const T below = x == -std::numeric_limits<T>::infinity() ? static_cast<T>(neginf) : x;
            const T above = x == std::numeric_limits<T>::infinity() ? static_cast<T>(posinf) : below;
            return std::isnan(x) ? static_cast<T>(nan) : above;
        }
    }
};

// Where nothing is computed, PyTorch makes the result by empty_like.
template <class F>
Result<Outputs> predicate_output(const Args& args) {
    MS_TRY(out, (Pointwise<F, 1>::output(args)));
    const Tensor& self = args.tensor(0);
    const bool is_made = std::is_same_v<F, IsReal> || (!is_floating(self.dtype()) && !std::is_same_v<F, IsNan>);
    if (is_made) out.front().strides = preserved_strides(self);
    return std::move(out);
}

template <class F>
void predicate(OpTable& table, const Row& row) {
    Overload overload = pointwise<F, 1>("(Tensor input)", kFunction | kMethod);
    overload.shape = &predicate_output<F>;
    add_row(table, row, {overload});
}

template <class F>
void predicate_with_out(OpTable& table, const Row& row) {
    unary_op<F>(table, row, kMethod);
}

}  // namespace

void add_predicates(OpTable& table) {
    predicate<IsNan>(table, {"isnan", "True where the element is NaN; nowhere in integers.", {"x.isnan()"}, {}});
    predicate<IsInf>(table, {"isinf", "True where the element is inf or -inf.", {"x.isinf()"}, {}});
    predicate<IsFinite>(table,
                        {"isfinite", "True where the element is neither NaN nor infinite.", {"x.isfinite()"}, {}});
    predicate<IsReal>(table,
                      {"isreal", "True everywhere: complex tensors are not among ours.", {"torch.isreal(x)"}, {}});
    predicate_with_out<IsPosInf>(table, {"isposinf", "True where the element is inf.", {"torch.isposinf(x)"}, {}});
    predicate_with_out<IsNegInf>(
        table, {"isneginf", "True where the element is -inf: what an additive mask hides.", {"torch.isneginf(x)"}, {}});
    predicate_with_out<Signbit>(table,
                                {"signbit", "True where the sign is set, -0.0 included.", {"torch.signbit(x)"}, {}});
    add_row(
        table,
        {"nan_to_num",
         "Replaces NaN by 0 and the infinities by the largest numbers of the dtype. After a fully masked "
         "softmax it mends the forward pass, not the gradient.",
         {"x.nan_to_num()", "torch.nan_to_num(x, nan=1.0, posinf=2.0)"},
         {}},
        {pointwise<NanToNum, 1>(
             "(Tensor input, float? nan=None, float? posinf=None, float? neginf=None, *, Tensor? out=None)", kFunction),
         pointwise<NanToNum, 1>("(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)",
                                kMethod | kInPlace)});
}

}  // namespace maskscope::ops
