// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons with icons: 24 × 24 in panels, 28 high with a word in the toolbar; and the header of a panel.
#pragma once

#include "ui/kit/style.h"

#include <QToolButton>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;

namespace maskscope::ui {

class IconButton : public QToolButton {
    Q_OBJECT
public:
    // `name` is tooltip and accessible name.
    IconButton(Style& style, const QString& icon, const QString& name, QWidget* parent = nullptr);
};

// Follows an action; `with_text` shows the action's icon text beside the icon.
class ToolButton : public QToolButton {
    Q_OBJECT
public:
    ToolButton(Style& style, QAction* action, bool with_text, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    bool with_text_;
};

// 32 px on bg.header with a line below: title at the left, buttons at the right.
class PanelHeader : public QWidget {
    Q_OBJECT
public:
    PanelHeader(Style& style, const QString& title, QWidget* parent = nullptr);
    void addWidget(QWidget* widget);
    void setTitle(const QString& title);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QLabel* title_;
    QHBoxLayout* row_;
};

}  // namespace maskscope::ui
