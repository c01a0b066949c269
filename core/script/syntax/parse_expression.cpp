// SPDX-License-Identifier: Apache-2.0
// Expressions, from the loosest binding to the tightest.
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace maskscope::script {

namespace {

struct BinaryToken {
    BinaryOp op = BinaryOp::add;
    int level = 0;  // binds tighter the higher; 0: no binary operator
};

constexpr int kLoosest = 1;

BinaryToken binary_token(TokenKind kind) {
    switch (kind) {
        case TokenKind::bit_or:
            return {BinaryOp::bit_or, kLoosest};
        case TokenKind::bit_xor:
            return {BinaryOp::bit_xor, 2};
        case TokenKind::bit_and:
            return {BinaryOp::bit_and, 3};
        case TokenKind::shift_left:
            return {BinaryOp::shift_left, 4};
        case TokenKind::shift_right:
            return {BinaryOp::shift_right, 4};
        case TokenKind::add:
            return {BinaryOp::add, 5};
        case TokenKind::subtract:
            return {BinaryOp::subtract, 5};
        case TokenKind::multiply:
            return {BinaryOp::multiply, 6};
        case TokenKind::divide:
            return {BinaryOp::divide, 6};
        case TokenKind::floor_divide:
            return {BinaryOp::floor_divide, 6};
        case TokenKind::modulo:
            return {BinaryOp::modulo, 6};
        case TokenKind::at:
            return {BinaryOp::matmul, 6};
        default:
            return {};
    }
}

}  // namespace

ExprPtr Parser::expression() {
    const Token& begin = peek();
    const Nested nested(*this);
    if (nested.too_deep()) return too_deep(begin);
    if (at(TokenKind::kw_lambda)) return lambda();
    ExprPtr body = disjunction();
    if (!body || !accept(TokenKind::kw_if)) return body;
    ExprPtr test = disjunction();
    if (!test) return nullptr;
    if (!at(TokenKind::kw_else)) {
        if (at(TokenKind::colon) || at(TokenKind::error)) return unexpected();
        return fail({body->span.begin, test->span.end}, body->line, "expected 'else' after 'if' expression");
    }
    next();
    ExprPtr orelse = expression();
    if (!orelse) return nullptr;
    return make(Conditional{std::move(test), std::move(body), std::move(orelse)}, begin);
}

ExprPtr Parser::named_expression(LoneEqual equal) {
    const Token& begin = peek();
    if (at(TokenKind::name) && peek(1).kind == TokenKind::walrus) {
        next();
        next();
        ExprPtr value = expression();
        if (!value) return nullptr;
        Identifier target = identifier(begin);
        scopes_.bind_named(target.text);
        return make(NamedExpr{std::move(target), std::move(value)}, begin);
    }
    ExprPtr expr = expression();
    if (!expr) return nullptr;
    if (at(TokenKind::walrus)) {
        return fail(*expr, fmt::format("cannot use assignment expressions with {}", kind_in_words(*expr)));
    }
    if (at(TokenKind::assign) && equal == LoneEqual::refused) {
        if (expr->as<Name>() != nullptr) {
            return fail(*expr, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?");
        }
        if (may_mean_equal(*expr)) {
            return fail(*expr, fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?",
                                           kind_in_words(*expr)));
        }
        return unexpected();
    }
    return expr;
}

ExprPtr Parser::star_named_expression() {
    const Token& begin = peek();
    if (!accept(TokenKind::multiply)) return named_expression();
    ExprPtr value = binary(kLoosest);
    if (!value) return nullptr;
    return make(Starred{std::move(value)}, begin);
}

ExprPtr Parser::star_expressions() {
    const Token& begin = peek();
    const auto item = [&]() -> ExprPtr {
        const Token& star = peek();
        if (!accept(TokenKind::multiply)) return expression();
        ExprPtr value = binary(kLoosest);
        return value ? make(Starred{std::move(value)}, star) : nullptr;
    };
    ExprPtr first = item();
    if (!first || !at(TokenKind::comma)) return first;
    Tuple tuple;
    tuple.elements.push_back(std::move(first));
    while (accept(TokenKind::comma)) {
        if (!begins_expression(peek().kind) && !at(TokenKind::multiply) && !at(TokenKind::kw_yield)) break;
        ExprPtr element = item();
        if (!element) return nullptr;
        tuple.elements.push_back(std::move(element));
    }
    return make(std::move(tuple), begin);
}

ExprPtr Parser::lambda() {
    const Token& begin = next();
    Lambda made;
    if (!parameters(TokenKind::colon, false, made.parameters)) return nullptr;
    if (!at(TokenKind::colon)) return unexpected();
    next();
    if (at(TokenKind::fstring_text)) {
        return fail(begin, "f-string: lambda expressions are not allowed without parentheses");
    }
    scopes_.open(ScopeKind::lambda);
    bind_parameters(made.parameters);
    made.body = expression();
    made.scope = scopes_.close();
    return made.body ? make(std::move(made), begin) : nullptr;
}

ExprPtr Parser::disjunction() {
    const Token& begin = peek();
    ExprPtr first = conjunction();
    if (!first || !at(TokenKind::kw_or)) return first;
    BoolExpr made{BoolOp::logical_or, {}};
    made.values.push_back(std::move(first));
    while (accept(TokenKind::kw_or)) {
        ExprPtr value = conjunction();
        if (!value) return nullptr;
        made.values.push_back(std::move(value));
    }
    return make(std::move(made), begin);
}

ExprPtr Parser::conjunction() {
    const Token& begin = peek();
    ExprPtr first = inversion();
    if (!first || !at(TokenKind::kw_and)) return first;
    BoolExpr made{BoolOp::logical_and, {}};
    made.values.push_back(std::move(first));
    while (accept(TokenKind::kw_and)) {
        ExprPtr value = inversion();
        if (!value) return nullptr;
        made.values.push_back(std::move(value));
    }
    return make(std::move(made), begin);
}

ExprPtr Parser::inversion() {
    const Token& begin = peek();
    if (!accept(TokenKind::kw_not)) return comparison();
    const Nested nested(*this);
    if (nested.too_deep()) return too_deep(begin);
    ExprPtr operand = inversion();
    if (!operand) return nullptr;
    return make(Unary{UnaryOp::logical_not, std::move(operand)}, begin);
}

bool Parser::comparison_operator(CompareOp& op) {
    const TokenKind kind = peek().kind;
    switch (kind) {
        case TokenKind::equal:
            op = CompareOp::equal;
            break;
        case TokenKind::not_equal:
            op = CompareOp::not_equal;
            break;
        case TokenKind::less:
            op = CompareOp::less;
            break;
        case TokenKind::less_equal:
            op = CompareOp::less_equal;
            break;
        case TokenKind::greater:
            op = CompareOp::greater;
            break;
        case TokenKind::greater_equal:
            op = CompareOp::greater_equal;
            break;
        case TokenKind::kw_in:
            op = CompareOp::in;
            break;
        case TokenKind::kw_is:
            op = peek(1).kind == TokenKind::kw_not ? CompareOp::is_not : CompareOp::is;
            break;
        case TokenKind::kw_not:
            if (peek(1).kind != TokenKind::kw_in) return false;
            op = CompareOp::not_in;
            break;
        default:
            return false;
    }
    next();
    if (op == CompareOp::is_not || op == CompareOp::not_in) next();
    return true;
}

ExprPtr Parser::comparison() {
    const Token& begin = peek();
    ExprPtr left = binary(kLoosest);
    CompareOp op = CompareOp::equal;
    if (!left || !comparison_operator(op)) return left;
    Compare made{std::move(left), {}, {}};
    do {
        ExprPtr right = binary(kLoosest);
        if (!right) return nullptr;
        made.ops.push_back(op);
        made.rights.push_back(std::move(right));
    } while (comparison_operator(op));
    return make(std::move(made), begin);
}

ExprPtr Parser::binary(int lowest) {
    const Token& begin = peek();
    ExprPtr left = unary();
    while (left) {
        const BinaryToken found = binary_token(peek().kind);
        if (found.level < std::max(lowest, kLoosest)) return left;
        const Token& op = next();
        ExprPtr right = binary(found.level + 1);
        if (!right) return nullptr;
        left = make(Binary{found.op, std::move(left), std::move(right), op.span}, begin);
    }
    return nullptr;
}

ExprPtr Parser::unary() {
    const Token& begin = peek();
    UnaryOp op = UnaryOp::negative;
    switch (begin.kind) {
        case TokenKind::subtract:
            break;
        case TokenKind::add:
            op = UnaryOp::positive;
            break;
        case TokenKind::invert:
            op = UnaryOp::invert;
            break;
        default:
            return power();
    }
    next();
    if (op == UnaryOp::negative && at(TokenKind::number) && integer_value(text(peek())) == kLowestInteger &&
        peek(1).kind != TokenKind::power && peek(1).kind != TokenKind::dot) {
        next();
        return make(Constant{std::numeric_limits<std::int64_t>::min()}, begin);
    }
    const Nested nested(*this);
    if (nested.too_deep()) return too_deep(begin);
    ExprPtr operand = unary();
    if (!operand) return nullptr;
    return make(Unary{op, std::move(operand)}, begin);
}

ExprPtr Parser::power() {
    const Token& begin = peek();
    ExprPtr base = primary();
    if (!base || !at(TokenKind::power)) return base;
    const Token& op = next();
    const Nested nested(*this);
    if (nested.too_deep()) return too_deep(begin);
    ExprPtr exponent = unary();
    if (!exponent) return nullptr;
    return make(Binary{BinaryOp::power, std::move(base), std::move(exponent), op.span}, begin);
}

}  // namespace maskscope::script
