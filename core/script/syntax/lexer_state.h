// SPDX-License-Identifier: Apache-2.0
// The lexer at work; tokenize() is its only user.
#pragma once

#include "core/script/syntax/lexer.h"

#include <string>
#include <utility>
#include <vector>

namespace maskscope::script {

class Lexer {
public:
    explicit Lexer(const Source& source);
    TokenList run() &&;

private:
    struct Bracket {
        char opener = '(';
        bool field = false;  // the { of a field in an f-string
        Token token;
    };
    struct FString {
        char quote = '"';
        std::uint32_t quote_width = 1;
        bool raw = false;
        bool in_text = true;  // else inside a field
        Token begin;
        std::vector<std::size_t> fields;  // for each open field, how many brackets were open with its {
    };
    struct Indent {
        int column = 0;      // a tab goes to the next multiple of 8
        int alt_column = 0;  // a tab is one column; when the two disagree, the indentation is ambiguous
    };

    // lexer.cpp
    void indentation();
    void change_indent(Indent indent);
    void code();
    void finish();
    void line_end();
    void comment();
    void continuation();
    void name();
    void operation();
    void open(TokenKind kind, bool field);
    bool close(TokenKind kind);
    void strange_character();

    // lexer_literals.cpp
    void number();
    void based_number(char base);
    bool digits();
    void end_of_number(const char* kind, std::uint32_t begin);
    void string(std::uint32_t begin);
    void unterminated_string(const Token& begin, bool triple);
    void fstring_text();
    void end_fstring_text(std::uint32_t begin, int line);
    void open_field();
    bool field_operation();

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool at_end() const { return at_ >= text_.size(); }
    Span from(std::uint32_t begin) const { return {begin, at_}; }
    bool in_field() const {
        return !fstrings_.empty() && !fstrings_.back().in_text && fstrings_.back().fields.back() == brackets_.size();
    }
    void push(TokenKind kind, Span span) { push(kind, span, line_); }
    void push(TokenKind kind, Span span, int line) { out_.tokens.push_back({kind, line, span}); }
    void fail(Error error);
    void fail(Span span, std::string words);
    void newline();  // steps over the line ending

    const Source& source_;
    TokenList out_;
    std::string_view text_;
    std::uint32_t at_ = 0;
    int line_ = 1;
    bool line_start_ = true;
    bool done_ = false;
    std::vector<Bracket> brackets_;
    std::vector<FString> fstrings_;
    std::vector<Indent> indents_;
    Token margin_;  // the indentation of the first line
};

bool is_name_start(std::string_view text, std::size_t at);
std::uint32_t name_end(std::string_view text, std::size_t at);

}  // namespace maskscope::script
