// SPDX-License-Identifier: Apache-2.0
#include "core/io/number_words.h"

#include <algorithm>
#include <limits>

namespace maskscope::io {

std::optional<double> number_word(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto is = [&](std::string_view word) {
        return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                          [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    };
    if (is("nan")) return std::numeric_limits<double>::quiet_NaN();
    if (!is("inf") && !is("infinity")) return std::nullopt;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return negative ? -kInfinity : kInfinity;
}

}  // namespace maskscope::io
