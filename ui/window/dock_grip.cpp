// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_grip.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>

namespace maskscope::ui {

DockGrip::DockGrip(QMainWindow* window, QDockWidget* dock) : QWidget(window), window_(window), dock_(dock) {
    setCursor(Qt::SplitHCursor);
    dock->installEventFilter(this);
    place();
}

void DockGrip::place() {
    // A window that is being destroyed hides its docks once more, when it is a plain QWidget already.
    if (qobject_cast<QMainWindow*>(parentWidget()) == nullptr) return;
    const bool left = window_->dockWidgetArea(dock_) == Qt::LeftDockWidgetArea;
    const QRect dock = dock_->geometry();
    setGeometry((left ? dock.right() : dock.left()) - 2, dock.top(), 5, dock.height());
    setVisible(dock_->isVisibleTo(window_) && !dock_->isFloating());
    raise();
}

bool DockGrip::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::Move:
        case QEvent::Show:
        case QEvent::Hide:
            place();
            break;
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

void DockGrip::mousePressEvent(QMouseEvent* event) {
    pressed_x_ = qRound(event->globalPosition().x());
    pressed_width_ = dock_->width();
}

void DockGrip::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    const int moved = qRound(event->globalPosition().x()) - pressed_x_;
    const bool left = window_->dockWidgetArea(dock_) == Qt::LeftDockWidgetArea;
    window_->resizeDocks({dock_}, {pressed_width_ + (left ? moved : -moved)}, Qt::Horizontal);
}

}  // namespace maskscope::ui
