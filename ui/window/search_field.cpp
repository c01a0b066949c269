// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/search_field.h"

#include <QPainter>

namespace maskscope::ui {

using render::Token;

SearchField::SearchField(Style& style, const QString& text, const QString& shortcut, QWidget* parent)
    : QAbstractButton(parent), style_(style), shortcut_(shortcut) {
    setText(text);
    setAccessibleName(text);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::IBeamCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    style_.follow(this, [this] {
        setFixedHeight(style_.px(24));
        updateGeometry();
    });
}

QSize SearchField::sizeHint() const {
    return {style_.px(280), style_.px(24)};
}

QSize SearchField::minimumSizeHint() const {
    return {style_.px(120), style_.px(24)};
}

void SearchField::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = hasFocus() ? 2 : 1;
    const auto frame = hasFocus() ? Token::line_focus : underMouse() ? Token::text_3 : Token::line_strong;
    painter.setPen(QPen(style_.colour(frame), width));
    painter.setBrush(style_.colour(Token::bg_view));
    painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), style_.pxf(4),
                            style_.pxf(4));
    const int pad = style_.px(8);
    painter.drawPixmap(pad, (height() - style_.px(14)) / 2,
                       style_.pixmap(QStringLiteral("search"), Token::text_2, 14, devicePixelRatioF()));
    painter.setFont(style_.ui(11));
    painter.setPen(style_.colour(Token::text_3));
    const int keys = painter.fontMetrics().horizontalAdvance(shortcut_);
    const QRect words = rect().adjusted(pad + style_.px(20), 0, -pad, 0);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignRight, shortcut_);
    painter.setFont(style_.ui(12));
    const QRect left = words.adjusted(0, 0, -keys - pad, 0);
    painter.drawText(left, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, left.width()));
}

}  // namespace maskscope::ui
