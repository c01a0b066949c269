// SPDX-License-Identifier: Apache-2.0
// Text that comes out of files: checked before it is shown, cut before it is quoted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope {

// Index of the first byte that is not part of well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

// Appends a code point; false for surrogates and beyond U+10FFFF.
bool append_utf8(std::string& out, std::uint32_t code_point);

// The text in quotes for a sentence: control characters and ill-formed bytes as \xNN, at most about 80 bytes.
// (Not named `quoted`: with a std::string argument that would also find std::quoted.)
std::string in_quotes(std::string_view text);

}  // namespace maskscope
