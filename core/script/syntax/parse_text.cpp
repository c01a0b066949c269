// SPDX-License-Identifier: Apache-2.0
#include "core/script/syntax/parse_text.h"

#include "core/script/syntax/parse_error.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace maskscope::script {

namespace {

struct Range {
    std::uint32_t first;
    std::uint32_t last;
};

// Beyond ASCII, sorted: what is neither letter nor mark nor digit.
constexpr Range kNotLetters[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB6},       {0xB8, 0xB9},       {0xBB, 0xBF},        {0xD7, 0xD7},
    {0xF7, 0xF7},     {0x2000, 0x203E}, {0x2041, 0x2053},   {0x2055, 0x2070},   {0x2072, 0x207E},    {0x2080, 0x208F},
    {0x209D, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},   {0x3000, 0x3004},   {0x3008, 0x3020},    {0x3030, 0x3030},
    {0xE000, 0xF8FF}, {0xFE10, 0xFE1F}, {0xFE35, 0xFE6F},   {0xFEFF, 0xFF0F},   {0xFF1A, 0xFF20},    {0xFF3B, 0xFF40},
    {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0xE00FF}, {0xF0000, 0x10FFFF},
};
constexpr Range kInvisible[] = {
    {0x0, 0x1F},      {0x7F, 0xA0},     {0xAD, 0xAD},     {0x2000, 0x200F}, {0x2028, 0x202F},
    {0x205F, 0x206F}, {0x3000, 0x3000}, {0xE000, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE00FF},
};

template <std::size_t count>
bool in_ranges(const Range (&ranges)[count], std::uint32_t code_point) {
    const auto* after = std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                                         [](std::uint32_t value, const Range& range) { return value < range.first; });
    return after != std::begin(ranges) && code_point <= std::prev(after)->last;
}

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

// Bytes of the well-formed sequence at `at` (RFC 3629), 0 when it is none.
std::uint32_t sequence_width(std::string_view text, std::size_t at) {
    const unsigned char lead = byte_at(text, at);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    const std::uint32_t width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (text.size() - at < width) return 0;
    for (std::size_t i = 1; i < width; ++i) {
        if ((byte_at(text, at + i) & 0xC0U) != 0x80) return 0;
    }
    const unsigned char second = byte_at(text, at + 1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool beyond = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
    return overlong || beyond ? 0 : width;
}

enum class PastedLine { prompt, output };

PastedLine kind_of(std::string_view line) {
    for (const std::string_view prompt : {">>>", "..."}) {
        if (line.substr(0, 3) == prompt && (line.size() == 3 || line[3] == ' ')) return PastedLine::prompt;
    }
    return PastedLine::output;
}

}  // namespace

std::optional<Error> unreadable(const Source& source) {
    const std::string& text = source.text();
    for (std::size_t at = 0; at < text.size();) {
        const auto offset = static_cast<std::uint32_t>(at);
        if (text[at] == '\0') {
            return syntax_error({offset, offset + 1}, source.line_at(offset),
                                "source code string cannot contain null bytes")
                .with_hint(MS_TEXT("This looks like a binary file or UTF-16 text; save the script as UTF-8"));
        }
        const std::uint32_t width = sequence_width(text, at);
        if (width == 0) {
            const unsigned byte = byte_at(text, at);
            const bool lead = byte >= 0xC2 && byte <= 0xF4;
            return syntax_error(
                       {offset, offset + 1}, source.line_at(offset),
                       fmt::format("(unicode error) 'utf-8' codec can't decode byte 0x{:02x} in position {}: {}", byte,
                                   at, lead ? "invalid continuation byte" : "invalid start byte"))
                .with_hint(MS_TEXT("The script is not UTF-8 text; save it as UTF-8"));
        }
        at += width;
    }
    return std::nullopt;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const std::uint32_t lead = byte_at(text, at);
    if (lead < 0x80) return {lead, 1};
    const std::uint32_t width = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t value = lead & (0x7FU >> width);
    for (std::size_t i = 1; i < width; ++i) value = (value << 6U) | (byte_at(text, at + i) & 0x3FU);
    return {value, width};
}

void append_utf8(std::string& out, std::uint32_t code_point) {
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) return put(code_point);
    if (code_point < 0x800) {
        put(0xC0U | (code_point >> 6U));
    } else {
        if (code_point < 0x10000) {
            put(0xE0U | (code_point >> 12U));
        } else {
            put(0xF0U | (code_point >> 18U));
            put(0x80U | ((code_point >> 12U) & 0x3FU));
        }
        put(0x80U | ((code_point >> 6U) & 0x3FU));
    }
    put(0x80U | (code_point & 0x3FU));
}

bool is_letter(std::uint32_t code_point) {
    return code_point >= 0x80 && !in_ranges(kNotLetters, code_point);
}

bool is_invisible(std::uint32_t code_point) {
    return in_ranges(kInvisible, code_point);
}

std::uint32_t newline_width(std::string_view text, std::size_t at) {
    if (at >= text.size()) return 0;
    if (text[at] == '\n') return 1;
    if (text[at] != '\r') return 0;
    return at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
}

std::uint32_t blank_prompts(std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n\f");
    if (first == std::string::npos || text[first] != '>') return 0;
    const std::size_t first_end = std::min(text.find_first_of("\r\n", first), text.size());
    if (kind_of(std::string_view(text).substr(first, first_end - first)) != PastedLine::prompt) return 0;
    const std::size_t before = text.find_last_of("\r\n", first);
    const std::size_t margin = before == std::string::npos ? first : first - before - 1;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const std::size_t code = std::min(text.find_first_not_of(" \t\f", at), end);
        const bool prompt = kind_of(std::string_view(text).substr(code, end - code)) == PastedLine::prompt;
        const std::size_t blank_end = prompt ? std::min(code + 4, end) : end;
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(code),
                  text.begin() + static_cast<std::ptrdiff_t>(blank_end), ' ');
        at = end + std::max<std::size_t>(1, newline_width(text, end));
    }
    return static_cast<std::uint32_t>(margin) + 4;
}

}  // namespace maskscope::script
