// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/token.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace maskscope::script {

namespace {

constexpr auto kFirstOperator = static_cast<std::size_t>(TokenKind::ellipsis);
constexpr auto kFirstKeyword = static_cast<std::size_t>(TokenKind::kw_false);

// Both in the order of TokenKind.
constexpr std::array<std::string_view, kFirstKeyword - kFirstOperator> kOperators = {
    "...", "**=", "//=", "<<=", ">>=", "!=", "%=", "&=", "*=", "**", "+=", "-=", "->", "//", "/=", ":=",
    "<<",  "<=",  "==",  ">=",  ">>",  "@=", "^=", "|=", "!",  "%",  "&",  "(",  ")",  "*",  "+",  ",",
    "-",   ".",   "/",   ":",   ";",   "<",  "=",  ">",  "@",  "[",  "]",  "^",  "{",  "|",  "}",  "~"};
constexpr std::array<std::string_view, static_cast<std::size_t>(TokenKind::kw_yield) + 1 - kFirstKeyword> kKeywords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

static_assert(kOperators.back() == "~" && kKeywords.back() == "yield");

}  // namespace

std::string_view spelling(TokenKind kind) {
    const auto index = static_cast<std::size_t>(kind);
    if (index < kFirstOperator) return {};
    return index < kFirstKeyword ? kOperators[index - kFirstOperator] : kKeywords[index - kFirstKeyword];
}

TokenKind operator_at(std::string_view text) {
    for (std::size_t i = 0; i < kOperators.size() && !text.empty(); ++i) {
        const std::string_view word = kOperators[i];
        if (word[0] == text[0] && text.substr(0, word.size()) == word)
            return static_cast<TokenKind>(kFirstOperator + i);
    }
    return TokenKind::error;
}

TokenKind keyword_or_name(std::string_view word) {
    const auto* found = std::lower_bound(kKeywords.begin(), kKeywords.end(), word);
    if (found == kKeywords.end() || *found != word) return TokenKind::name;
    return static_cast<TokenKind>(kFirstKeyword + static_cast<std::size_t>(found - kKeywords.begin()));
}

bool begins_expression(TokenKind kind) {
    switch (kind) {
        case TokenKind::name:
        case TokenKind::number:
        case TokenKind::string:
        case TokenKind::fstring_begin:
        case TokenKind::ellipsis:
        case TokenKind::left_paren:
        case TokenKind::left_bracket:
        case TokenKind::left_brace:
        case TokenKind::add:
        case TokenKind::subtract:
        case TokenKind::invert:
        case TokenKind::kw_not:
        case TokenKind::kw_lambda:
        case TokenKind::kw_true:
        case TokenKind::kw_false:
        case TokenKind::kw_none:
            return true;
        default:
            return false;
    }
}

}  // namespace maskscope::script
