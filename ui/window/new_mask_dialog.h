// SPDX-License-Identifier: GPL-3.0-or-later
// Name and kind of an empty mask over an image.
#pragma once

#include "core/tensor/dtype.h"
#include "ui/kit/style.h"

#include <QDialog>

class QComboBox;
class QLineEdit;

namespace maskscope::ui {

class NewMaskDialog : public QDialog {
    Q_OBJECT
public:
    NewMaskDialog(Style& style, const QString& image, QWidget* parent = nullptr);
    QString name() const;
    DType dtype() const;

private:
    QLineEdit* name_;
    QComboBox* kind_;
};

}  // namespace maskscope::ui
