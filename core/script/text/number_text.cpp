// SPDX-License-Identifier: Apache-2.0
// Python's texts of numbers (https://docs.python.org/3/library/string.html#format-specification-mini-language).
#include "core/script/text/number_text.h"

#include "core/script/text/characters.h"
#include "core/script/text/language_error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace maskscope::script {
namespace {

struct Spec {
    std::string fill = " ";
    char align = 0;
    char sign = '-';
    bool alternate = false;
    bool zero = false;
    std::size_t width = 0;
    char grouping = 0;
    int precision = -1;
    char type = 0;
};

constexpr std::size_t kWidest = 100'000;

bool is_align(std::string_view text) {
    return text.size() == 1 && std::string_view("<>=^").find(text[0]) != std::string_view::npos;
}

Result<std::size_t> number_at(const std::vector<std::string>& letters, std::size_t& at) {
    std::size_t out = 0;
    while (at < letters.size() && letters[at].size() == 1 &&
           std::isdigit(static_cast<unsigned char>(letters[at][0])) != 0) {
        out = out * 10 + static_cast<std::size_t>(letters[at++][0] - '0');
        if (out > kWidest) return value_error("Too many decimal digits in format string");
    }
    return out;
}

Result<Spec> parse(const std::string& text, const char* type_name) {
    Spec out;
    const auto letters = characters(text);
    std::size_t at = 0;
    const auto peek = [&](std::string_view options) {
        return at < letters.size() && letters[at].size() == 1 && options.find(letters[at][0]) != std::string_view::npos;
    };
    if (letters.size() > 1 && is_align(letters[1])) {
        out.fill = letters[0];
        out.align = letters[1][0];
        at = 2;
    } else if (!letters.empty() && is_align(letters[0])) {
        out.align = letters[0][0];
        at = 1;
    }
    if (peek("+- ")) out.sign = letters[at++][0];
    if (peek("#")) {
        out.alternate = true;
        ++at;
    }
    if (peek("0")) {
        out.zero = true;
        ++at;
    }
    MS_TRY(width, number_at(letters, at));
    out.width = width;
    if (peek(",_")) out.grouping = letters[at++][0];
    if (peek(".")) {
        ++at;
        const std::size_t before = at;
        MS_TRY(precision, number_at(letters, at));
        if (at == before) return value_error("Format specifier missing precision");
        out.precision = static_cast<int>(precision);
    }
    if (at < letters.size()) {
        if (at + 1 < letters.size())
            return value_error("Invalid format specifier '{}' for object of type '{}'", text, type_name);
        out.type = letters[at].size() == 1 ? letters[at][0] : '?';
    }
    if (out.zero && out.align == 0) {
        out.fill = "0";
        out.align = '=';
    }
    return out;
}

std::string grouped(const std::string& digits, char mark, std::size_t every) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % every == 0) out += mark;
        out += digits[i];
    }
    return out;
}

std::string padded(const std::string& sign, const std::string& body, const Spec& spec, char usual) {
    const std::size_t length = characters(sign + body).size();
    const std::size_t room = spec.width > length ? spec.width - length : 0;
    const auto fill = [&](std::size_t count) {
        std::string out;
        for (std::size_t i = 0; i < count; ++i) out += spec.fill;
        return out;
    };
    switch (spec.align == 0 ? usual : spec.align) {
        case '<':
            return sign + body + fill(room);
        case '^':
            return fill(room / 2) + sign + body + fill(room - room / 2);
        case '=':
            return sign + fill(room) + body;
        default:
            return fill(room) + sign + body;
    }
}

std::string sign_of(bool negative, const Spec& spec) {
    if (negative) return "-";
    return spec.sign == '-' ? "" : std::string(1, spec.sign);
}

// The integer digits of a decimal text get their marks.
std::string with_groups(const std::string& text, const Spec& spec) {
    if (spec.grouping == 0) return text;
    const auto end =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(),
                                              [](char c) { return std::isdigit(static_cast<unsigned char>(c)) == 0; }) -
                                 text.begin());
    return grouped(text.substr(0, end), spec.grouping, 3) + text.substr(end);
}

Error unknown_code(char type, const char* type_name) {
    return value_error("Unknown format code '{}' for object of type '{}'", type, type_name);
}

}  // namespace

std::string float_repr(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    const double size = std::fabs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e16)) {
        // to_chars writes the exponent as Python does.
        std::array<char, 40> buffer{};
        const auto end =
            std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
        return {buffer.data(), end.ptr};
    }
    std::array<char, 40> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    std::string out(buffer.data(), end.ptr);
    if (out.find('.') == std::string::npos) out += ".0";
    return out;
}

