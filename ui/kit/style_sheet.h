// SPDX-License-Identifier: GPL-3.0-or-later
// The one style sheet, filled with the theme's colours and the interface size.
#pragma once

#include <QString>

namespace maskscope::ui {

class Style;

QString styleSheet(const Style& style);

}  // namespace maskscope::ui
