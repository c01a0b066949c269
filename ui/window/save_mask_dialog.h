// SPDX-License-Identifier: GPL-3.0-or-later
// Where and as what a mask is saved. What the format would lose stands in the dialog, in numbers, before anything is
// written; nothing is saved by guess.
#pragma once

#include "core/io/mask_export.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace maskscope::ui {

class WarnStrip;

class SaveMaskDialog : public QDialog {
    Q_OBJECT
public:
    SaveMaskDialog(Session& session, Style& style, EntryId mask, QWidget* parent = nullptr);

    QComboBox* format() const { return format_; }
    QLineEdit* path() const { return path_; }
    QPushButton* saveButton() const { return save_; }
    const std::vector<io::Loss>& losses() const { return losses_; }
    QString problem() const { return problem_; }
    QString savedTo() const { return saved_to_; }

private:
    void build();
    void chooseFormat();
    void browse();
    void preview();
    void showLosses();
    void save();
    QString fullPath() const;

    Session& session_;
    Style& style_;
    EntryId mask_;
    QComboBox* format_;
    QLabel* about_;
    QLineEdit* path_;
    QLabel* replaces_;
    QVBoxLayout* column_ = nullptr;
    QWidget* list_ = nullptr;
    QPushButton* save_;
    std::vector<io::Loss> losses_;
    QString problem_;
    QString saved_to_;
};

}  // namespace maskscope::ui
