// SPDX-License-Identifier: Apache-2.0
// Statements with a body.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"

#include <fmt/core.h>

namespace maskscope::script {

bool Parser::colon(const Token& word) {
    if (accept(TokenKind::colon)) return true;
    if (!at(TokenKind::newline) && word.kind != TokenKind::kw_else && word.kind != TokenKind::kw_def) {
        return unexpected();
    }
    const Token& token = peek();
    if (token.kind == TokenKind::error) return unexpected();
    return fail(with_hint(syntax_error(token.span, token.line, "expected ':'")));
}

// The colon and what belongs to it: statements in the same line, or an indented block.
bool Parser::body(Block& block, const char* after, const Token& word) {
    if (!colon(word)) return false;
    if (!accept(TokenKind::newline)) return simple_statements(block);
    if (!at(TokenKind::indent)) {
        if (at(TokenKind::error)) return unexpected();
        // At the end of the text the line to look at is the one that ends with the colon.
        const Token& token = at(TokenKind::end) ? list_.tokens[pos_ - 1] : peek();
        return fail(python_error("IndentationError", token.span, token.line,
                                 fmt::format("expected an indented block after {} on line {}", after, word.line)));
    }
    next();
    while (!at(TokenKind::dedent)) {
        if (!statement(block)) return false;
    }
    next();
    return true;
}

bool Parser::orelse(Block& block) {
    const Token& word = peek();
    return !accept(TokenKind::kw_else) || body(block, "'else' statement", word);
}

bool Parser::if_statement(Block& block) {
    const Token& begin = peek();
    If made;
    do {
        const Token& word = next();
        IfBranch branch;
        branch.test = named_expression();
        if (!branch.test) return false;
        const bool first = made.branches.empty();
        if (!body(branch.body, first ? "'if' statement" : "'elif' statement", word)) return false;
        made.branches.push_back(std::move(branch));
    } while (at(TokenKind::kw_elif));
    if (!orelse(made.orelse)) return false;
    add(block, std::move(made), begin);
    return true;
}

bool Parser::for_statement(Block& block) {
    const Token& begin = next();
    For made;
    made.target = target_list();
    if (!made.target || !expect(TokenKind::kw_in)) return false;
    made.iter = star_expressions();
    if (!made.iter) return false;
    const Surroundings outside = around_;
    around_.in_loop = true;
    if (!body(made.body, "'for' statement", begin)) return false;
    around_ = outside;
    if (!orelse(made.orelse)) return false;
    add(block, std::move(made), begin);
    return true;
}

bool Parser::while_statement(Block& block) {
    const Token& begin = next();
    While made;
    made.test = named_expression();
    if (!made.test) return false;
    const Surroundings outside = around_;
    around_.in_loop = true;
    if (!body(made.body, "'while' statement", begin)) return false;
    around_ = outside;
    if (!orelse(made.orelse)) return false;
    add(block, std::move(made), begin);
    return true;
}

bool Parser::with_statement(Block& block) {
    const Token& begin = next();
    With made;
    if (with_items_in_parentheses()) {
        next();
        if (!with_items(made.items, TokenKind::right_paren) || !expect(TokenKind::right_paren)) return false;
    } else if (!with_items(made.items, TokenKind::colon)) {
        return false;
    }
    if (!body(made.body, "'with' statement", begin)) return false;
    add(block, std::move(made), begin);
    return true;
}

bool Parser::with_items(std::vector<WithItem>& items, TokenKind closer) {
    do {
        WithItem item;
        item.context = expression();
        if (!item.context) return false;
        if (accept(TokenKind::kw_as)) {
            item.target = primary();
            if (!item.target || !store(*item.target, Target::assign)) return false;
        }
        items.push_back(std::move(item));
    } while (accept(TokenKind::comma) && (closer == TokenKind::colon || !at(closer)));
    return true;
}

// `with (a as b, c):`: the parentheses hold items, when their end is followed by the colon and nothing in them says
// that they hold one expression.
bool Parser::with_items_in_parentheses() const {
    if (!at(TokenKind::left_paren)) return false;
    int open = 0;
    for (std::size_t i = pos_; i < list_.tokens.size(); ++i) {
        switch (list_.tokens[i].kind) {
            case TokenKind::left_paren:
            case TokenKind::left_bracket:
            case TokenKind::left_brace:
                ++open;
                break;
            case TokenKind::right_paren:
            case TokenKind::right_bracket:
            case TokenKind::right_brace:
                if (--open == 0) {
                    return i > pos_ + 1 && i + 1 < list_.tokens.size() && list_.tokens[i + 1].kind == TokenKind::colon;
                }
                break;
            case TokenKind::kw_for:
            case TokenKind::walrus:
            case TokenKind::kw_yield:
                if (open == 1) return false;
                break;
            default:
                break;
        }
    }
    return false;
}

bool Parser::decorated(Block& block) {
    Exprs decorators;
    while (accept(TokenKind::at)) {
        ExprPtr decorator = named_expression();
        if (!decorator || !expect(TokenKind::newline)) return false;
        decorators.push_back(std::move(decorator));
    }
    if (at(TokenKind::kw_def)) return function(block, std::move(decorators));
    if (at(TokenKind::kw_class)) return class_definition(block, std::move(decorators));
    return unexpected();
}

bool Parser::function(Block& block, Exprs decorators) {
    const Token& begin = next();
    FunctionDef made;
    made.decorators = std::move(decorators);
    if (!at(TokenKind::name)) return unexpected();
    made.name = identifier(next());
    scopes_.bind(made.name.text);
    if (!at(TokenKind::left_paren)) {
        if (at(TokenKind::error)) return unexpected();
        return fail(peek(), "expected '('");
    }
    next();
    if (!parameters(TokenKind::right_paren, true, made.parameters)) return false;
    next();
    if (accept(TokenKind::arrow)) {
        made.returns = expression();
        if (!made.returns) return false;
    }
    const Surroundings outside = around_;
    around_ = {true, false};
    scopes_.open(ScopeKind::function);
    bind_parameters(made.parameters);
    const bool clear = body(made.body, "function definition", begin);
    made.scope = scopes_.close();
    around_ = outside;
    if (!clear) return false;
    add(block, std::move(made), begin);
    return true;
}

bool Parser::class_definition(Block& block, Exprs decorators) {
    const Token& begin = next();
    ClassDef made;
    made.decorators = std::move(decorators);
    if (!at(TokenKind::name)) return unexpected();
    made.name = identifier(next());
    scopes_.bind(made.name.text);
    if (at(TokenKind::left_paren) && !arguments(made.bases)) return false;
    const Surroundings outside = around_;
    around_ = {};
    scopes_.open(ScopeKind::class_body);
    const bool clear = body(made.body, "class definition", begin);
    made.scope = scopes_.close();
    around_ = outside;
    if (!clear) return false;
    add(block, std::move(made), begin);
    return true;
}

}  // namespace maskscope::script
