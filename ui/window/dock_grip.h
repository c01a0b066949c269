// SPDX-License-Identifier: GPL-3.0-or-later
// A border of 1 px is hard to catch: this lies over it, 5 px wide and unseen, and resizes the dock.
#pragma once

#include <QWidget>

class QDockWidget;
class QMainWindow;

namespace maskscope::ui {

class DockGrip : public QWidget {
    Q_OBJECT
public:
    DockGrip(QMainWindow* window, QDockWidget* dock);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void place();
    QMainWindow* window_;
    QDockWidget* dock_;
    int pressed_x_ = 0;
    int pressed_width_ = 0;
};

}  // namespace maskscope::ui
