// SPDX-License-Identifier: Apache-2.0
// What a person may have meant where the grammar ends: Python that the mask script leaves out, and words of other
// languages.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"

namespace maskscope::script {

std::optional<Error> Parser::refusal(const Token& token) const {
    const auto refused = [&](const char* hint) {
        return not_in_script(token.span, token.line, std::string(text(token))).with_hint(hint);
    };
    switch (token.kind) {
        case TokenKind::kw_try:
        case TokenKind::kw_except:
        case TokenKind::kw_finally:
            return refused(
                MS_TEXT("Keep only the lines that should run; one that fails stops the script and says why"));
        case TokenKind::kw_yield:
            return refused(MS_TEXT("Append to a list and return the list"));
        case TokenKind::kw_async:
        case TokenKind::kw_await:
            return refused(MS_TEXT("Write a plain def and plain calls"));
        default:
            break;
    }
    // `match x:` and `match (x):` read as an expression until something does not fit.
    std::size_t first = pos_;
    while (first > 0 && list_.tokens[first - 1].kind > TokenKind::dedent) --first;
    const bool match = list_.tokens[first].kind == TokenKind::name && text(list_.tokens[first]) == "match";
    if (!match || first == pos_) return std::nullopt;
    std::size_t last = pos_;
    while (list_.tokens[last].kind > TokenKind::dedent) ++last;
    if (list_.tokens[last - 1].kind != TokenKind::colon) return std::nullopt;
    const Token& word = list_.tokens[first];
    return not_in_script(word.span, word.line, "match").with_hint(MS_TEXT("Write it with if and elif"));
}

Error Parser::with_hint(Error error) const {
    const Token& here = peek();
    const Token& before = list_.tokens[pos_ > 0 ? pos_ - 1 : 0];
    const auto both = [&](TokenKind first, TokenKind second) { return before.kind == first && here.kind == second; };
    const bool adjacent = before.span.end == here.span.begin;
    if (error.message.pattern == "expected ':'") {
        if (both(TokenKind::kw_else, TokenKind::kw_if)) {
            return std::move(error).with_hint(MS_TEXT("Python writes elif for else if"));
        }
        return std::move(error).with_hint(MS_TEXT("A colon belongs at the end of this line"));
    }
    if (adjacent && both(TokenKind::bit_and, TokenKind::bit_and)) {
        return std::move(error).with_hint(MS_TEXT("Python writes 'and' for '&&'; masks are combined with &"));
    }
    if (adjacent && both(TokenKind::bit_or, TokenKind::bit_or)) {
        return std::move(error).with_hint(MS_TEXT("Python writes 'or' for '||'; masks are combined with |"));
    }
    if (adjacent && both(TokenKind::equal, TokenKind::assign)) {
        return std::move(error).with_hint(MS_TEXT("Python compares with =="));
    }
    if (adjacent && both(TokenKind::less, TokenKind::greater)) {
        return std::move(error).with_hint(MS_TEXT("Python writes != for <>"));
    }
    if (here.kind == TokenKind::newline && (both(TokenKind::add, here.kind) || both(TokenKind::subtract, here.kind))) {
        return std::move(error).with_hint(MS_TEXT("Python has no ++ and no --; write x += 1"));
    }
    if (here.kind == TokenKind::assign) {
        return std::move(error).with_hint(MS_TEXT("A comparison is written with =="));
    }
    if (before.kind == TokenKind::name && (text(before) == "elseif" || text(before) == "elsif")) {
        return std::move(error).with_hint(MS_TEXT("Python writes elif"));
    }
    return error;
}

}  // namespace maskscope::script
