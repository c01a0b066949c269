// SPDX-License-Identifier: Apache-2.0
// Numbers, strings and f-strings.
#include "core/script/syntax/lexer_state.h"
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace maskscope::script {

namespace {

constexpr std::size_t kMostFStrings = 150;  // one inside the other, as in CPython
constexpr std::size_t kMostFields = 3;      // fields in format specs of fields

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool has_letter(std::string_view prefix, char letter) {
    return prefix.find(letter) != std::string_view::npos ||
           prefix.find(static_cast<char>(letter - 0x20)) != std::string_view::npos;
}

}  // namespace

// Digits with single underscores between them. False when an underscore stands wrong.
bool Lexer::digits() {
    for (;;) {
        while (is_digit(peek())) ++at_;
        if (peek() != '_') return true;
        ++at_;
        if (!is_digit(peek())) return false;
    }
}

void Lexer::number() {
    const std::uint32_t begin = at_;
    const char base = static_cast<char>(peek(1) | 0x20);
    if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) return based_number(base);
    const auto invalid = [&] { fail(from(begin), "invalid decimal literal"); };
    if (!digits()) return invalid();
    const std::string_view whole = text_.substr(begin, at_ - begin);
    const bool leading_zero =
        whole.size() > 1 && whole[0] == '0' && whole.find_first_not_of("0_") != std::string_view::npos;
    bool integer = true;
    if (peek() == '.') {
        ++at_;
        integer = false;
        if (is_digit(peek()) && !digits()) return invalid();
    }
    if (peek() == 'e' || peek() == 'E') {
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
        if (is_digit(peek(sign))) {
            at_ += static_cast<std::uint32_t>(sign);
            integer = false;
            if (!digits()) return invalid();
        } else if (sign == 2) {
            at_ += 2;
            return invalid();
        }
    }
    if ((peek() == 'j' || peek() == 'J') && name_end(text_, at_) == at_ + 1) {
        ++at_;
        return fail(not_in_script(from(begin), line_, "a complex number"));
    }
    if (integer && leading_zero) {
        return fail(from(begin),
                    "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers");
    }
    end_of_number("decimal", begin);
}

void Lexer::based_number(char base) {
    const std::uint32_t begin = at_;
    const char* kind = base == 'x' ? "hexadecimal" : base == 'o' ? "octal" : "binary";
    const char last = base == 'o' ? '7' : '1';
    at_ += 2;
    bool any = false;
    for (;;) {
        if (peek() == '_') ++at_;
        const char c = peek();
        if (base == 'x' ? is_hex_digit(c) : (c >= '0' && c <= last)) {
            any = true;
            ++at_;
            continue;
        }
        if (is_digit(c)) return fail({at_, at_ + 1}, fmt::format("invalid digit '{}' in {} literal", c, kind));
        break;
    }
    if (!any || text_[at_ - 1] == '_') return fail(from(begin), fmt::format("invalid {} literal", kind));
    end_of_number(kind, begin);
}

// A name may not follow a number directly; a keyword may, as in `1if x else 2`.
void Lexer::end_of_number(const char* kind, std::uint32_t begin) {
    const std::uint32_t end = at_;
    if (is_name_start(text_, at_)) {
        const std::uint32_t word_end = name_end(text_, at_);
        const std::string_view word = text_.substr(at_, word_end - at_);
        const bool keyword = word == "and" || word == "else" || word == "for" || word == "if" || word == "in" ||
                             word == "is" || word == "not" || word == "or";
        if (!keyword) return fail({begin, word_end}, fmt::format("invalid {} literal", kind));
    }
    push(TokenKind::number, {begin, end});
}

void Lexer::string(std::uint32_t begin) {
    const std::string_view prefix = text_.substr(begin, at_ - begin);
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    const Token start{TokenKind::string, line_, {begin, at_ + (triple ? 3U : 1U)}};
    at_ = start.span.end;
    if (has_letter(prefix, 'f')) {
        if (fstrings_.size() >= kMostFStrings) return fail(start.span, "too many nested f-strings");
        fstrings_.push_back({quote, triple ? 3U : 1U, has_letter(prefix, 'r'), true, start, {}});
        return push(TokenKind::fstring_begin, start.span);
    }
    for (;;) {
        if (at_end() || (!triple && newline_width(text_, at_) != 0)) return unterminated_string(start, triple);
        const char c = peek();
        if (newline_width(text_, at_) != 0) {
            newline();
        } else if (c == '\\') {
            ++at_;
            if (newline_width(text_, at_) != 0) {
                newline();
            } else if (!at_end()) {
                ++at_;
            }
        } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
            at_ += triple ? 3U : 1U;
            if (has_letter(prefix, 'b')) {
                return fail(
                    not_in_script(from(begin), start.line, "a bytes literal").with_hint(MS_TEXT("Leave out the b")));
            }
            return push(TokenKind::string, from(begin), start.line);
        } else {
            ++at_;
        }
    }
}

