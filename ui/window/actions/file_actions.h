// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/actions/action_context.h"

#include <QObject>

class QMenu;

namespace maskscope::ui {

class FileActions : public QObject {
    Q_OBJECT
public:
    FileActions(const ActionContext& context, QObject* parent);
    void fillOpen(QMenu& menu);
    void fillExport(QMenu& menu);

    QAction* open() const { return open_; }
    QAction* exportView() const { return export_; }
    void openSample();

private:
    void askAndOpen();
    void askAndExport();
    void exportImage();
    QString pictureName() const;
    void copyView();
    void fillRecent(QMenu& menu);
    void enable();

    ActionContext context_;
    QAction* open_;
    QAction* sample_;
    QAction* export_;
    QAction* copy_;
    QAction* close_;
    QAction* quit_;
    QString folder_;
};

}  // namespace maskscope::ui
