// SPDX-License-Identifier: GPL-3.0-or-later
// One box for everything: actions, open tensors and coordinates, found by a few letters.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QFrame>
#include <QList>
#include <QPointer>

#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace maskscope::ui {

class CommandPalette : public QFrame {
    Q_OBJECT
public:
    // `actions` is asked each time, so that what is enabled now is offered now.
    CommandPalette(Session& session, Style& style, std::function<QList<QAction*>()> actions, QWidget* window);

    // `typed` stands in the box already: "[" asks for a cell.
    void open(const QString& typed = {});
    QLineEdit* box() const { return box_; }
    QListWidget* list() const { return list_; }

signals:
    void wentThere();  // to a tensor or a cell, rather than ran a command

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Choice {
        QString icon;
        QString text;
        QString detail;  // at the right: shortcut, shape
        int score = 0;
        bool enabled = true;
        bool place = true;  // somewhere to go
        std::function<void()> run;
    };
    void place();
    void search();
    void addCell(QList<Choice>& choices, const QString& typed);
    void addEntries(QList<Choice>& choices, const QString& typed);
    void addMasks(QList<Choice>& choices, const QString& typed);
    void addActions(QList<Choice>& choices, const QString& typed);
    void run();
    void close();

    Session& session_;
    Style& style_;
    std::function<QList<QAction*>()> actions_;
    QLineEdit* box_;
    QListWidget* list_;
    QLabel* note_;
    QList<Choice> choices_;
    QPointer<QWidget> focus_before_;
};

}  // namespace maskscope::ui
