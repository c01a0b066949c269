// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace maskscope {

namespace {

// Length of the well-formed sequence at the front of `text`, 0 when there is none.
std::size_t sequence_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    unsigned char low = 0x80;
    unsigned char high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
    } else {
        return 0;
    }
    if (text.size() < length || byte(1) < low || byte(1) > high) return 0;
    for (std::size_t i = 2; i < length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
    }
    return length;
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = sequence_length(text.substr(at));
        if (length == 0) return at;
        at += length;
    }
    return std::nullopt;
}

bool append_utf8(std::string& out, std::uint32_t code_point) {
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) return false;
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | (code_point >> 6U));
        put(0x80 | (code_point & 0x3FU));
    } else if (code_point < 0x10000) {
        put(0xE0 | (code_point >> 12U));
        put(0x80 | ((code_point >> 6U) & 0x3FU));
        put(0x80 | (code_point & 0x3FU));
    } else {
        put(0xF0 | (code_point >> 18U));
        put(0x80 | ((code_point >> 12U) & 0x3FU));
        put(0x80 | ((code_point >> 6U) & 0x3FU));
        put(0x80 | (code_point & 0x3FU));
    }
    return true;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t kLongest = 80;
    std::string out = "'";
    std::size_t at = 0;
    while (at < text.size() && out.size() < kLongest) {
        const std::size_t length = sequence_length(text.substr(at));
        const auto lead = static_cast<unsigned char>(text[at]);
        if (length == 0 || lead < 0x20 || lead == 0x7F) {
            fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(lead));
            ++at;
        } else {
            out += text.substr(at, length);
            at += length;
        }
    }
    if (at < text.size()) out += "...";
    out += "'";
    return out;
}

}  // namespace maskscope
