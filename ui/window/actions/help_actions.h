// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/actions/action_context.h"

#include <QObject>

class QMenu;

namespace maskscope::ui {

class HelpActions : public QObject {
    Q_OBJECT
public:
    HelpActions(const ActionContext& context, QObject* parent);
    void fill(QMenu& menu);

private:
    void explainCell();
    void showKeys();
    void showAbout();
    ActionContext context_;
    QAction* explain_;
    QAction* keys_;
    QAction* about_;
};

}  // namespace maskscope::ui
