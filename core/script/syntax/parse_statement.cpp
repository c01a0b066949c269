// SPDX-License-Identifier: Apache-2.0
// Statements of one line.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_words.h"

#include <fmt/core.h>

namespace maskscope::script {

namespace {

std::optional<BinaryOp> augmented_operator(TokenKind kind) {
    switch (kind) {
        case TokenKind::add_assign:
            return BinaryOp::add;
        case TokenKind::subtract_assign:
            return BinaryOp::subtract;
        case TokenKind::multiply_assign:
            return BinaryOp::multiply;
        case TokenKind::matmul_assign:
            return BinaryOp::matmul;
        case TokenKind::divide_assign:
            return BinaryOp::divide;
        case TokenKind::floor_divide_assign:
            return BinaryOp::floor_divide;
        case TokenKind::modulo_assign:
            return BinaryOp::modulo;
        case TokenKind::power_assign:
            return BinaryOp::power;
        case TokenKind::shift_left_assign:
            return BinaryOp::shift_left;
        case TokenKind::shift_right_assign:
            return BinaryOp::shift_right;
        case TokenKind::bit_or_assign:
            return BinaryOp::bit_or;
        case TokenKind::bit_xor_assign:
            return BinaryOp::bit_xor;
        case TokenKind::bit_and_assign:
            return BinaryOp::bit_and;
        default:
            return std::nullopt;
    }
}

}  // namespace

bool Parser::statement(Block& block) {
    switch (peek().kind) {
        case TokenKind::kw_if:
            return if_statement(block);
        case TokenKind::kw_for:
            return for_statement(block);
        case TokenKind::kw_while:
            return while_statement(block);
        case TokenKind::kw_with:
            return with_statement(block);
        case TokenKind::kw_def:
            return function(block, {});
        case TokenKind::kw_class:
            return class_definition(block, {});
        case TokenKind::at:
            return decorated(block);
        default:
            return simple_statements(block);
    }
}

bool Parser::simple_statements(Block& block) {
    do {
        if (!simple_statement(block)) return false;
    } while (accept(TokenKind::semicolon) && !at(TokenKind::newline));
    if (at(TokenKind::newline)) {
        next();
        return true;
    }
    const auto* value = block.back()->as<ExprStmt>();
    const auto* name = value != nullptr ? value->value->as<Name>() : nullptr;
    if (name != nullptr && (name->id == "print" || name->id == "exec") && begins_expression(peek().kind)) {
        return fail(*value->value,
                    fmt::format("Missing parentheses in call to '{0}'. Did you mean {0}(...)?", name->id));
    }
    return unexpected();
}

bool Parser::simple_statement(Block& block) {
    const Token& begin = peek();
    switch (begin.kind) {
        case TokenKind::kw_pass:
            next();
            add(block, Pass{}, begin);
            return true;
        case TokenKind::kw_break:
        case TokenKind::kw_continue:
            return loop_word(block);
        case TokenKind::kw_return:
            return return_statement(block);
        case TokenKind::kw_assert:
            return assert_statement(block);
        case TokenKind::kw_raise:
            return raise_statement(block);
        case TokenKind::kw_del:
            return del_statement(block);
        case TokenKind::kw_global:
        case TokenKind::kw_nonlocal:
            return scope_statement(block);
        case TokenKind::kw_import:
            return import_statement(block);
        case TokenKind::kw_from:
            return from_statement(block);
        default:
            return expression_statement(block);
    }
}

bool Parser::expression_statement(Block& block) {
    const Token& begin = peek();
    ExprPtr first = star_expressions();
    if (!first) return false;
    if (at(TokenKind::assign)) return assignment(block, std::move(first), begin);
    if (at(TokenKind::colon)) return annotation(block, std::move(first), begin);
    if (augmented_operator(peek().kind)) return augmented_assignment(block, std::move(first), begin);
    if (!no_star(*first)) return false;
    add(block, ExprStmt{std::move(first)}, begin);
    return true;
}

bool Parser::assignment(Block& block, ExprPtr first, const Token& begin) {
    Assign made;
    ExprPtr value = std::move(first);
    while (accept(TokenKind::assign)) {
        made.targets.push_back(std::move(value));
        value = star_expressions();
        if (!value) return false;
    }
    for (const ExprPtr& target : made.targets) {
        if (target->as<Starred>() != nullptr) {
            return fail(*target, "starred assignment target must be in a list or tuple");
        }
        const bool can_be_stored =
            target->as<Name>() != nullptr || target->as<Attribute>() != nullptr || target->as<Subscript>() != nullptr;
        if (!can_be_stored && made.targets.size() == 1 && may_mean_equal(*target)) {
            return fail(*target, fmt::format("cannot assign to {} here. Maybe you meant '==' instead of '='?",
                                             kind_in_words(*target)));
        }
        if (!store(*target, Target::assign)) return false;
    }
    if (!no_star(*value)) return false;
    made.value = std::move(value);
    add(block, std::move(made), begin);
    return true;
}

bool Parser::annotation(Block& block, ExprPtr target, const Token& begin) {
    if (target->as<List>() != nullptr || target->as<Tuple>() != nullptr) {
        return fail(*target, fmt::format("only single target (not {}) can be annotated", kind_in_words(*target)));
    }
    if (target->as<Name>() == nullptr && target->as<Attribute>() == nullptr && target->as<Subscript>() == nullptr) {
        return fail(with_hint(syntax_error(target->span, target->line, "illegal target for annotation")));
    }
    next();
    AnnAssign made;
    made.annotation = expression();
    if (!made.annotation) return false;
    if (accept(TokenKind::assign)) {
        made.value = star_expressions();
        if (!made.value || !no_star(*made.value)) return false;
    }
    if (!store(*target, Target::assign)) return false;
    made.target = std::move(target);
    add(block, std::move(made), begin);
    return true;
}

bool Parser::augmented_assignment(Block& block, ExprPtr target, const Token& begin) {
    const Token& op = next();
    if (!augmented_target(*target)) return false;
    ExprPtr value = star_expressions();
    if (!value || !no_star(*value)) return false;
    add(block, AugAssign{std::move(target), *augmented_operator(op.kind), std::move(value), op.span}, begin);
    return true;
}

bool Parser::return_statement(Block& block) {
    const Token& begin = next();
    if (!around_.in_function) {
        return fail(syntax_error(begin.span, begin.line, "'return' outside function")
                        .with_hint(MS_TEXT("Paste the line of its def too, or leave out the word return")));
    }
    Return made;
    if (!at(TokenKind::newline) && !at(TokenKind::semicolon)) {
        made.value = star_expressions();
        if (!made.value || !no_star(*made.value)) return false;
    }
    add(block, std::move(made), begin);
    return true;
}

bool Parser::loop_word(Block& block) {
    const Token& word = next();
    const bool is_break = word.kind == TokenKind::kw_break;
    if (!around_.in_loop) return fail(word, is_break ? "'break' outside loop" : "'continue' not properly in loop");
    if (is_break) {
        add(block, Break{}, word);
    } else {
        add(block, Continue{}, word);
    }
    return true;
}

bool Parser::assert_statement(Block& block) {
    const Token& begin = next();
    Assert made;
    made.test = named_expression();
    if (!made.test) return false;
    if (accept(TokenKind::comma)) {
        made.message = expression();
        if (!made.message) return false;
    }
    add(block, std::move(made), begin);
    return true;
}

bool Parser::raise_statement(Block& block) {
    const Token& begin = next();
    Raise made;
    if (!at(TokenKind::newline) && !at(TokenKind::semicolon)) {
        made.exception = expression();
        if (!made.exception) return false;
        if (accept(TokenKind::kw_from)) {
            made.cause = expression();
            if (!made.cause) return false;
        }
    }
    add(block, std::move(made), begin);
    return true;
}

bool Parser::del_statement(Block& block) {
    const Token& begin = next();
    const Token& first = peek();
    ExprPtr targets = star_expressions();
    if (!targets) return false;
    if (targets->as<Starred>() != nullptr) return fail(*targets, "cannot delete starred");
    if (!store(*targets, Target::del)) return false;
    Delete made;
    auto* tuple = targets->as<Tuple>();
    if (tuple != nullptr && first.kind != TokenKind::left_paren) {
        made.targets = std::move(tuple->elements);
    } else {
        made.targets.push_back(std::move(targets));
    }
    add(block, std::move(made), begin);
    return true;
}

bool Parser::scope_statement(Block& block) {
    const Token& begin = next();
    std::vector<Identifier> names;
    do {
        if (!at(TokenKind::name)) return unexpected();
        const Token& token = next();
        Identifier name = identifier(token);
        auto problem = begin.kind == TokenKind::kw_global ? scopes_.declare_global(name, token.line)
                                                          : scopes_.declare_nonlocal(name, token.line);
        if (problem) return fail(*std::move(problem));
        names.push_back(std::move(name));
    } while (accept(TokenKind::comma));
    if (begin.kind == TokenKind::kw_global) {
        add(block, Global{std::move(names)}, begin);
    } else {
        add(block, Nonlocal{std::move(names)}, begin);
    }
    return true;
}

}  // namespace maskscope::script
