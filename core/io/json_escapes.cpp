// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_escapes.h"

#include "core/base/utf8.h"

#include <algorithm>

namespace maskscope::io {

namespace {

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

char plain_escape(char c) {
    switch (c) {
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
        default:
            return c;  // a quote, a slash of either kind
    }
}

}  // namespace

std::optional<std::uint32_t> hex_code_unit(std::string_view digits) {
    if (digits.size() < 4) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : digits.substr(0, 4)) {
        const int digit = hex_value(c);
        if (digit < 0) return std::nullopt;
        value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    return value;
}

void append_unescaped(std::string& out, std::string_view raw) {
    while (!raw.empty()) {
        const std::size_t plain = std::min(raw.find('\\'), raw.size());
        out += raw.substr(0, plain);
        raw.remove_prefix(plain);
        if (raw.empty()) return;
        if (raw[1] != 'u') {
            out += plain_escape(raw[1]);
            raw.remove_prefix(2);
            continue;
        }
        auto code = hex_code_unit(raw.substr(2)).value_or(0);
        raw.remove_prefix(6);
        if (code >= 0xD800 && code <= 0xDBFF && raw.starts_with("\\u")) {
            const auto low = hex_code_unit(raw.substr(2)).value_or(0);
            if (low >= 0xDC00 && low <= 0xDFFF) {
                code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
                raw.remove_prefix(6);
            }
        }
        if (!append_utf8(out, code)) append_utf8(out, 0xFFFD);
    }
}

}  // namespace maskscope::io
