// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/tool_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace maskscope::ui {

using render::Token;

IconButton::IconButton(Style& style, const QString& icon, const QString& name, QWidget* parent) : QToolButton(parent) {
    setIcon(style.icon(icon));
    setToolTip(name);
    setAccessibleName(name);
    setFocusPolicy(Qt::TabFocus);
    style.follow(this, [this, &style] {
        setFixedSize(style.px(24), style.px(24));
        setIconSize({style.px(14), style.px(14)});
    });
}

ToolButton::ToolButton(Style& style, QAction* action, bool with_text, QWidget* parent)
    : QToolButton(parent), style_(style), with_text_(with_text) {
    setDefaultAction(action);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(action->iconText());
    style_.follow(this, [this] { setFixedSize(sizeHint()); });
}

QSize ToolButton::sizeHint() const {
    const int side = style_.px(28);
    if (!with_text_) return {side, side};
    return {style_.px(32) + QFontMetrics(style_.ui(12, 500)).horizontalAdvance(text()) + style_.px(10), side};
}

void ToolButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const bool on = isChecked();
    const bool hover = isEnabled() && underMouse();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(style_.colour(Token::line_focus), 2) : QPen(Qt::NoPen));
    if (on || isDown()) {
        painter.setBrush(style_.colour(Token::accent_soft));
    } else {
        painter.setBrush(hover ? QBrush(style_.colour(Token::bg_hover)) : QBrush(Qt::NoBrush));
    }
    const double inset = hasFocus() ? 1 : 0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), style_.pxf(4), style_.pxf(4));
    const int side = style_.px(16);
    const int left = with_text_ ? style_.px(8) : (width() - side) / 2;
    icon().paint(&painter, QRect(left, (height() - side) / 2, side, side), Qt::AlignCenter,
                 isEnabled() ? QIcon::Normal : QIcon::Disabled, on ? QIcon::On : QIcon::Off);
    if (!with_text_) return;
    painter.setFont(style_.ui(12, 500));
    painter.setPen(style_.colour(!isEnabled() ? Token::text_disabled : on ? Token::accent : Token::text));
    painter.drawText(rect().adjusted(style_.px(32), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

PanelHeader::PanelHeader(Style& style, const QString& title, QWidget* parent)
    : QWidget(parent), style_(style), title_(new QLabel(title, this)), row_(new QHBoxLayout(this)) {
    title_->setProperty("type", "strong");
    row_->addWidget(title_, 1);
    style.follow(this, [this] {
        row_->setContentsMargins(style_.px(12), 0, style_.px(8), 1);
        row_->setSpacing(style_.px(4));
        setFixedHeight(style_.px(32));
        update();
    });
}

void PanelHeader::addWidget(QWidget* widget) {
    row_->addWidget(widget, 0, Qt::AlignVCenter);
}

void PanelHeader::setTitle(const QString& title) {
    title_->setText(title);
}

void PanelHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_header));
    painter.fillRect(QRect(0, height() - 1, width(), 1), style_.colour(Token::line));
}

}  // namespace maskscope::ui
