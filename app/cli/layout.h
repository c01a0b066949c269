// SPDX-License-Identifier: Apache-2.0
// Fitting text into the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace maskscope::cli {

// Columns of the terminal; 120 where stdout is none.
std::size_t text_width();
// Code points.
std::size_t width_of(std::string_view text);
// Words put on lines of at most `width` columns, each after the indent. Ends with a line break.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);
// Cut at the end with "..." where it is too long.
std::string shortened(std::string_view text, std::size_t width);
// On one line: each run of spaces and line breaks becomes one space.
std::string one_line(std::string_view text);

// "12.3 us", "4.56 ms"
std::string seconds_text(double seconds);

}  // namespace maskscope::cli
