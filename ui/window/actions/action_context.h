// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus' actions act on.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QAction>
#include <QKeySequence>

#include <functional>

class QMainWindow;

namespace maskscope::ui {

class DocumentArea;
class StatusStrip;

struct ActionContext {
    Session& session;
    Style& style;
    QMainWindow& window;
    DocumentArea& area;
    StatusStrip& status;
};

// An action of the window with its icon (may be empty), word for the toolbar and key.
QAction* makeAction(const ActionContext& context, const QString& icon, const QString& text, const QKeySequence& key,
                    const std::function<void()>& triggered);

}  // namespace maskscope::ui
