// SPDX-License-Identifier: Apache-2.0
// abs, round, divmod, pow, and the conversions int, float, bool.
#include "core/script/language/builtins.h"
#include "core/script/language/interpreter.h"
#include "core/script/language/numbers.h"
#include "core/script/text/language_error.h"
#include "core/script/text/number_text.h"

#include <cmath>

namespace maskscope::script {
namespace {

Result<Value> abs_of(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "abs", 1, 1));
    const Value& value = a.positional[0];
    if (value.is_tensor()) return in.call_op("abs", ops::Form::function, {value});
    if (!value.is_number()) return type_error("bad operand type for abs(): '{}'", ops::type_name(value));
    if (!value.is_int()) return Value(std::fabs(value.to_double()));
    return value.to_int() < 0 ? number_unary(UnaryOp::negative, value) : Result<Value>(Value(value.to_int()));
}

Result<Value> round_of(Interpreter&, Arguments& a) {
    MS_CHECK(expect_arguments(a, "round", 1, 2));
    const Value& value = a.positional[0];
    if (!value.is_number()) return type_error("type {} doesn't define __round__ method", ops::type_name(value));
    const Value* digits = argument(a, 1, "ndigits");
    if (digits == nullptr || digits->is_none()) return round_number(value, std::nullopt);
    return round_number(value, digits->to_int());
}

Result<Value> divmod(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "divmod", 2, 2));
    MS_TRY(quotient, in.binary(BinaryOp::floor_divide, a.positional[0], a.positional[1]));
    MS_TRY(rest, in.binary(BinaryOp::modulo, a.positional[0], a.positional[1]));
    return ops::make_tuple({std::move(quotient), std::move(rest)});
}

Result<Value> power(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "pow", 2, 2));
    return in.binary(BinaryOp::power, a.positional[0], a.positional[1]);
}

Result<Value> to_int(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "int", 0, 2));
    if (a.positional.empty()) return Value(0);
    const Value& value = a.positional[0];
    if (value.is_tensor()) {
        MS_TRY(item, in.call_op("int", ops::Form::internal, {value}));
        return Value(item.to_int());
    }
    if (value.is_int()) return Value(value.to_int());
    if (value.is_number()) return int_of(value.to_double());
    if (const auto* text = value.get_if<std::string>()) {
        const std::int64_t base = a.positional.size() > 1 ? a.positional[1].to_int() : 10;
        if (base < 2 || base > 36) return value_error("int() base must be >= 2 and <= 36, or 0");
        if (const auto number = int_from(*text, static_cast<int>(base))) return Value(*number);
        MS_TRY(shown, in.repr(value));
        return value_error("invalid literal for int() with base {}: {}", base, shown);
    }
    return type_error("int() argument must be a string, a bytes-like object or a real number, not '{}'",
                      ops::type_name(value));
}

Result<Value> to_float(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "float", 0, 1));
    if (a.positional.empty()) return Value(0.0);
    const Value& value = a.positional[0];
    if (value.is_tensor()) {
        MS_TRY(item, in.call_op("float", ops::Form::internal, {value}));
        return Value(item.to_double());
    }
    if (value.is_number()) return Value(value.to_double());
    if (const auto* text = value.get_if<std::string>()) {
        if (const auto number = float_from(*text)) return Value(*number);
        MS_TRY(shown, in.repr(value));
        return value_error("could not convert string to float: {}", shown);
    }
    return type_error("float() argument must be a string or a real number, not '{}'", ops::type_name(value));
}

Result<Value> to_bool(Interpreter& in, Arguments& a) {
    MS_CHECK(expect_arguments(a, "bool", 0, 1));
    if (a.positional.empty()) return Value(false);
    MS_TRY(is_true, in.truth(a.positional[0]));
    return Value(is_true);
}

}  // namespace

void add_number_builtins(BuiltinMap& map) {
    map.emplace("abs", make_object<Builtin>("abs", abs_of));
    map.emplace("round", make_object<Builtin>("round", round_of));
    map.emplace("divmod", make_object<Builtin>("divmod", divmod));
    map.emplace("pow", make_object<Builtin>("pow", power));
    map.emplace("int", make_object<TypeObject>("int", to_int, DType::i64));
    map.emplace("float", make_object<TypeObject>("float", to_float, DType::f64));
    map.emplace("bool", make_object<TypeObject>("bool", to_bool, DType::boolean));
}

}  // namespace maskscope::script