void Lexer::unterminated_string(const Token& begin, bool triple) {
    const bool formatted = begin.kind == TokenKind::fstring_begin;
    if (!formatted && !fstrings_.empty() && fstrings_.back().quote == text_[begin.span.end - 1] &&
        fstrings_.back().quote_width == (triple ? 3U : 1U)) {
        // What looks like a string inside a field is the end of the f-string around it.
        return fail(syntax_error(begin.span, begin.line, "f-string: expecting '}'"));
    }
    const std::string_view text = text_;
    const bool after_last_line = at_end() && !text.empty() && (text.back() == '\n' || text.back() == '\r');
    Error error = syntax_error(
        begin.span, begin.line,
        fmt::format("unterminated {}{}string literal (detected at line {})", triple ? "triple-quoted " : "",
                    formatted ? "f-" : "", after_last_line ? line_ - 1 : line_));
    if (!triple) {
        error = std::move(error).with_hint(MS_TEXT("Close it with {} on the same line"),
                                           text_.substr(begin.span.end - 1, 1));
    }
    fail(std::move(error));
}

void Lexer::fstring_text() {
    const std::uint32_t begin = at_;
    const int begin_line = line_;
    FString& string = fstrings_.back();
    const bool in_spec = !string.fields.empty();
    const auto closes = [&] {
        return peek() == string.quote &&
               (string.quote_width == 1 || (peek(1) == string.quote && peek(2) == string.quote));
    };
    while (!closes()) {
        const char c = peek();
        if (at_end() || (string.quote_width == 1 && newline_width(text_, at_) != 0)) {
            Token start = string.begin;
            start.kind = TokenKind::fstring_begin;
            return unterminated_string(start, string.quote_width == 3);
        }
        if (newline_width(text_, at_) != 0) {
            newline();
        } else if (c == '\\') {
            ++at_;
            if (newline_width(text_, at_) != 0) {
                newline();
            } else if (!at_end() && peek() != '{' && peek() != '}') {
                ++at_;
            }
        } else if (c == '{' && peek(1) == '{' && !in_spec) {
            at_ += 2;
        } else if (c == '{') {
            end_fstring_text(begin, begin_line);
            return open_field();
        } else if (c == '}' && in_spec) {
            end_fstring_text(begin, begin_line);
            string.in_text = false;
            return;
        } else if (c == '}' && peek(1) == '}') {
            at_ += 2;
        } else if (c == '}') {
            return fail({at_, at_ + 1}, "f-string: single '}' is not allowed");
        } else {
            ++at_;
        }
    }
    if (in_spec) return fail({at_, at_ + string.quote_width}, "f-string: expecting '}'");
    end_fstring_text(begin, begin_line);
    const std::uint32_t quotes = at_;
    at_ += string.quote_width;
    push(TokenKind::fstring_finish, from(quotes));
    fstrings_.pop_back();
}

void Lexer::end_fstring_text(std::uint32_t begin, int line) {
    if (at_ > begin) push(TokenKind::fstring_text, from(begin), line);
}

void Lexer::open_field() {
    FString& string = fstrings_.back();
    if (string.fields.size() >= kMostFields) {
        return fail({at_, at_ + 1}, "f-string: expressions nested too deeply");
    }
    open(TokenKind::left_brace, true);
    string.fields.push_back(brackets_.size());
    string.in_text = false;
}

// What has a meaning of its own between a field's braces, outside of inner brackets. False when it is ordinary code.
bool Lexer::field_operation() {
    const char c = peek();
    if (c == '!' ? peek(1) == '=' : c != '}' && c != ':') return false;
    FString& string = fstrings_.back();
    if (c == '}') {
        brackets_.pop_back();
        string.fields.pop_back();
    }
    string.in_text = c != '!';
    push(c == '}' ? TokenKind::right_brace : c == ':' ? TokenKind::colon : TokenKind::exclamation, {at_, at_ + 1});
    ++at_;
    return true;
}

}  // namespace maskscope::script
