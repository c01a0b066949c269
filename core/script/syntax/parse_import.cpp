// SPDX-License-Identifier: Apache-2.0
// import and from ... import.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"

namespace maskscope::script {

bool Parser::dotted_name(std::string& name) {
    for (;;) {
        if (!at(TokenKind::name)) return unexpected();
        name += text(next());
        if (!accept(TokenKind::dot)) return true;
        name += '.';
    }
}

// `as name`, if it is there.
bool Parser::alias(ImportName& name) {
    if (!accept(TokenKind::kw_as)) return true;
    if (!at(TokenKind::name)) return unexpected();
    name.alias = std::string(text(next()));
    return true;
}

bool Parser::import_statement(Block& block) {
    const Token& begin = next();
    Import made;
    do {
        const Token& first = peek();
        ImportName name;
        if (!dotted_name(name.name) || !alias(name)) return false;
        name.span = since(first);
        scopes_.bind(name.alias.empty() ? name.name.substr(0, name.name.find('.')) : name.alias);
        made.names.push_back(std::move(name));
    } while (accept(TokenKind::comma));
    if (at(TokenKind::kw_from)) return fail(with_hint(syntax_error(since(begin), begin.line, "invalid syntax")));
    add(block, std::move(made), begin);
    return true;
}

bool Parser::from_statement(Block& block) {
    const Token& begin = next();
    ImportFrom made;
    while (at(TokenKind::dot) || at(TokenKind::ellipsis)) made.level += next().kind == TokenKind::dot ? 1 : 3;
    if ((made.level == 0 || !at(TokenKind::kw_import)) && !dotted_name(made.module)) return false;
    if (!expect(TokenKind::kw_import)) return false;
    if (at(TokenKind::multiply)) {
        const Token& star = next();
        made.names.push_back({"*", "", star.span});
        add(block, std::move(made), begin);
        return true;
    }
    const bool parentheses = accept(TokenKind::left_paren);
    for (;;) {
        if (!at(TokenKind::name)) return unexpected();
        const Token& first = next();
        ImportName name{std::string(text(first)), "", first.span};
        if (!alias(name)) return false;
        name.span = since(first);
        scopes_.bind(name.alias.empty() ? name.name : name.alias);
        made.names.push_back(std::move(name));
        if (!accept(TokenKind::comma)) break;
        if (!parentheses && at(TokenKind::newline)) {
            return fail(list_.tokens[pos_ - 1], "trailing comma not allowed without surrounding parentheses");
        }
        if (parentheses && at(TokenKind::right_paren)) break;
    }
    if (parentheses && !expect(TokenKind::right_paren)) return false;
    add(block, std::move(made), begin);
    return true;
}

}  // namespace maskscope::script
