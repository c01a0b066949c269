// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/label_swatch.h"

#include <QPainter>

#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {
constexpr double kSide = 12;
}

QColor labelColour(const Style& style, double label) {
    const auto id = static_cast<std::int64_t>(std::ceil(std::abs(label)));
    return QColor::fromRgb(style.theme().label(id));
}

void paintLabelSwatch(QPainter& painter, const Style& style, const QRectF& box, double label) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (label == 0) {
        QPen pen(style.colour(Token::text_3), 1);
        pen.setDashPattern({2, 2});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), style.pxf(2), style.pxf(2));
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(labelColour(style, label));
        painter.drawRoundedRect(box, style.pxf(2), style.pxf(2));
    }
    painter.restore();
}

QPixmap labelSwatch(const Style& style, double label, double device_ratio) {
    const double side = style.pxf(kSide);
    QPixmap out((QSizeF(side, side) * device_ratio).toSize());
    out.setDevicePixelRatio(device_ratio);
    out.fill(Qt::transparent);
    QPainter painter(&out);
    paintLabelSwatch(painter, style, {0, 0, side, side}, label);
    return out;
}

}  // namespace maskscope::ui
