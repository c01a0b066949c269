// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_scanner.h"

#include "core/base/utf8.h"
#include "core/io/json_escapes.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace maskscope::io {

namespace {

constexpr std::size_t kMaxDepth = 512;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

char JsonScanner::peek() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
        ++at_;
    }
    return '\0';
}

const char* JsonScanner::kind() {
    switch (const char c = peek()) {
        case '{':
            return MS_TEXT("an object");
        case '[':
            return MS_TEXT("a list");
        case '"':
            return MS_TEXT("a string");
        case 't':
        case 'f':
            return MS_TEXT("true or false");
        case 'n':
            return MS_TEXT("null");
        case '\0':
            return MS_TEXT("the end of the file");
        default:
            return is_digit(c) || c == '-' || c == 'N' || c == 'I' ? MS_TEXT("a number")
                                                                   : MS_TEXT("something that is not JSON");
    }
}

bool JsonScanner::unexpected(const char* wanted) {
    return fail(input_error(MS_TEXT("{} stands where {} belongs"), kind(), wanted));
}

bool JsonScanner::expect(char c, const char* what) {
    if (peek() != c) return unexpected(what);
    ++at_;
    return true;
}

bool JsonScanner::object(FunctionRef<bool(std::string_view key)> body) {
    if (!expect('{', MS_TEXT("an object"))) return false;
    if (peek() == '}') {
        ++at_;
        return true;
    }
    while (true) {
        if (peek() != '"') return unexpected(MS_TEXT("a key in quotes"));
        const std::size_t begin = at_ + 1;
        if (!skip_string()) return false;
        std::string_view key = text_.substr(begin, at_ - 1 - begin);
        if (key.find('\\') != std::string_view::npos) {
            key_.clear();
            append_unescaped(key_, key);
            key = key_;
        }
        if (!expect(':', MS_TEXT("a colon")) || !body(key)) return false;
        if (peek() == '}') break;
        if (!expect(',', MS_TEXT("a comma or the object's end"))) return false;
    }
    ++at_;
    return true;
}

bool JsonScanner::array(FunctionRef<bool(std::size_t index)> body) {
    if (!expect('[', MS_TEXT("a list"))) return false;
    if (peek() == ']') {
        ++at_;
        return true;
    }
    for (std::size_t index = 0;; ++index) {
        if (!body(index)) return false;
        if (peek() == ']') break;
        if (!expect(',', MS_TEXT("a comma or the list's end"))) return false;
    }
    ++at_;
    return true;
}

bool JsonScanner::skip_escape() {
    const std::size_t begin = at_;
    ++at_;
    if (at_ == text_.size()) return fail(input_error(MS_TEXT("the file ends inside a string")));
    if (text_[at_] == 'u') {
        if (!hex_code_unit(text_.substr(at_ + 1))) {
            return fail_at(input_error(MS_TEXT("\\u is not followed by four hexadecimal digits")), begin);
        }
        at_ += 5;
        return true;
    }
    if (std::string_view("\"\\/bfnrt").find(text_[at_]) == std::string_view::npos) {
        return fail_at(input_error(MS_TEXT("a string has an escape that JSON does not know")), begin);
    }
    ++at_;
    return true;
}

bool JsonScanner::skip_string() {
    ++at_;
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '"') {
            ++at_;
            return true;
        }
        if (c == '\\') {
            if (!skip_escape()) return false;
            continue;
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            return fail(input_error(MS_TEXT("a string has a control character")));
        }
        ++at_;
    }
    return fail(input_error(MS_TEXT("the file ends inside a string")));
}

bool JsonScanner::skip_key() {
    if (peek() != '"') return unexpected(MS_TEXT("a key in quotes"));
    return skip_string() && expect(':', MS_TEXT("a colon"));
}

bool JsonScanner::string(std::string& out) {
    if (peek() != '"') return unexpected(MS_TEXT("a string"));
    const std::size_t begin = at_ + 1;
    if (!skip_string()) return false;
    const std::string_view raw = text_.substr(begin, at_ - 1 - begin);
    if (const auto bad = first_invalid_utf8(raw)) {
        return fail_at(input_error(MS_TEXT("a string is not UTF-8 text")), begin + *bad);
    }
    out.clear();
    append_unescaped(out, raw);
    return true;
}

bool JsonScanner::word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return unexpected(MS_TEXT("a value"));
    at_ += word.size();
    return true;
}

