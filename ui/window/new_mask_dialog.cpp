// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/new_mask_dialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope::ui {

NewMaskDialog::NewMaskDialog(Style& style, const QString& image, QWidget* parent)
    : QDialog(parent), name_(new QLineEdit(QStringLiteral("mask"), this)), kind_(new QComboBox(this)) {
    setProperty("surface", "window");
    setWindowTitle(tr("New mask over %1").arg(image));
    name_->setAccessibleName(tr("Name"));
    kind_->setAccessibleName(tr("Kind"));
    const std::pair<DType, QString> kinds[] = {{DType::u8, tr("Labels up to 255 (u8)")},
                                               {DType::u16, tr("Labels up to 65,535 (u16)")},
                                               {DType::i32, tr("Labels up to 2,147,483,647 (i32)")},
                                               {DType::boolean, tr("One object: inside or outside (bool)")},
                                               {DType::f32, tr("Soft: shares from 0 to 1 (f32)")}};
    for (const auto& [dtype, text] : kinds) kind_->addItem(text, static_cast<int>(dtype));
    auto* form = new QFormLayout;
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Kind"), kind_);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    auto* make = new QPushButton(tr("Make the mask"), this);
    make->setProperty("kind", "primary");
    make->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(make);
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(make, &QPushButton::clicked, this, &QDialog::accept);
    connect(name_, &QLineEdit::textChanged, this,
            [make](const QString& text) { make->setEnabled(!text.trimmed().isEmpty()); });
    style.follow(this, [this, column, form, buttons, &style] {
        setMinimumWidth(style.px(360));
        column->setContentsMargins(style.px(16), style.px(16), style.px(16), style.px(16));
        column->setSpacing(style.px(16));
        form->setVerticalSpacing(style.px(8));
        form->setHorizontalSpacing(style.px(12));
        buttons->setSpacing(style.px(8));
    });
}

QString NewMaskDialog::name() const {
    return name_->text().trimmed();
}

DType NewMaskDialog::dtype() const {
    return static_cast<DType>(kind_->currentData().toInt());
}

}  // namespace maskscope::ui
