// SPDX-License-Identifier: Apache-2.0
// What a script's text is made of.
#pragma once

#include "core/script/syntax/source.h"

#include <cstdint>
#include <string_view>

namespace maskscope::script {

enum class TokenKind : std::uint8_t {
    end,
    error,  // what the lexer could not read; its Error says why, and no token follows
    newline,
    indent,
    dedent,
    name,
    number,
    string,          // one literal with prefix and quotes
    fstring_begin,   // f" and its kin
    fstring_text,    // literal text between the fields, as written
    fstring_finish,  // the closing quotes

    // Operators, longest first among those that begin alike: the lexer takes the first that fits.
    ellipsis,
    power_assign,
    floor_divide_assign,
    shift_left_assign,
    shift_right_assign,
    not_equal,
    modulo_assign,
    bit_and_assign,
    multiply_assign,
    power,
    add_assign,
    subtract_assign,
    arrow,
    floor_divide,
    divide_assign,
    walrus,
    shift_left,
    less_equal,
    equal,
    greater_equal,
    shift_right,
    matmul_assign,
    bit_xor_assign,
    bit_or_assign,
    exclamation,  // only before a conversion in an f-string
    modulo,
    bit_and,
    left_paren,
    right_paren,
    multiply,
    add,
    comma,
    subtract,
    dot,
    divide,
    colon,
    semicolon,
    less,
    assign,
    greater,
    at,
    left_bracket,
    right_bracket,
    bit_xor,
    left_brace,
    bit_or,
    right_brace,
    invert,

    // Keywords, sorted as text.
    kw_false,
    kw_none,
    kw_true,
    kw_and,
    kw_as,
    kw_assert,
    kw_async,
    kw_await,
    kw_break,
    kw_class,
    kw_continue,
    kw_def,
    kw_del,
    kw_elif,
    kw_else,
    kw_except,
    kw_finally,
    kw_for,
    kw_from,
    kw_global,
    kw_if,
    kw_import,
    kw_in,
    kw_is,
    kw_lambda,
    kw_nonlocal,
    kw_not,
    kw_or,
    kw_pass,
    kw_raise,
    kw_return,
    kw_try,
    kw_while,
    kw_with,
    kw_yield,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::int32_t line = 1;
    Span span;
};

// "//=" or "lambda"; empty for kinds without one spelling.
std::string_view spelling(TokenKind kind);

// The longest operator at the front of `text`, or TokenKind::error.
TokenKind operator_at(std::string_view text);

// The keyword's kind, or TokenKind::name.
TokenKind keyword_or_name(std::string_view word);

// Whether an expression can begin with this token.
bool begins_expression(TokenKind kind);

}  // namespace maskscope::script
