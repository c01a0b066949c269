// SPDX-License-Identifier: Apache-2.0
// Lines, indentation, names, operators and brackets.
#include "core/script/syntax/lexer.h"

#include "core/script/syntax/lexer_state.h"
#include "core/script/syntax/parse_error.h"
#include "core/script/syntax/parse_text.h"

#include <fmt/core.h>

namespace maskscope::script {

namespace {

constexpr std::size_t kMostIndents = kDeepestBlock;

bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// r, u, b, f and their pairs, in either case.
bool is_string_prefix(std::string_view word) {
    if (word.size() > 2) return false;
    std::string lower;
    for (const char c : word) lower.push_back(static_cast<char>(c | 0x20));
    for (const char* prefix : {"r", "u", "b", "f", "rb", "br", "rf", "fr"}) {
        if (lower == prefix) return true;
    }
    return false;
}

char closer_of(char opener) {
    return opener == '(' ? ')' : opener == '[' ? ']' : '}';
}

}  // namespace

bool is_name_start(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    return is_ascii_letter(text[at]) || is_letter(code_point_at(text, at).value);
}

std::uint32_t name_end(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_digit(text[at]) || is_name_start(text, at))) at += code_point_at(text, at).width;
    return static_cast<std::uint32_t>(at);
}

Lexer::Lexer(const Source& source) : source_(source) {
    out_.text = source.text();
    if (out_.text.compare(0, 3, "\xEF\xBB\xBF") == 0) at_ = 3;
    out_.prompt_width = blank_prompts(out_.text);
    text_ = out_.text;
    out_.tokens.reserve(text_.size() / 3 + 4);
}

TokenList Lexer::run() && {
    while (!done_) {
        if (!fstrings_.empty() && fstrings_.back().in_text) {
            fstring_text();
        } else if (line_start_) {
            indentation();
        } else {
            code();
        }
    }
    return std::move(out_);
}

void Lexer::fail(Error error) {
    const auto span = error.where.span.value();
    push(TokenKind::error, {static_cast<std::uint32_t>(span[0]), static_cast<std::uint32_t>(span[1])},
         error.where.line.value());
    out_.error = std::move(error);
    done_ = true;
}

void Lexer::fail(Span span, std::string words) {
    fail(syntax_error(span, line_, std::move(words)));
}

void Lexer::newline() {
    at_ += newline_width(text_, at_);
    ++line_;
}

void Lexer::indentation() {
    Indent indent;
    for (;; ++at_) {
        const char c = peek();
        if (c == ' ') {
            ++indent.column;
            ++indent.alt_column;
        } else if (c == '\t') {
            indent.column = (indent.column / 8 + 1) * 8;
            ++indent.alt_column;
        } else if (c == '\f') {
            indent = {};
        } else {
            break;
        }
    }
    if (peek() == '#') comment();
    if (newline_width(text_, at_) != 0) return newline();
    line_start_ = false;
    if (at_end()) return finish();
    change_indent(indent);
}

void Lexer::change_indent(Indent indent) {
    const Span here{at_, at_};
    const Span margin{source_.line_span(line_).begin, at_};
    if (indents_.empty()) {  // the whole text may be indented
        margin_ = {TokenKind::indent, line_, margin};
        return indents_.push_back(indent);
    }
    const auto tab_error = [&] {
        fail(python_error("TabError", margin, line_, "inconsistent use of tabs and spaces in indentation")
                 .with_hint(MS_TEXT("Indent with spaces only")));
    };
    const Indent now = indents_.back();
    if (indent.column == now.column) {
        if (indent.alt_column != now.alt_column) tab_error();
        return;
    }
    if (indent.column > now.column) {
        if (indent.alt_column <= now.alt_column) return tab_error();
        if (indents_.size() > kMostIndents) {
            return fail(python_error("IndentationError", margin, line_, "too many levels of indentation"));
        }
        indents_.push_back(indent);
        return push(TokenKind::indent, margin);
    }
    if (indent.column < indents_.front().column) {
        return fail(
            python_error("IndentationError", margin_.span, margin_.line, "unexpected indent")
                .with_hint(MS_TEXT("Line {} is indented and line {} is less so; the outermost lines must agree"),
                           margin_.line, line_));
    }
    while (indent.column < indents_.back().column) {
        indents_.pop_back();
        push(TokenKind::dedent, here);
    }
    if (indent.column != indents_.back().column) {
        return fail(
            python_error("IndentationError", margin, line_, "unindent does not match any outer indentation level")
                .with_hint(MS_TEXT("This line has {} columns of indentation; the lines around it have {} or {}"),
                           indent.column, indents_.back().column, now.column));
    }
    if (indent.alt_column != indents_.back().alt_column) tab_error();
}

void Lexer::code() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\f') ++at_;
    if (at_end()) return finish();
    if (newline_width(text_, at_) != 0) return line_end();
    const char c = peek();
    if (c == '#') return comment();
    if (c == '\\') return continuation();
    if (is_name_start(text_, at_)) return name();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '"' || c == '\'') return string(at_);
    operation();
}

void Lexer::finish() {
    if (!brackets_.empty()) {
        const Bracket& open = brackets_.back();
        const Position position = source_.position(open.token.span.begin);
        return fail(syntax_error(open.token.span, open.token.line, fmt::format("'{}' was never closed", open.opener))
                        .with_hint(MS_TEXT("It opens in line {}, column {}; the text ends without its '{}'"),
                                   position.line, position.column, std::string(1, closer_of(open.opener))));
    }
    const Span here{at_, at_};
    if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::newline) push(TokenKind::newline, here);
    for (std::size_t i = 1; i < indents_.size(); ++i) push(TokenKind::dedent, here);
    push(TokenKind::end, here);
    done_ = true;
}