bool JsonScanner::number_token(std::string_view& out) {
    const char first = peek();
    if (!is_digit(first) && first != '-' && first != 'N' && first != 'I') return unexpected(MS_TEXT("a number"));
    const std::size_t begin = at_;
    const auto digits = [&] {
        const std::size_t from = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        return at_ > from;
    };
    const auto next = [&] { return at_ < text_.size() ? text_[at_] : '\0'; };
    if (first == '-') ++at_;
    if (next() == 'N' || next() == 'I') {
        if (!word(next() == 'N' && first != '-' ? "NaN" : "Infinity")) return false;
    } else {
        const bool zero = next() == '0';
        const std::size_t whole_part = at_;
        bool good = digits() && (!zero || at_ == whole_part + 1);
        if (good && next() == '.') {
            ++at_;
            good = digits();
        }
        if (good && (next() == 'e' || next() == 'E')) {
            ++at_;
            if (next() == '+' || next() == '-') ++at_;
            good = digits();
        }
        if (!good) return fail_at(input_error(MS_TEXT("this is no number of JSON")), begin);
    }
    out = text_.substr(begin, at_ - begin);
    return true;
}

bool JsonScanner::number(double& out) {
    std::string_view token;
    if (!number_token(token)) return false;
    if (token.ends_with('N')) {
        out = std::numeric_limits<double>::quiet_NaN();
    } else if (token.ends_with('y')) {
        out = token.front() == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else {
        const auto read = std::from_chars(token.data(), token.data() + token.size(), out);
        // Beyond a double's range: too large, or too small to differ from zero.
        if (read.ec != std::errc()) {
            const auto power = token.find_first_of("eE");
            const bool tiny = power != std::string_view::npos && token[power + 1] == '-';
            out = tiny ? 0 : std::numeric_limits<double>::infinity();
        }
    }
    return true;
}

bool JsonScanner::whole(std::int64_t& out, std::string_view name) {
    peek();
    const std::size_t begin = at_;
    const char* found = kind();
    std::string_view token;
    if (std::string_view(found) != "a number") {
        return fail(input_error(MS_TEXT("{} is {}; it has to be a whole number"), in_quotes(name), found));
    }
    if (!number_token(token)) return false;
    const char* last = token.data() + token.size();
    const auto read = std::from_chars(token.data(), last, out);
    if (read.ec == std::errc() && read.ptr == last) return true;
    double value = 0;
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const auto real = std::from_chars(token.data(), last, value);
    if (read.ec == std::errc() && real.ec == std::errc() && std::abs(value) <= kExact && std::trunc(value) == value) {
        out = static_cast<std::int64_t>(value);
        return true;
    }
    return fail_at(
        input_error(MS_TEXT("{} is {}; it has to be a whole number of 64 bits"), in_quotes(name), token.substr(0, 40)),
        begin);
}

bool JsonScanner::flag(bool& out, std::string_view name) {
    const char c = peek();
    if (c == 't' || c == 'f') {
        out = c == 't';
        return word(out ? "true" : "false");
    }
    std::int64_t value = 0;
    const std::size_t begin = at_;
    if (!whole(value, name)) return false;
    if (value != 0 && value != 1) {
        return fail_at(input_error(MS_TEXT("{} is {}; it has to be 0 or 1"), in_quotes(name), value), begin);
    }
    out = value == 1;
    return true;
}

bool JsonScanner::skip_scalar() {
    switch (peek()) {
        case '"':
            return skip_string();
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default: {
            std::string_view token;
            return number_token(token);
        }
    }
}

bool JsonScanner::skip() {
    std::string ends;  // of the objects and lists that are open
    while (true) {
        const char c = peek();
        if (c == '[' || c == '{') {
            if (ends.size() == kMaxDepth) {
                return fail(input_error(MS_TEXT("the values are nested more than {} deep"), kMaxDepth));
            }
            ends.push_back(c == '[' ? ']' : '}');
            ++at_;
            if (peek() != ends.back()) {
                if (c == '{' && !skip_key()) return false;
                continue;
            }
        } else if (!skip_scalar()) {
            return false;
        }
        while (!ends.empty() && peek() == ends.back()) {
            ++at_;
            ends.pop_back();
        }
        if (ends.empty()) return true;
        if (!expect(',', MS_TEXT("a comma or a closing bracket"))) return false;
        if (ends.back() == '}' && !skip_key()) return false;
    }
}

bool JsonScanner::skip(std::array<std::size_t, 2>& bytes) {
    peek();
    bytes[0] = at_;
    if (!skip()) return false;
    bytes[1] = at_;
    return true;
}

bool JsonScanner::end() {
    if (peek() == '\0' && at_ == text_.size()) return true;
    return fail(input_error(MS_TEXT("something stands behind the end of the JSON")));
}

}  // namespace maskscope::io