Result<std::string> format_float(double value, const std::string& text) {
    MS_TRY(spec, parse(text, "float"));
    const bool negative = std::signbit(value) && !std::isnan(value);
    double size = std::fabs(value);
    std::string body;
    char type = spec.type;
    const int precision = spec.precision < 0 ? 6 : std::min(spec.precision, 1000);
    switch (type) {
        case 0:
            if (spec.precision < 0) {
                body = float_repr(size);
            } else {
                body = fmt::format("{:.{}g}", size, std::max(precision, 1));
                // Like g, but a whole number keeps one decimal.
                if (std::isfinite(size) && body.find_first_of(".e") == std::string::npos) body += ".0";
            }
            break;
        case 'e':
            body = fmt::format("{:.{}e}", size, precision);
            break;
        case 'E':
            body = fmt::format("{:.{}E}", size, precision);
            break;
        case 'f':
        case 'F':
            body = fmt::format("{:.{}f}", size, precision);
            break;
        case 'g':
        case 'n':
            body = spec.alternate ? fmt::format("{:#.{}g}", size, std::max(precision, 1))
                                  : fmt::format("{:.{}g}", size, std::max(precision, 1));
            break;
        case 'G':
            body = fmt::format("{:.{}G}", size, std::max(precision, 1));
            break;
        case '%':
            body = fmt::format("{:.{}f}", size * 100, precision);
            break;
        default:
            return unknown_code(type, "float");
    }
    if (!std::isfinite(value)) {
        body = std::isnan(value) ? "nan" : "inf";
        if (type == 'F' || type == 'E' || type == 'G') body = std::isnan(value) ? "NAN" : "INF";
    }
    body = with_groups(body, spec);
    if (type == '%') body += "%";
    return padded(sign_of(negative, spec), body, spec, '>');
}

Result<std::string> format_int(std::int64_t value, const std::string& text) {
    MS_TRY(spec, parse(text, "int"));
    const auto size = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    std::string body;
    std::string prefix;
    switch (spec.type) {
        case 0:
        case 'd':
        case 'n':
            if (spec.precision >= 0) return value_error("Precision not allowed in integer format specifier");
            body = fmt::format("{}", size);
            body = with_groups(body, spec);
            break;
        case 'b':
            body = fmt::format("{:b}", size);
            prefix = "0b";
            break;
        case 'o':
            body = fmt::format("{:o}", size);
            prefix = "0o";
            break;
        case 'x':
            body = fmt::format("{:x}", size);
            prefix = "0x";
            break;
        case 'X':
            body = fmt::format("{:X}", size);
            prefix = "0X";
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case '%':
            return format_float(static_cast<double>(value), text);
        default:
            return unknown_code(spec.type, "int");
    }
    if (!prefix.empty() && spec.grouping == '_') body = grouped(body, '_', 4);
    std::string sign = sign_of(value < 0, spec);
    if (spec.alternate) sign += prefix;
    return padded(sign, body, spec, '>');
}

Result<std::string> format_str(const std::string& value, const std::string& text) {
    MS_TRY(spec, parse(text, "str"));
    if (spec.type != 0 && spec.type != 's') return unknown_code(spec.type, "str");
    if (spec.align == '=' && !spec.zero) return value_error("'=' alignment not allowed in string format specifier");
    std::string body = value;
    if (spec.precision >= 0) {
        auto letters = characters(value);
        letters.resize(std::min(letters.size(), static_cast<std::size_t>(spec.precision)));
        body.clear();
        for (const auto& letter : letters) body += letter;
    }
    if (spec.align == '=') spec.align = '<';
    return padded("", body, spec, '<');
}

std::optional<double> float_from(const std::string& text) {
    std::string word;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0 || (!word.empty() && c == ' '))
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    while (word.ends_with(' ')) word.pop_back();
    bool negative = false;
    if (word.starts_with('+') || word.starts_with('-')) {
        negative = word[0] == '-';
        word.erase(0, 1);
    }
    if (word == "inf" || word == "infinity") return negative ? -HUGE_VAL : HUGE_VAL;
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    double out = 0;
    if (word.empty() || (std::isdigit(static_cast<unsigned char>(word[0])) == 0 && word[0] != '.')) return std::nullopt;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), out);
    if (read.ec == std::errc::result_out_of_range) return negative ? -HUGE_VAL : HUGE_VAL;
    if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
    return negative ? -out : out;
}

std::optional<std::int64_t> int_from(const std::string& text, int base) {
    std::size_t begin = text.find_first_not_of(" \t\n\r");
    if (begin == std::string::npos) return std::nullopt;
    const std::size_t end = text.find_last_not_of(" \t\n\r") + 1;
    std::string word = text.substr(begin, end - begin);
    std::erase(word, '_');
    if (word.starts_with('+')) word.erase(0, 1);
    std::int64_t out = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), out, base);
    if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
    return out;
}

}  // namespace maskscope::script
