// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/tab_bar.h"

#include <QMouseEvent>
#include <QPainter>

#include <utility>

namespace maskscope::ui {

using render::Token;

TabBar::TabBar(Style& style, Kind kind, QWidget* parent) : QTabBar(parent), style_(style), kind_(kind) {
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideRight);
    setUsesScrollButtons(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMovable(kind == Kind::documents);
    setTabsClosable(false);  // drawn here, so that one close mark looks like every other icon
    style.follow(this, [this] {
        setFixedHeight(style_.px(32));
        setIconSize({style_.px(16), style_.px(16)});
        updateGeometry();
        update();
    });
}

QSize TabBar::tabSizeHint(int index) const {
    int width = QFontMetrics(style_.ui(12, 600)).horizontalAdvance(tabText(index)) + style_.px(24);
    if (!tabIcon(index).isNull()) width += style_.px(22);
    if (kind_ == Kind::documents) width += style_.px(22);
    return {qMin(width, style_.px(220)), style_.px(32)};
}

QSize TabBar::minimumTabSizeHint(int index) const {
    const QSize wanted = tabSizeHint(index);
    return {qMin(wanted.width(), style_.px(96)), wanted.height()};
}

QRect TabBar::closeBox(int index) const {
    if (kind_ != Kind::documents) return {};
    const QRect tab = tabRect(index);
    const int side = style_.px(16);
    return {tab.right() - style_.px(10) - side + 2, tab.center().y() - side / 2 + 1, side, side};
}

void TabBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const double ratio = devicePixelRatioF();
    const bool documents = kind_ == Kind::documents;
    painter.fillRect(rect(), style_.colour(documents ? Token::bg_window : Token::bg_panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), style_.colour(Token::line));
    for (int i = 0; i < count(); ++i) {
        const QRect tab = tabRect(i);
        const bool active = i == currentIndex();
        if (documents) {
            if (active) {
                painter.fillRect(tab, style_.colour(Token::bg_view));
                painter.fillRect(QRect(tab.left(), tab.top(), tab.width(), style_.px(2)), style_.colour(Token::accent));
            } else if (i == hovered_) {
                painter.fillRect(tab.adjusted(0, 0, 0, -1), style_.colour(Token::bg_hover));
            }
            painter.fillRect(QRect(tab.right(), tab.top(), 1, tab.height()), style_.colour(Token::line));
        } else if (active) {
            painter.fillRect(QRect(tab.left(), tab.bottom() - style_.px(2) + 1, tab.width(), style_.px(2)),
                             style_.colour(Token::accent));
        }
        int left = tab.left() + style_.px(12);
        if (!tabIcon(i).isNull()) {
            const QSize size(style_.px(14), style_.px(14));
            tabIcon(i).paint(&painter, QRect(QPoint(left, tab.center().y() - size.height() / 2 + 1), size),
                             Qt::AlignCenter, QIcon::Normal, active ? QIcon::On : QIcon::Off);
            left += style_.px(22);
        }
        const int right = documents ? closeBox(i).left() - style_.px(4) : tab.right() - style_.px(10);
        painter.setFont(style_.ui(12, active ? 600 : 400));
        painter.setPen(style_.colour(active ? Token::text : Token::text_2));
        const QString text = painter.fontMetrics().elidedText(tabText(i), Qt::ElideRight, right - left);
        painter.drawText(QRect(left, tab.top(), right - left, tab.height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        if (documents) {
            const QRect box = closeBox(i);
            if (i == hovered_ && close_hovered_) {
                painter.setRenderHint(QPainter::Antialiasing);
                painter.setPen(Qt::NoPen);
                painter.setBrush(style_.colour(Token::line));
                painter.drawRoundedRect(box, style_.pxf(3), style_.pxf(3));
                painter.setRenderHint(QPainter::Antialiasing, false);
            }
            const int side = style_.px(10);
            painter.drawPixmap(box.center() - QPoint(side / 2, side / 2) + QPoint(1, 1),
                               style_.pixmap(QStringLiteral("close"),
                                             active || i == hovered_ ? Token::text_2 : Token::text_3, 10, ratio));
        }
        if (active && hasFocus()) {
            painter.setPen(style_.colour(Token::line_focus));
            painter.drawRect(tab.adjusted(3, 4, -4, -4));
        }
    }
}

void TabBar::mouseMoveEvent(QMouseEvent* event) {
    const int at = tabAt(event->pos());
    const bool close = at >= 0 && closeBox(at).contains(event->pos());
    if (at != hovered_ || close != close_hovered_) {
        hovered_ = at;
        close_hovered_ = close;
        update();
    }
    QTabBar::mouseMoveEvent(event);
}

void TabBar::leaveEvent(QEvent* event) {
    hovered_ = -1;
    close_hovered_ = false;
    update();
    QTabBar::leaveEvent(event);
}

void TabBar::mousePressEvent(QMouseEvent* event) {
    const int at = tabAt(event->pos());
    if (kind_ == Kind::documents && at >= 0 &&
        (event->button() == Qt::MiddleButton ||
         (event->button() == Qt::LeftButton && closeBox(at).contains(event->pos())))) {
        close_pressed_ = at;
        return;
    }
    QTabBar::mousePressEvent(event);
}

void TabBar::mouseReleaseEvent(QMouseEvent* event) {
    const int pressed = std::exchange(close_pressed_, -1);
    if (pressed >= 0) {
        if (tabAt(event->pos()) == pressed) emit tabCloseRequested(pressed);
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

}  // namespace maskscope::ui