void Lexer::line_end() {
    const std::uint32_t width = newline_width(text_, at_);
    if (brackets_.empty()) {
        if (!out_.tokens.empty() && out_.tokens.back().kind != TokenKind::newline) {
            push(TokenKind::newline, {at_, at_ + width});
        }
        line_start_ = true;
    }
    newline();
}

void Lexer::comment() {
    const std::uint32_t begin = at_;
    while (!at_end() && newline_width(text_, at_) == 0) ++at_;
    out_.comments.push_back({line_, from(begin), std::string(text_.substr(begin, at_ - begin))});
}

void Lexer::continuation() {
    const std::uint32_t begin = at_++;
    if (newline_width(text_, at_) == 0) {
        if (at_end()) return fail(from(begin), "unexpected EOF while parsing");
        fail(syntax_error(from(begin), line_, "unexpected character after line continuation character")
                 .with_hint(MS_TEXT("A \\ goes on to the next line and must be the last character of its own")));
        return;
    }
    const Span here = from(begin);
    const int line = line_;
    newline();
    if (at_end()) fail(syntax_error(here, line, "unexpected EOF while parsing"));
}

void Lexer::name() {
    const std::uint32_t begin = at_;
    at_ = name_end(text_, at_);
    const std::string_view word = text_.substr(begin, at_ - begin);
    if ((peek() == '"' || peek() == '\'') && is_string_prefix(word)) return string(begin);
    push(keyword_or_name(word), from(begin));
}

void Lexer::operation() {
    if (in_field() && field_operation()) return;
    const TokenKind kind = operator_at(text_.substr(at_));
    if (kind == TokenKind::error || kind == TokenKind::exclamation) return strange_character();
    switch (kind) {
        case TokenKind::left_paren:
        case TokenKind::left_bracket:
        case TokenKind::left_brace:
            return open(kind, false);
        case TokenKind::right_paren:
        case TokenKind::right_bracket:
        case TokenKind::right_brace:
            if (!close(kind)) return;
            break;
        default:
            break;
    }
    const std::uint32_t begin = at_;
    at_ += static_cast<std::uint32_t>(spelling(kind).size());
    push(kind, from(begin));
}

void Lexer::open(TokenKind kind, bool field) {
    const Token token{kind, line_, {at_, at_ + 1}};
    if (brackets_.size() >= kMostBrackets) return fail(token.span, "too many nested parentheses");
    brackets_.push_back({peek(), field, token});
    out_.tokens.push_back(token);
    ++at_;
}

// Takes the bracket that `kind` closes off the stack.
bool Lexer::close(TokenKind kind) {
    const Span here{at_, at_ + 1};
    const char closer = spelling(kind)[0];
    const char* where = fstrings_.empty() ? "" : "f-string: ";
    if (brackets_.empty()) {
        fail(here, fmt::format("{}unmatched '{}'", where, closer));
        return false;
    }
    const Bracket& open = brackets_.back();
    if (closer_of(open.opener) == closer) {
        brackets_.pop_back();
        return true;
    }
    if (open.field) {
        fail(here, fmt::format("f-string: unmatched '{}'", closer));
        return false;
    }
    const std::string on_line = open.token.line == line_ ? "" : fmt::format(" on line {}", open.token.line);
    fail(here, fmt::format("{}closing parenthesis '{}' does not match opening parenthesis '{}'{}", where, closer,
                           open.opener, on_line));
    return false;
}

void Lexer::strange_character() {
    const CodePoint character = code_point_at(text_, at_);
    const Span span{at_, at_ + character.width};
    if (character.value < 0x80 && !is_invisible(character.value)) {
        Error error = syntax_error(span, line_, "invalid syntax");
        if (character.value == '!') error = std::move(error).with_hint(MS_TEXT("Python writes 'not' for '!'"));
        return fail(std::move(error));
    }
    if (is_invisible(character.value)) {
        return fail(
            syntax_error(span, line_, fmt::format("invalid non-printable character U+{:04X}", character.value))
                .with_hint(MS_TEXT("Text from a web page can hold such a character; type a plain space instead")));
    }
    Error error = syntax_error(span, line_,
                               fmt::format("invalid character '{}' (U+{:04X})", source_.text(span), character.value));
    switch (character.value) {
        case 0x2018:
        case 0x2019:
        case 0x201A:
        case 0x201B:
        case 0x2032:
            return fail(std::move(error).with_hint(MS_TEXT("A typographic quotation mark; type {} instead"), "'"));
        case 0x201C:
        case 0x201D:
        case 0x201E:
        case 0x201F:
        case 0x2033:
        case 0xAB:
        case 0xBB:
            return fail(std::move(error).with_hint(MS_TEXT("A typographic quotation mark; type {} instead"), "\""));
        case 0x2010:
        case 0x2011:
        case 0x2012:
        case 0x2013:
        case 0x2014:
        case 0x2212:
            return fail(std::move(error).with_hint(MS_TEXT("A typographic dash; type - instead")));
        default:
            return fail(std::move(error));
    }
}

TokenList tokenize(const Source& source) {
    return Lexer(source).run();
}

}  // namespace maskscope::script
