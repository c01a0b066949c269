// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/leave_question.h"

#include "ui/session/cell_readout.h"

#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope::ui {

Leave askToLeave(Session& session, Style& style, QWidget* window) {
    QStringList names;
    for (const auto& entry : session.document().entries()) {
        if (session.edits().changed(entry.id)) names << textOf(entry.name);
    }
    QDialog dialog(window);
    dialog.setObjectName(QStringLiteral("leave"));
    dialog.setWindowTitle(QObject::tr("Unsaved edits"));
    dialog.setProperty("surface", "window");
    auto* title =
        new QLabel(names.size() == 1 ? QObject::tr("%1 has edits that no file holds").arg(names.first())
                                     : QObject::tr("%1 masks have edits that no file holds").arg(names.size()));
    title->setProperty("type", "strong");
    auto* which = new QLabel(names.join(QStringLiteral(", ")));
    which->setWordWrap(true);
    which->setTextFormat(Qt::PlainText);
    which->setVisible(names.size() > 1);
    auto* hint =
        new QLabel(QObject::tr("A session file keeps the edits and their history. To write the masks "
                               "themselves, cancel and choose Save mask as."));
    hint->setProperty("tone", "text2");
    hint->setWordWrap(true);
    Leave answer = Leave::stay;
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const QString& text, const char* name, Leave what) {
        auto* button = new QPushButton(text, &dialog);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false);
        QObject::connect(button, &QPushButton::clicked, &dialog, [&dialog, &answer, what] {
            answer = what;
            dialog.accept();
        });
        buttons->addWidget(button);
        return button;
    };
    add(QObject::tr("Discard edits"), "discard", Leave::discard);
    buttons->addStretch(1);
    add(QObject::tr("Cancel"), "cancel", Leave::stay);
    auto* save =
        add(session.edits().sessionFile().isEmpty() ? QObject::tr("Save session…") : QObject::tr("Save session"),
            "save", Leave::save);
    save->setProperty("kind", "primary");
    save->setDefault(true);
    auto* column = new QVBoxLayout(&dialog);
    for (auto* label : {title, which, hint}) column->addWidget(label);
    column->addLayout(buttons);
    dialog.setMinimumWidth(style.px(440));
    column->setContentsMargins(style.px(16), style.px(16), style.px(16), style.px(16));
    column->setSpacing(style.px(12));
    dialog.exec();
    return answer;
}

}  // namespace maskscope::ui
