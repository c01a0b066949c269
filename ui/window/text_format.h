// SPDX-License-Identifier: GPL-3.0-or-later
// Facts as the window writes them.
#pragma once

#include <QString>

#include <cstdint>

namespace maskscope::ui {

// "27.0 KiB", "512 B"
QString bytesText(std::uint64_t bytes);
// Four significant digits with a true minus sign: "−1.2e−05", "0.5698".
QString shortNumber(double value);

}  // namespace maskscope::ui
