// SPDX-License-Identifier: GPL-3.0-or-later
// The small square in a label's colour; background is an empty frame.
#pragma once

#include "ui/kit/style.h"

#include <QPixmap>
#include <QRectF>

class QPainter;

namespace maskscope::ui {

QColor labelColour(const Style& style, double label);
void paintLabelSwatch(QPainter& painter, const Style& style, const QRectF& box, double label);
QPixmap labelSwatch(const Style& style, double label, double device_ratio);

}  // namespace maskscope::ui
