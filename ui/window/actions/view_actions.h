// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/actions/action_context.h"

#include <QObject>

class QActionGroup;
class QDockWidget;
class QMenu;

namespace maskscope::ui {

class ViewActions : public QObject {
    Q_OBJECT
public:
    ViewActions(const ActionContext& context, const QList<QDockWidget*>& docks, QObject* parent);
    void fill(QMenu& menu);

    QAction* link() const { return link_; }
    QAction* crosshair() const { return crosshair_; }
    QAction* theme() const { return toggle_theme_; }

private:
    void buildLook();
    void buildZoom();
    void enable();
    void followStyle();

    ActionContext context_;
    QList<QDockWidget*> docks_;
    QAction* light_ = nullptr;
    QAction* dark_ = nullptr;
    QAction* toggle_theme_ = nullptr;  // toolbar and palette
    QList<QAction*> sizes_;
    QList<QAction*> zoom_;
    QAction* crosshair_ = nullptr;
    QAction* link_ = nullptr;
};

}  // namespace maskscope::ui
