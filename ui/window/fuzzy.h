// SPDX-License-Identifier: GPL-3.0-or-later
// How well a few typed letters name something.
#pragma once

#include <QString>

namespace maskscope::ui {

// Larger is better; negative when the letters do not stand in `text` in this order. Upper and lower case are alike;
// starts of words and runs of letters count most.
int fuzzyScore(QStringView typed, QStringView text);

}  // namespace maskscope::ui
