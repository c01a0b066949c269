// SPDX-License-Identifier: Apache-2.0
// Equal up to rounding, and equal as a whole.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/rows.h"
#include "core/ops/loops/iteration.h"

#include <atomic>

namespace maskscope::ops {
namespace {

Result<void> refuse_tolerances(const Args& args) {
    const DType a = args.tensor(0).dtype();
    const DType b = args.tensor(1).dtype();
    if (a != b) return runtime_error("{} did not match {}", scalar_type_name(a), scalar_type_name(b));
    if (args.number(2) < 0)
        return runtime_error("rtol must be greater than or equal to zero, but got {}", short_number(args.number(2)));
    if (args.number(3) < 0)
        return runtime_error("atol must be greater than or equal to zero, but got {}", short_number(args.number(3)));
    return {};
}

// |input - other| <= atol + |rtol * other|, or equal (infinities), or both NaN where that is asked for.
Result<Value> isclose(const Args& args, Run& run) {
    MS_CHECK(refuse_tolerances(args));
    MS_TRY(close, run.tensor("eq", {args[0], args[1]}));
    if (args.flag(4) && is_floating(args.tensor(0).dtype())) {
        MS_TRY(nan, run.tensor("isnan", {args[0]}));
        MS_TRY(other_nan, run.tensor("isnan", {args[1]}));
        MS_TRY(both, run.tensor("bitwise_and", {nan, other_nan}));
        MS_CHECK(run.in_place("bitwise_or", {close, both}));
    }
    if (args.number(2) == 0 && args.number(3) == 0) return Value(close);
    // Integers are measured as float32.
    Value input = args[0];
    Value other = args[1];
    if (!is_floating(args.tensor(0).dtype())) {
        MS_TRY(input_float, run.tensor("true_divide", {input, 1}));
        MS_TRY(other_float, run.tensor("true_divide", {other, 1}));
        input = input_float;
        other = other_float;
    }
    MS_TRY(scaled, run.tensor("mul", {other, args[2]}));
    MS_TRY(relative, run.tensor("abs", {scaled}));
    MS_TRY(allowed, run.tensor("add", {relative, args[3]}));
    MS_TRY(difference, run.tensor("sub", {input, other}));
    MS_TRY(distance, run.tensor("abs", {difference}));
    MS_TRY(finite, run.tensor("isfinite", {distance}));
    MS_TRY(near, run.tensor("le", {distance, allowed}));
    MS_CHECK(run.in_place("bitwise_and", {near, finite}));
    MS_CHECK(run.in_place("bitwise_or", {close, near}));
    return Value(close);
}

Result<bool> all_true(const Tensor& mask) {
    if (!mask.has_data()) return needs_data("the comparison of whole tensors");
    std::atomic<bool> all = true;
    const Tensor* const operands[] = {&mask};
    for_each_run(operands, [&](const ElementRun& run) {
        bool mine = true;
        for (std::int64_t i = 0; i < run.count; ++i) mine = mine && run.data[0][i * run.step[0]] != std::byte{0};
        if (!mine) all = false;
    });
    return all.load();
}

Result<Value> allclose(const Args& args, Run& run) {
    MS_TRY(close, isclose(args, run));
    MS_TRY(all, all_true(close.tensor()->tensor));
    return Value(all);
}

Result<Value> equal(const Args& args, Run& run) {
    if (args.tensor(0).shape() != args.tensor(1).shape()) return Value(false);
    MS_TRY(same, run.tensor("eq", {args[0], args[1]}));
    MS_TRY(all, all_true(same->tensor));
    return Value(all);
}

}  // namespace

void add_closeness(OpTable& table) {
    const std::string_view tolerances =
        "(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)";
    add_row(
        table,
        {"isclose",
         "True where |input - other| <= atol + rtol * |other|. Not symmetric; NaN is near nothing unless equal_nan.",
         {"torch.isclose(x, y)", "torch.isclose(i, i, atol=1)"},
         {}},
        {composed(tolerances, kFunction | kMethod, isclose)});
    add_row(table,
            {"allclose", "Whether isclose holds for every element: one Python bool.", {"torch.allclose(x, y)"}, {}},
            {composed(tolerances, kFunction | kMethod, allclose)});
    add_row(table,
            {"equal",
             "Whether both have the same shape and the same elements: one Python bool. NaN equals nothing.",
             {"torch.equal(x, y)"},
             {}},
            {composed("(Tensor input, Tensor other)", kFunction | kMethod, equal)});
}

}  // namespace maskscope::ops
