// SPDX-License-Identifier: Apache-2.0
// What stands behind a backslash in JSON's strings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope::io {

// The four digits behind \u; nothing when they are not hexadecimal.
std::optional<std::uint32_t> hex_code_unit(std::string_view digits);

// The text of a string whose escapes have been checked. A lone surrogate becomes U+FFFD.
void append_unescaped(std::string& out, std::string_view raw);

}  // namespace maskscope::io
