// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions/action_context.h"

#include <QMainWindow>

namespace maskscope::ui {

QAction* makeAction(const ActionContext& context, const QString& icon, const QString& text, const QKeySequence& key,
                    const std::function<void()>& triggered) {
    auto* action = new QAction(text, &context.window);
    if (!icon.isEmpty()) action->setIcon(context.style.icon(icon));
    if (!key.isEmpty()) {
        action->setShortcut(key);
        QString plain = text;
        plain.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        action->setToolTip(QStringLiteral("%1  (%2)").arg(plain, key.toString(QKeySequence::NativeText)));
    }
    QObject::connect(action, &QAction::triggered, &context.window, triggered);
    context.window.addAction(action);
    return action;
}

}  // namespace maskscope::ui
