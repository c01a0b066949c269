// SPDX-License-Identifier: Apache-2.0
// The functions of one number that calculus has names for: floating out, whatever goes in.
#include "core/ops/elementwise/rows.h"
#include "core/ops/elementwise/unary_functors.h"

namespace maskscope::ops {

void add_unary(OpTable& table) {
    unary_op<Exp>(table, {"exp",
                          "e to the power of each element. float32 overflows to inf above 88.7, float16 above 11.",
                          {"x.exp()", "torch.exp(i)"},
                          {}});
    unary_op<Exp2>(table, {"exp2", "2 to the power of each element.", {"torch.exp2(x)"}, {}});
    unary_op<Expm1>(table, {"expm1", "exp(x) - 1 without losing digits where x is near 0.", {"torch.expm1(x)"}, {}});
    unary_op<Log>(table, {"log",
                          "Natural logarithm: -inf at 0, NaN below. log of a 0/1 mask turns it into an additive one.",
                          {"x.abs().log()", "torch.log(m)"},
                          {}});
    unary_op<Log2>(table, {"log2", "Logarithm to base 2.", {"torch.log2(x)"}, {}});
    unary_op<Log10>(table, {"log10", "Logarithm to base 10.", {"torch.log10(x)"}, {}});
    unary_op<Log1p>(table, {"log1p", "log(1 + x) without losing digits where x is near 0.", {"torch.log1p(x)"}, {}});
    unary_op<Sqrt>(table, {"sqrt",
                           "Square root; NaN below 0. Its gradient at 0 is inf, which a mask afterwards turns to NaN.",
                           {"x.sqrt()"},
                           {}});
    unary_op<Rsqrt>(table, {"rsqrt", "1 / sqrt(x); inf at 0.", {"torch.rsqrt(x)"}, {}});
    unary_op<Reciprocal>(table, {"reciprocal", "1 / x; inf at 0. Integers become float32.", {"x.reciprocal()"}, {}});
    unary_op<Sin>(table, {"sin", "Sine of an angle in radians.", {"x.sin()"}, {}});
    unary_op<Cos>(table, {"cos", "Cosine of an angle in radians.", {"x.cos()"}, {}});
    unary_op<Tan>(table, {"tan", "Tangent of an angle in radians.", {"torch.tan(x)"}, {}});
    unary_op<Asin>(table, {"asin", "Angle whose sine is x; NaN outside [-1, 1].", {"torch.asin(x)"}, {"arcsin"}});
    unary_op<Acos>(table, {"acos", "Angle whose cosine is x; NaN outside [-1, 1].", {"torch.acos(x)"}, {"arccos"}});
    unary_op<Atan>(table, {"atan", "Angle whose tangent is x.", {"torch.atan(x)"}, {"arctan"}});
    unary_op<Sinh>(table, {"sinh", "Hyperbolic sine.", {"torch.sinh(x)"}, {}});
    unary_op<Cosh>(table, {"cosh", "Hyperbolic cosine.", {"torch.cosh(x)"}, {}});
    unary_op<Tanh>(table, {"tanh", "Hyperbolic tangent: everything between -1 and 1.", {"x.tanh()"}, {}});
    unary_op<Asinh>(table, {"asinh", "Inverse of the hyperbolic sine.", {"torch.asinh(x)"}, {"arcsinh"}});
    unary_op<Acosh>(table,
                    {"acosh", "Inverse of the hyperbolic cosine; NaN below 1.", {"torch.acosh(x)"}, {"arccosh"}});
    unary_op<Atanh>(
        table, {"atanh", "Inverse of the hyperbolic tangent; NaN outside [-1, 1].", {"torch.atanh(x)"}, {"arctanh"}});
    unary_op<Sigmoid>(table, {"sigmoid", "1 / (1 + exp(-x)): a probability from a logit.", {"x.sigmoid()"}, {}});
    unary_op<Erf>(table, {"erf", "Error function of the normal distribution.", {"torch.erf(x)"}, {}});
    unary_op<Erfc>(table, {"erfc", "1 - erf(x), with all digits where that is small.", {"torch.erfc(x)"}, {}});
    unary_op<Lgamma>(table, {"lgamma", "Logarithm of the size of the gamma function.", {"torch.lgamma(x)"}, {}});
    unary_op<Digamma>(table, {"digamma", "Derivative of lgamma.", {"torch.digamma(x)"}, {}});
    unary_op<Scaled<1>>(table, {"deg2rad", "Degrees to radians.", {"torch.deg2rad(x)"}, {}});
    unary_op<Scaled<0>>(table, {"rad2deg", "Radians to degrees.", {"torch.rad2deg(x)"}, {}});
}

}  // namespace maskscope::ops
