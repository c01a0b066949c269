// SPDX-License-Identifier: GPL-3.0-or-later
// The tools over an image, with their keys: what is in hand, with which label.
#pragma once

#include "ui/window/actions/action_context.h"

#include <QObject>

#include <map>

class QActionGroup;
class QMenu;

namespace maskscope::ui {

class ToolActions : public QObject {
    Q_OBJECT
public:
    ToolActions(const ActionContext& context, QObject* parent);
    void fill(QMenu& menu);

private:
    void swapLabels();
    void hideMasks();
    void enable();

    ActionContext context_;
    QActionGroup* group_;
    std::map<Tool, QAction*> tools_;
    QList<QAction*> digits_;
    QAction* swap_;
    QAction* hide_;
    double other_label_ = 0;  // what X brings back
};

}  // namespace maskscope::ui
