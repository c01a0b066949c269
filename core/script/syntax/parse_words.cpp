// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/parse_words.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

namespace maskscope::script {

namespace {

const char* constant_in_words(const Constant& constant) {
    if (std::holds_alternative<NoneValue>(constant.value)) return "None";
    if (std::holds_alternative<EllipsisValue>(constant.value)) return "ellipsis";
    if (const bool* truth = std::get_if<bool>(&constant.value)) return *truth ? "True" : "False";
    return "literal";
}

const char* comprehension_in_words(Comprehension::Kind kind) {
    switch (kind) {
        case Comprehension::Kind::list:
            return "list comprehension";
        case Comprehension::Kind::set:
            return "set comprehension";
        case Comprehension::Kind::dict:
            return "dict comprehension";
        case Comprehension::Kind::generator:
            break;
    }
    return "generator expression";
}

std::string without_underscores(std::string_view literal) {
    std::string digits(literal);
    digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
    return digits;
}

// Whether a decimal literal is at least 1 in size.
bool is_large(std::string_view digits) {
    constexpr long long kFar = 1LL << 40U;
    const std::size_t e = std::min(digits.find_first_of("eE"), digits.size());
    const std::string_view mantissa = digits.substr(0, e);
    const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
    const std::size_t first = mantissa.find_first_not_of("0.");
    if (first == std::string_view::npos) return false;
    long long exponent = 0;
    if (e < digits.size()) {
        std::string_view written = digits.substr(e + 1);
        const bool negative = written[0] == '-';
        if (written[0] == '-' || written[0] == '+') written.remove_prefix(1);
        for (const char c : written) exponent = std::min(exponent * 10 + (c - '0'), kFar);
        if (negative) exponent = -exponent;
    }
    return point - static_cast<long long>(first) + exponent > 0;
}

}  // namespace

const char* kind_in_words(const Expr& expr) {
    return std::visit(Overloaded{
                          [](const Constant& e) { return constant_in_words(e); },
                          [](const Name&) { return "name"; },
                          [](const FString&) { return "f-string expression"; },
                          [](const FormattedValue&) { return "f-string expression"; },
                          [](const Attribute&) { return "attribute"; },
                          [](const Subscript&) { return "subscript"; },
                          [](const Slice&) { return "slice"; },
                          [](const Call&) { return "function call"; },
                          [](const Unary&) { return "expression"; },
                          [](const Binary&) { return "expression"; },
                          [](const BoolExpr&) { return "expression"; },
                          [](const Compare&) { return "comparison"; },
                          [](const Conditional&) { return "conditional expression"; },
                          [](const Lambda&) { return "lambda"; },
                          [](const List&) { return "list"; },
                          [](const Tuple&) { return "tuple"; },
                          [](const Set&) { return "set display"; },
                          [](const Dict&) { return "dict literal"; },
                          [](const Starred&) { return "starred"; },
                          [](const Comprehension& e) { return comprehension_in_words(e.kind); },
                          [](const NamedExpr&) { return "named expression"; },
                      },
                      expr.node);
}

bool may_mean_equal(const Expr& expr) {
    return std::visit(Overloaded{
                          [](const Constant& e) {
                              return !std::holds_alternative<NoneValue>(e.value) &&
                                     !std::holds_alternative<bool>(e.value);
                          },
                          [](const Unary& e) { return e.op != UnaryOp::logical_not; },
                          [](const Comprehension& e) { return e.kind != Comprehension::Kind::generator; },
                          [](const FString&) { return true; },
                          [](const Call&) { return true; },
                          [](const Binary&) { return true; },
                          [](const Set&) { return true; },
                          [](const Dict&) { return true; },
                          [](const Attribute&) { return true; },
                          [](const Subscript&) { return true; },
                          [](const auto&) { return false; },
                      },
                      expr.node);
}

std::optional<std::uint64_t> integer_value(std::string_view literal) {
    std::string digits = without_underscores(literal);
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0') {
        const char mark = static_cast<char>(digits[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
        if (base != 10) digits.erase(0, 2);
    }
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (problem != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

double float_value(std::string_view literal) {
    const std::string digits = without_underscores(literal);
    double value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    (void)end;
    if (problem == std::errc::result_out_of_range) {
        return is_large(digits) ? std::numeric_limits<double>::infinity() : 0.0;
    }
    return value;
}

}  // namespace maskscope::script
