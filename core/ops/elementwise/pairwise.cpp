// SPDX-License-Identifier: Apache-2.0
// The larger and the smaller of two, and functions of two numbers that have names of their own.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/binary_functors.h"
#include "core/ops/elementwise/rows.h"

namespace maskscope::ops {
namespace {

// Both operands are tensors; a Python number is refused.
template <class F>
void pair_op(OpTable& table, const Row& row, unsigned method_forms) {
    add_row(table, row,
            {pointwise<F, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
             pointwise<F, 2>("(Tensor input, Tensor other)", method_forms)});
}

constexpr unsigned kMethods = kMethod | kInPlace;

}  // namespace

Result<void> Heaviside::check(const Args& args) {
    if (args.tensor(0).dtype() == args.tensor(1).dtype()) return {};
    return runtime_error("heaviside is not yet implemented for tensors with different dtypes.");
}

void add_pairwise(OpTable& table) {
    pair_op<Maximum>(
        table,
        {"maximum",
         "The larger of two elements; NaN where either is NaN. Takes tensors only: for a number use clamp.",
         {"torch.maximum(x, r)"},
         {}},
        kMethod);
    pair_op<Minimum>(
        table,
        {"minimum",
         "The smaller of two elements; NaN where either is NaN. Takes tensors only: for a number use clamp.",
         {"torch.minimum(x, r)"},
         {}},
        kMethod);
    pair_op<Fmax>(table, {"fmax", "The larger of two elements; where one is NaN, the other.", {"torch.fmax(x, r)"}, {}},
                  kMethod);
    pair_op<Fmin>(table,
                  {"fmin", "The smaller of two elements; where one is NaN, the other.", {"torch.fmin(x, r)"}, {}},
                  kMethod);
    pair_op<Atan2>(table,
                   {"atan2",
                    "Angle of the point (other, input) in radians, in all four quadrants.",
                    {"torch.atan2(x, r)"},
                    {"arctan2"}},
                   kMethods);
    pair_op<Hypot>(table, {"hypot", "Length of the hypotenuse.", {"torch.hypot(x, r)"}, {}}, kMethods);
    pair_op<LogAddExp>(table, {"logaddexp", "log(exp(a) + exp(b)) without overflow.", {"torch.logaddexp(x, r)"}, {}},
                       kMethod);
    pair_op<LogAddExp2>(table, {"logaddexp2", "log2(2**a + 2**b) without overflow.", {"torch.logaddexp2(x, r)"}, {}},
                        kMethod);
    add_row(table,
            {"xlogy",
             "x * log(other), and 0 where x is 0 (unless other is NaN).",
             {"torch.xlogy(x, r)", "torch.xlogy(2, x)"},
             {}},
            {pointwise<Xlogy, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
             pointwise<Xlogy, 2>("(Scalar self, Tensor other, *, Tensor? out=None)", kFunction),
             pointwise<Xlogy, 2>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
             pointwise<Xlogy, 2>("(Tensor input, Tensor other)", kMethods),
             pointwise<Xlogy, 2>("(Tensor input, Scalar other)", kMethods)});
    add_row(
        table,
        {"copysign", "The size of x with the sign of other.", {"torch.copysign(x, r)", "torch.copysign(x, -1)"}, {}},
        {pointwise<Copysign, 2>("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction),
         pointwise<Copysign, 2>("(Tensor input, Scalar other, *, Tensor? out=None)", kFunction),
         pointwise<Copysign, 2>("(Tensor input, Tensor other)", kMethods),
         pointwise<Copysign, 2>("(Tensor input, Scalar other)", kMethods)});
    add_row(table, {"heaviside", "0 below zero, 1 above, `values` at zero.", {"torch.heaviside(x, r)"}, {}},
            {pointwise<Heaviside, 2>("(Tensor input, Tensor values, *, Tensor? out=None)", kFunction),
             pointwise<Heaviside, 2>("(Tensor input, Tensor values)", kMethods)});
}

}  // namespace maskscope::ops
