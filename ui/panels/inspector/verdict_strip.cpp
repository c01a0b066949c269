// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/verdict_strip.h"

#include <QPainter>

namespace maskscope::ui {

using render::Token;

VerdictStrip::VerdictStrip(Style& style, QWidget* parent) : QWidget(parent), style_(style) {
    style.follow(this, [this] {
        setFixedHeight(style_.px(24));
        update();
    });
}

void VerdictStrip::setVerdict(bool visible, const QString& text) {
    visible_ = visible;
    text_ = text;
    setAccessibleName(text);
    update();
}

void VerdictStrip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto ink = visible_ ? Token::ok : Token::text_2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(style_.colour(visible_ ? Token::ok_soft : Token::bg_hover));
    painter.drawRoundedRect(rect(), style_.pxf(4), style_.pxf(4));
    const auto icon =
        style_.pixmap(visible_ ? QStringLiteral("okc") : QStringLiteral("eyeoff"), ink, 14, devicePixelRatioF());
    const int left = style_.px(8);
    painter.drawPixmap(left, (height() - style_.px(14)) / 2, icon);
    painter.setFont(style_.ui(12));
    painter.setPen(style_.colour(ink));
    const QRect room = rect().adjusted(left + style_.px(20), 0, -style_.px(8), 0);
    const auto shown = painter.fontMetrics().elidedText(text_, Qt::ElideMiddle, room.width());
    setToolTip(shown == text_ ? QString() : text_);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

}  // namespace maskscope::ui
