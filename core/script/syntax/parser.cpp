// SPDX-License-Identifier: Apache-2.0
// The way through the tokens, the errors, and the making of nodes.
#include "core/script/syntax/parser.h"

#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_text.h"

#include <algorithm>

namespace maskscope::script {

namespace {

bool is_layout(TokenKind kind) {
    return kind == TokenKind::newline || kind == TokenKind::indent || kind == TokenKind::dedent ||
           kind == TokenKind::end || kind == TokenKind::error;
}

}  // namespace

const Token& Parser::next() {
    const Token& token = peek();
    if (!is_layout(token.kind)) last_end_ = token.span.end;
    if (pos_ + 1 < list_.tokens.size()) ++pos_;
    return token;
}

bool Parser::accept(TokenKind kind) {
    if (!at(kind)) return false;
    next();
    return true;
}

bool Parser::expect(TokenKind kind) {
    return accept(kind) || unexpected();
}

Failed Parser::fail(Error error) {
    if (!error_) error_ = std::move(error);
    return {};
}

Failed Parser::fail(Span span, int line, std::string words) {
    return fail(syntax_error(span, line, std::move(words)));
}

Failed Parser::unexpected() {
    if (error_) return {};
    const Token& token = peek();
    if (token.kind == TokenKind::error) return fail(*list_.error);
    if (auto refused = refusal(token)) return fail(*std::move(refused));
    if (token.kind == TokenKind::indent) {
        return fail(python_error("IndentationError", token.span, token.line, "unexpected indent")
                        .with_hint(MS_TEXT("This line is indented further than the one before, which opens no block")));
    }
    return fail(with_hint(syntax_error(token.span, token.line, "invalid syntax")));
}

Failed Parser::too_deep(const Token& token) {
    Error error = input_error(MS_TEXT("this expression is nested too deeply"));
    error.type = "SyntaxError";
    return fail(placed(std::move(error), token.span, token.line)
                    .with_hint(MS_TEXT("Give its parts names, on lines of their own")));
}

ExprPtr Parser::make(ExprNode node, const Token& begin) {
    int high = 1;
    for_each_part(node, [&](const Expr& part) { high = std::max(high, part.height + 1); });
    if (high > kHighestExpr) return too_deep(begin);
    return std::make_unique<Expr>(Expr{std::move(node), since(begin), begin.line, high});
}

bool Parser::parse_module() {
    scopes_.open(ScopeKind::module);
    while (!at(TokenKind::end)) {
        if (!statement(module_.body)) return false;
    }
    module_.scope = scopes_.close();
    if (auto unbound = scopes_.take_unbound()) {
        fail(*std::move(unbound));
        return false;
    }
    module_.comments = std::move(list_.comments);
    return true;
}

Error Parser::take_error() && {
    // What goes wrong for the lexer near by explains better than what the parser makes of it: a quote that is not
    // closed in the same line, a bracket that was left open above.
    if (list_.error && error_ && list_.tokens.back().line != peek().line) {
        const bool left_open = list_.error->message.pattern.find("was never closed") != std::string::npos;
        if (left_open && list_.tokens.back().line < peek().line) return *list_.error;
        return *std::move(error_);
    }
    return list_.error ? *list_.error : *std::move(error_);
}

Result<std::shared_ptr<const Module>> parse(std::string text) {
    if (text.size() > kLongestScript) {
        Error error = input_error(MS_TEXT("the script has {} bytes; at most {} are read"), text.size(), kLongestScript);
        error.type = "SyntaxError";
        return placed(std::move(error), {0, 0}, 1);
    }
    auto module = std::make_shared<Module>(std::move(text));
    if (auto error = unreadable(module->source)) return *std::move(error);
    Parser parser(*module, tokenize(module->source));
    if (!parser.parse_module()) return std::move(parser).take_error();
    return std::shared_ptr<const Module>(std::move(module));
}

}  // namespace maskscope::script
