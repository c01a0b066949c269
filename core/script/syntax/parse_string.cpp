// SPDX-License-Identifier: Apache-2.0
// What a string's text stands for.
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_state.h"
#include "core/script/syntax/parse_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace maskscope::script {

namespace {

constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

// What a backslash and this letter stand for, or nothing.
std::optional<char> simple_escape(char letter) {
    switch (letter) {
        case '\\':
        case '\'':
        case '"':
            return letter;
        case 'a':
            return '\a';
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'v':
            return '\v';
        default:
            return std::nullopt;
    }
}

std::size_t hex_digits(char letter) {
    return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

}  // namespace

// Decodes the bytes of `body`, part of `token`: escapes unless raw, doubled braces in the text of an f-string, any
// line ending as \n.
bool Parser::decode(const Token& token, Span body, bool raw, bool doubled_braces, std::string& out) {
    const std::string_view text = list_.text_of(body);
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (const std::uint32_t width = newline_width(text, at)) {
            out.push_back('\n');
            at += width;
            // A pasted "... " in a string over several lines is no part of it.
            for (std::uint32_t i = 0; i < list_.prompt_width && at < text.size() && text[at] == ' '; ++i) ++at;
        } else if (c == '\\' && !raw) {
            if (!escape(token, text, at, out)) return false;
        } else {
            out.push_back(c);
            at += doubled_braces && (c == '{' || c == '}') ? 2 : 1;
        }
    }
    return true;
}

// The escape at text[at], a backslash; steps over it.
bool Parser::escape(const Token& token, std::string_view text, std::size_t& at, std::string& out) {
    const std::size_t begin = at++;
    if (at == text.size()) {
        out.push_back('\\');
        return true;
    }
    const char letter = text[at];
    if (const std::uint32_t width = newline_width(text, at)) {
        at += width;
        return true;
    }
    if (const auto simple = simple_escape(letter)) {
        out.push_back(*simple);
        ++at;
        return true;
    }
    if (letter >= '0' && letter <= '7') {
        std::uint32_t value = 0;
        for (int i = 0; i < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++i, ++at) {
            value = value * 8 + static_cast<std::uint32_t>(text[at] - '0');
        }
        append_utf8(out, value);
        return true;
    }
    if (letter == 'N') return fail(not_in_script(token.span, token.line, "a character by its name, as in \\N{...},"));
    const std::size_t count = hex_digits(letter);
    if (count == 0) {
        out.push_back('\\');  // no escape: Python keeps the backslash
        return true;
    }
    ++at;
    const std::string_view digits = text.substr(at, count);
    std::uint32_t value = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (problem != std::errc{} || end != digits.data() + count) {
        const auto read = static_cast<std::size_t>(end - digits.data());
        return fail(token, fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: "
                                       "truncated \\{}{} escape",
                                       begin, begin + 1 + read, letter, std::string(count, 'X')));
    }
    at += count;
    if (value > kLastCodePoint) {
        return fail(token, fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: "
                                       "illegal Unicode character",
                                       begin, begin + 1 + count));
    }
    if (value >= 0xD800 && value <= 0xDFFF) return fail(not_in_script(token.span, token.line, "half a surrogate pair"));
    append_utf8(out, value);
    return true;
}

}  // namespace maskscope::script
