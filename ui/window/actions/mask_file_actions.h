// SPDX-License-Identifier: GPL-3.0-or-later
// Masks and sessions as files: new, save, open again; from image to image of a folder.
#pragma once

#include "ui/window/actions/action_context.h"
#include "ui/window/folder_steps.h"

#include <QObject>

class QMenu;

namespace maskscope::ui {

class MaskFileActions : public QObject {
    Q_OBJECT
public:
    MaskFileActions(const ActionContext& context, QObject* parent);
    void fillFile(QMenu& menu);  // the part of the File menu
    void fillMask(QMenu& menu);  // the part of the Mask menu

    QAction* save() const { return save_session_; }
    // Asks for a path where there is none yet; false: cancelled, or it could not be written.
    bool saveSession(bool ask_for_path);
    void makeMask();

private:
    void saveMask();
    void openSession();
    void enable();
    void fail(const QString& title, const Error& error);

    ActionContext context_;
    FolderSteps folder_;
    QAction* new_mask_;
    QAction* save_mask_;
    QAction* save_session_;
    QAction* save_session_as_;
    QAction* open_session_;
    QAction* next_image_;
    QAction* previous_image_;
};

}  // namespace maskscope::ui
