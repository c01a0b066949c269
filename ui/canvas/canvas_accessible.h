// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas for screen readers: a graphic whose value is the sentence about the cell under the cursor.
#pragma once

#include <QString>

class QWidget;

namespace maskscope::ui {

// Once is enough; more calls do nothing.
void installCanvasAccessibility();
// Sets name and spoken value, and tells a listening screen reader.
void announceCanvas(QWidget& canvas, const QString& name, const QString& spoken);

}  // namespace maskscope::ui
