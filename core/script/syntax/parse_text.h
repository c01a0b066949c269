// SPDX-License-Identifier: Apache-2.0
// The bytes of a script before they are cut into tokens.
#pragma once

#include "core/base/error.h"
#include "core/script/syntax/source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope::script {

// What keeps the text from being read at all: a null byte, or bytes that are not UTF-8.
std::optional<Error> unreadable(const Source& source);

struct CodePoint {
    std::uint32_t value = 0;
    std::uint32_t width = 1;  // bytes
};

// The character at `at`, of a text that unreadable() let pass.
CodePoint code_point_at(std::string_view text, std::size_t at);

void append_utf8(std::string& out, std::uint32_t code_point);

// Whether a character beyond ASCII may stand in a name. Wider than Python's rule for rare scripts' marks and digits.
bool is_letter(std::uint32_t code_point);
// Whether it shows nothing: a control, a space of typography, a mark of direction.
bool is_invisible(std::uint32_t code_point);

// Bytes of the line ending at `at`: 2 for \r\n, 1 for \n or \r, 0 where there is none.
std::uint32_t newline_width(std::string_view text, std::size_t at);

// For a text that begins with ">>> ": blanks ">>> " and "... " and the lines between that are output, byte for byte.
// Returns the columns that a prompt takes with the spaces before it, 0 when the text is no console session.
std::uint32_t blank_prompts(std::string& text);

}  // namespace maskscope::script
