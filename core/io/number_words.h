// SPDX-License-Identifier: Apache-2.0
// How programs spell the numbers that are none: nan and the infinities.
#pragma once

#include <optional>
#include <string_view>

namespace maskscope::io {

// "nan", "inf", "infinity" with or without sign, upper or lower case.
std::optional<double> number_word(std::string_view text);

}  // namespace maskscope::io
