// SPDX-License-Identifier: Apache-2.0
// Numbers as a figure writes them: short, with U+2212 for minus.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::render {

// "1,234,567".
std::string count_text(std::int64_t count);
// With as many digits as it takes to tell the ticks apart: "1e−4", "0.01", "0.5", "200".
std::vector<std::string> tick_texts(const std::vector<double>& ticks);
// At most three significant digits in at most `letters` letters: ".284", "−1.2", "3e−5"; empty when nothing fits.
std::string cell_text(double value, int letters);

}  // namespace maskscope::render
