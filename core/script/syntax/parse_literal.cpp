// SPDX-License-Identifier: Apache-2.0
// Numbers and f-strings.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_words.h"

#include <fmt/core.h>

#include <limits>

namespace maskscope::script {

ExprPtr Parser::number() {
    const Token& token = next();
    const std::string_view literal = text(token);
    const bool based = literal.size() > 1 && std::string_view("xXoObB").find(literal[1]) != std::string_view::npos;
    if (!based && literal.find_first_of(".eE") != std::string_view::npos) {
        return make(Constant{float_value(literal)}, token);
    }
    const auto value = integer_value(literal);
    if (!value || *value >= kLowestInteger) {
        Error error = input_error(MS_TEXT("this integer needs more than 64 bits"));
        error.type = "SyntaxError";
        return fail(placed(std::move(error), token.span, token.line)
                        .with_hint(MS_TEXT("Integers go up to 2**63 - 1 here, as in a tensor of int64; write a float "
                                           "such as 1e20, or float('inf')")));
    }
    return make(Constant{static_cast<std::int64_t>(*value)}, token);
}

// Literals side by side are one string; one of them with an f makes it an f-string.
ExprPtr Parser::strings() {
    const Token& begin = peek();
    Exprs values;
    bool formatted = false;
    while (at(TokenKind::string) || at(TokenKind::fstring_begin)) {
        if (at(TokenKind::fstring_begin)) {
            formatted = true;
            if (!fstring(values)) return nullptr;
            continue;
        }
        const Token& token = next();
        std::string_view literal = text(token);
        const std::size_t prefix = literal.find_first_of("\"'");
        const bool raw = literal.substr(0, prefix).find_first_of("rR") != std::string_view::npos;
        const char quote = literal[prefix];
        const bool triple =
            literal.size() >= prefix + 6 && literal[prefix + 1] == quote && literal[prefix + 2] == quote;
        const auto width = static_cast<std::uint32_t>(triple ? 3 : 1);
        const Span body{token.span.begin + static_cast<std::uint32_t>(prefix) + width, token.span.end - width};
        std::string decoded;
        if (!decode(token, body, raw, false, decoded) || !add_text(values, std::move(decoded), token)) return nullptr;
    }
    if (formatted) return make(FString{std::move(values)}, begin);
    if (values.empty()) return make(Constant{std::string()}, begin);
    return make(std::move(values.front()->node), begin);
}

// Text joins the text before it. Empty text is nothing.
bool Parser::add_text(Exprs& values, std::string text, const Token& begin) {
    if (text.empty()) return true;
    if (!values.empty()) {
        if (auto* constant = values.back()->as<Constant>()) {
            std::get<std::string>(constant->value) += text;
            values.back()->span.end = last_end_;
            return true;
        }
    }
    values.push_back(make(Constant{std::move(text)}, begin));
    return values.back() != nullptr;
}

bool Parser::fstring(Exprs& values) {
    const Token& begin = next();
    const std::string_view opening = text(begin);
    const bool raw = opening.find_first_of("rR") != std::string_view::npos;
    return fstring_values(raw, TokenKind::fstring_finish, values) && expect(TokenKind::fstring_finish);
}

// Texts and fields of an f-string, or of a format spec when `closer` is the field's brace.
bool Parser::fstring_values(bool raw, TokenKind closer, Exprs& values) {
    const bool in_spec = closer == TokenKind::right_brace;
    for (;;) {
        if (at(TokenKind::fstring_text)) {
            const Token& token = next();
            std::string decoded;
            if (!decode(token, token.span, raw, !in_spec, decoded)) return false;
            if (!add_text(values, std::move(decoded), token)) return false;
        } else if (at(TokenKind::left_brace)) {
            if (!fstring_field(raw, values)) return false;
        } else {
            return at(closer) || unexpected();
        }
    }
}

bool Parser::fstring_field(bool raw, Exprs& values) {
    const Token& begin = next();
    if (at(TokenKind::right_brace) || at(TokenKind::colon) || at(TokenKind::exclamation) || at(TokenKind::assign)) {
        return fail(peek(), fmt::format("f-string: valid expression required before '{}'", text(peek())));
    }
    FormattedValue field;
    field.value = star_expressions();
    if (!field.value) return false;
    bool shows_code = false;
    if (accept(TokenKind::assign)) {
        // f"{x = }" writes the code as it stands, spaces included.
        shows_code = true;
        const std::uint32_t code = begin.span.end;
        std::string written(list_.text_of({code, peek().span.begin}));
        if (!add_text(values, std::move(written), begin)) return false;
    }
    const bool converts = at(TokenKind::exclamation);
    if (converts && !conversion(field.conversion)) return false;
    if (at(TokenKind::colon)) {
        const Token& colon = next();
        FString format;
        if (!fstring_values(raw, TokenKind::right_brace, format.values)) return false;
        field.format_spec = make(std::move(format), colon);
        if (!field.format_spec) return false;
    } else if (shows_code && !converts) {
        field.conversion = 'r';
    }
    if (!at(TokenKind::right_brace)) {
        if (at(TokenKind::error)) return unexpected();
        if (converts || shows_code) return fail(peek(), "f-string: expecting ':' or '}'");
        if (begins_expression(peek().kind)) {
            return fail(*field.value, "f-string: invalid syntax. Perhaps you forgot a comma?");
        }
        return fail(peek(), "f-string: expecting '=', or '!', or ':', or '}'");
    }
    next();
    values.push_back(make(std::move(field), begin));
    return values.back() != nullptr;
}

// !r, !s or !a
bool Parser::conversion(char& found) {
    const Token& mark = next();
    if (!at(TokenKind::name)) {
        if (at(TokenKind::right_brace) || at(TokenKind::colon)) {
            return fail(mark, "f-string: missing conversion character");
        }
        return fail(mark, "f-string: invalid conversion character");
    }
    const Token& name = next();
    if (name.span.begin != mark.span.end) {
        return fail(mark, "f-string: conversion type must come right after the exclamation mark");
    }
    const std::string_view word = text(name);
    if (word != "r" && word != "s" && word != "a") {
        return fail(name, fmt::format("f-string: invalid conversion character '{}': expected 's', 'r', or 'a'", word));
    }
    found = word[0];
    return true;
}

}  // namespace maskscope::script
