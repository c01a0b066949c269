// SPDX-License-Identifier: Apache-2.0
// Signs, sizes and whole numbers.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/rows.h"
#include "core/ops/elementwise/unary_functors.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// To `decimals` places: scaled, rounded to even, scaled back.
struct RoundDecimals {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "round_cpu";
    double ten_power = 1;
    bool before_point = false;
    static RoundDecimals from(const Args& args, DType) {
        const std::int64_t decimals = args.integer(1);
        return {std::pow(10.0, std::fabs(static_cast<double>(decimals))), decimals < 0};
    }
    template <class T>
    T operator()(T x) const {
        const T power = static_cast<T>(ten_power);
        return before_point ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
    }
};

Result<Outputs> decimals_output(const Args& args) {
    if (args.integer(1) != 0) return Pointwise<RoundDecimals, 1>::output(args);
    MS_TRY(out, (Pointwise<RoundToEven, 1>::output(args)));
    if (!is_floating(out.front().dtype)) return not_implemented_for(RoundToEven::kStub, out.front().dtype);
    return std::move(out);
}

Overload round_decimals(std::string_view signature, unsigned forms) {
    Overload out = pointwise<RoundDecimals, 1>(signature, forms);
    out.shape = &decimals_output;
    return out;
}

Result<Value> positive(const Args& args, Run&) {
    if (args.tensor(0).dtype() == DType::boolean)
        return torch_error("NotImplementedError", "The `+` operator, on a bool tensor is not supported.");
    return args[0];
}

}  // namespace

Result<void> Neg::check(const Args& args) {
    if (args.tensor(0).dtype() != DType::boolean) return {};
    return torch_error("NotImplementedError",
                       "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
                       "mask, use the `~` or `logical_not()` operator instead.");
}

void add_rounding(OpTable& table) {
    constexpr unsigned kMethods = kMethod | kInPlace;
    unary_op<Abs>(table, {"abs",
                          "Size without sign. The lowest integer of a dtype has no positive counterpart and stays.",
                          {"x.abs()", "abs(i)"},
                          {"absolute"}});
    unary_op<Neg>(table, {"neg", "-x. A bool tensor is refused: use ~ to invert a mask.", {"-x", "-i"}, {"negative"}});
    unary_op<Sign>(table, {"sign", "-1, 0 or 1; 0 for NaN.", {"x.sign()", "torch.sign(i)"}, {"sgn"}});
    unary_op<Floor>(table, {"floor", "The nearest whole number below.", {"x.floor()"}, {}});
    unary_op<Ceil>(table, {"ceil", "The nearest whole number above.", {"x.ceil()"}, {}});
    unary_op<Trunc>(table, {"trunc", "The whole part: towards zero.", {"x.trunc()"}, {"fix"}});
    unary_op<Frac>(table, {"frac", "What trunc leaves, with the sign of x.", {"torch.frac(x)"}, {}});
    add_row(table,
            {"round",
             "To the nearest whole number, halves to the even one (2.5 gives 2); with decimals= to so many places.",
             {"x.round()", "torch.round(x, decimals=2)"},
             {}},
            {pointwise<RoundToEven, 1>("(Tensor input, *, Tensor? out=None)", kFunction),
             round_decimals("(Tensor input, *, int decimals, Tensor? out=None)", kFunction),
             pointwise<RoundToEven, 1>("(Tensor input)", kMethods),
             round_decimals("(Tensor input, *, int decimals)", kMethods)});
    add_row(table, {"positive", "+x: the tensor itself.", {"+x"}, {}},
            {composed("(Tensor input)", kFunction | kMethod, positive)});
}

}  // namespace maskscope::ops
