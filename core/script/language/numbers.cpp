// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/numbers.h"

#include "core/base/checked.h"
#include "core/script/text/language_error.h"

#include <cmath>
#include <limits>

namespace maskscope::script {
namespace {

Error unsupported(BinaryOp op, const Value& left, const Value& right) {
    const std::string shown = op == BinaryOp::power ? "** or pow()" : symbol(op);
    return type_error("unsupported operand type(s) for {}: '{}' and '{}'", shown, ops::type_name(left),
                      ops::type_name(right));
}

template <class T>
Result<Value> checked(std::optional<T> value) {
    if (!value) return too_large_an_int();
    return Value(*value);
}

Result<Value> int_power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) {
        if (base == 0) return zero_division("0.0 cannot be raised to a negative power");
        return Value(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    std::int64_t out = 1;
    while (exponent > 0) {
        if ((exponent & 1) != 0) {
            const auto product = checked_mul(out, base);
            if (!product) return too_large_an_int();
            out = *product;
        }
        exponent >>= 1;
        if (exponent == 0) break;
        const auto square = checked_mul(base, base);
        if (!square) return too_large_an_int();
        base = *square;
    }
    return Value(out);
}

Result<Value> shifted_left(std::int64_t value, std::int64_t by) {
    if (by < 0) return value_error("negative shift count");
    if (value == 0) return Value(std::int64_t{0});
    if (by > 62) return too_large_an_int();
    return checked(checked_mul(value, std::int64_t{1} << by));
}

Result<Value> int_binary(BinaryOp op, std::int64_t a, std::int64_t b, const Value& left, const Value& right) {
    constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();
    switch (op) {
        case BinaryOp::add:
            return checked(checked_add(a, b));
        case BinaryOp::subtract: {
            std::int64_t out = 0;
            if (__builtin_sub_overflow(a, b, &out)) return too_large_an_int();
            return Value(out);
        }
        case BinaryOp::multiply:
            return checked(checked_mul(a, b));
        case BinaryOp::divide:
            if (b == 0) return zero_division("division by zero");
            return Value(static_cast<double>(a) / static_cast<double>(b));
        case BinaryOp::floor_divide:
        case BinaryOp::modulo: {
            if (b == 0)
                return zero_division(op == BinaryOp::modulo ? "integer modulo by zero"
                                                            : "integer division or modulo by zero");
            if (a == kSmallest && b == -1) {
                if (op == BinaryOp::modulo) return Value(std::int64_t{0});
                return too_large_an_int();
            }
            const std::int64_t quotient = a / b;
            const std::int64_t rest = a % b;
            const bool lower = rest != 0 && (rest < 0) != (b < 0);
            return Value(op == BinaryOp::modulo ? (lower ? rest + b : rest) : (lower ? quotient - 1 : quotient));
        }
        case BinaryOp::power:
            return int_power(a, b);
        case BinaryOp::shift_left:
            return shifted_left(a, b);
        case BinaryOp::shift_right:
            if (b < 0) return value_error("negative shift count");
            return Value(a >> std::min<std::int64_t>(b, 63));
        case BinaryOp::bit_or:
        case BinaryOp::bit_xor:
        case BinaryOp::bit_and: {
            const std::int64_t out = op == BinaryOp::bit_or ? a | b : op == BinaryOp::bit_xor ? a ^ b : a & b;
            if (left.get_if<bool>() != nullptr && right.get_if<bool>() != nullptr) return Value(out != 0);
            return Value(out);
        }
        case BinaryOp::matmul:
            break;
    }
    return unsupported(op, left, right);
}

// As CPython's float_divmod: the remainder has the sign of the divisor.
double float_modulo(double a, double b) {
    double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    if ((rest < 0) != (b < 0)) rest += b;
    return rest;
}

double float_floor_divide(double a, double b) {
    const double quotient = (a - float_modulo(a, b)) / b;
    if (quotient == 0) return std::copysign(0.0, a / b);
    const double whole = std::floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

Result<Value> float_binary(BinaryOp op, double a, double b, const Value& left, const Value& right) {
    switch (op) {
        case BinaryOp::add:
            return Value(a + b);
        case BinaryOp::subtract:
            return Value(a - b);
        case BinaryOp::multiply:
            return Value(a * b);
        case BinaryOp::divide:
            if (b == 0) return zero_division("float division by zero");
            return Value(a / b);
        case BinaryOp::floor_divide:
            if (b == 0) return zero_division("float floor division by zero");
            return Value(float_floor_divide(a, b));
        case BinaryOp::modulo:
            if (b == 0) return zero_division("float modulo by zero");
            return Value(float_modulo(a, b));
        case BinaryOp::power: {
            if (a == 0 && b < 0) return zero_division("0.0 cannot be raised to a negative power");
            if (a < 0 && std::isfinite(b) && b != std::floor(b))
                return not_in_the_language(MS_TEXT("complex numbers are not part of the mask script"));
            const double out = std::pow(a, b);
            if (std::isinf(out) && std::isfinite(a) && std::isfinite(b))
                return ops::torch_error("OverflowError", "(34, 'Numerical result out of range')");
            return Value(out);
        }
        default:
            return unsupported(op, left, right);
    }
}

}  // namespace

Result<Value> number_binary(BinaryOp op, const Value& left, const Value& right) {
    if (left.is_int() && right.is_int()) return int_binary(op, left.to_int(), right.to_int(), left, right);
    return float_binary(op, left.to_double(), right.to_double(), left, right);
}

Result<Value> number_unary(UnaryOp op, const Value& operand) {
    if (const auto* number = operand.get_if<double>()) {
        if (op == UnaryOp::invert) return type_error("bad operand type for unary ~: 'float'");
        return Value(op == UnaryOp::negative ? -*number : *number);
    }
    const std::int64_t whole = operand.to_int();
    if (op == UnaryOp::invert) return Value(~whole);
    if (op == UnaryOp::positive) return Value(whole);
    if (whole == std::numeric_limits<std::int64_t>::min()) return too_large_an_int();
    return Value(-whole);
}

Result<Value> int_of(double value) {
    if (std::isnan(value)) return value_error("cannot convert float NaN to integer");
    if (std::isinf(value)) return ops::torch_error("OverflowError", "cannot convert float infinity to integer");
    if (std::fabs(value) >= 0x1p63) return too_large_an_int();
    return Value(static_cast<std::int64_t>(value));
}

Result<Value> round_number(const Value& value, std::optional<std::int64_t> digits) {
    if (value.is_int()) {
        if (!digits || *digits >= 0) return Value(value.to_int());
        if (*digits < -18) return Value(std::int64_t{0});
        std::int64_t unit = 1;
        for (auto i = *digits; i < 0; ++i) unit *= 10;
        const std::int64_t rest = ((value.to_int() % unit) + unit) % unit;
        const std::int64_t down = value.to_int() - rest;
        const bool up = rest * 2 > unit || (rest * 2 == unit && (down / unit) % 2 != 0);
        return checked(up ? checked_add(down, unit) : std::optional(down));
    }
    const double number = value.to_double();
    if (!digits) return int_of(std::nearbyint(number));
    if (!std::isfinite(number) || *digits > 22) return Value(number);
    if (*digits < -308) return Value(0.0);
    // Correct rounding through the decimal text, as CPython does.
    if (*digits >= 0) return Value(std::stod(fmt::format("{:.{}f}", number, *digits)));
    const double unit = std::pow(10.0, static_cast<double>(-*digits));
    return Value(std::nearbyint(number / unit) * unit);
}

}  // namespace maskscope::script
