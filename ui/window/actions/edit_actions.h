// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/actions/action_context.h"

#include <QObject>

class QMenu;

namespace maskscope::ui {

class EditActions : public QObject {
    Q_OBJECT
public:
    EditActions(const ActionContext& context, QObject* parent);
    void fill(QMenu& menu);

    QAction* undo() const { return undo_; }
    QAction* redo() const { return redo_; }

private:
    void enable();
    void nameSteps();
    ActionContext context_;
    QAction* undo_;
    QAction* redo_;
    QAction* value_;
    QAction* index_;
    QAction* cell_;
};

}  // namespace maskscope::ui
