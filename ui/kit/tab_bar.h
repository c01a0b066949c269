// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs of 32 px: documents with the accent line on top, panels with it below.
#pragma once

#include "ui/kit/style.h"

#include <QTabBar>

namespace maskscope::ui {

class TabBar : public QTabBar {
    Q_OBJECT
public:
    enum class Kind { documents, panels };

    TabBar(Style& style, Kind kind, QWidget* parent = nullptr);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QRect closeBox(int index) const;
    Style& style_;
    Kind kind_;
    int hovered_ = -1;
    bool close_hovered_ = false;
    int close_pressed_ = -1;
};

}  // namespace maskscope::ui
