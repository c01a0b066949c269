// SPDX-License-Identifier: GPL-3.0-or-later
// The brush's outline under the mouse. It is the same at every place, so it is drawn once and then copied.
#pragma once

#include "core/mask/brush.h"

#include <QImage>
#include <QRect>

class QPainter;

namespace maskscope::ui {

struct MarkFrame;

class BrushMark {
public:
    void paint(QPainter& painter, const MarkFrame& frame, const mask::Brush& brush, mask::Position at);
    // Widget pixels that paint() draws on.
    static QRect box(const MarkFrame& frame, const mask::Brush& brush, mask::Position at);

private:
    struct Key {
        mask::Brush brush;
        double pitch = 0;
        double ratio = 0;
        double unit = 0;  // widget pixels a logical one
        friend bool operator==(const Key&, const Key&) = default;
    };
    Key key_;
    QImage image_;  // device pixels
    int pad_ = 0;   // around the outline in it
};

}  // namespace maskscope::ui
