// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/save_mask_dialog.h"

#include "ui/kit/cards.h"
#include "ui/session/cell_readout.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope::ui {

namespace {

QString sentenceOf(const Error& error) {
    const auto hint = textOf(error.hint.text());
    const auto message = textOf(error.message.text());
    return hint.isEmpty() ? message : message + QStringLiteral(". ") + hint;
}

}  // namespace

SaveMaskDialog::SaveMaskDialog(Session& session, Style& style, EntryId mask, QWidget* parent)
    : QDialog(parent),
      session_(session),
      style_(style),
      mask_(mask),
      format_(new QComboBox(this)),
      about_(new QLabel(this)),
      path_(new QLineEdit(this)),
      replaces_(new QLabel(this)),
      save_(new QPushButton(this)) {
    const auto* entry = session.document().find(mask);
    const auto name = entry != nullptr ? textOf(entry->name) : QString();
    setWindowTitle(tr("Save mask %1").arg(name));
    build();
    for (const auto& info : io::mask_formats()) format_->addItem(textOf(info.title), static_cast<int>(info.id));
    if (entry != nullptr) {
        const QFileInfo file(textOf(entry->path));
        const auto stem = file.completeBaseName().isEmpty() ? name : file.completeBaseName();
        const auto folder = file.isAbsolute() ? file.absolutePath() : QDir::currentPath();
        path_->setText(QDir(folder).filePath(stem));
        // The format of the file it came from, where masks can be written so.
        if (const auto same = io::format_for(entry->path, entry->item)) {
            format_->setCurrentIndex(format_->findData(static_cast<int>(*same)));
        }
    }
    connect(format_, &QComboBox::currentIndexChanged, this, &SaveMaskDialog::chooseFormat);
    connect(path_, &QLineEdit::textChanged, this, [this] {
        const auto path = fullPath();
        replaces_->setText(QFileInfo::exists(path) ? tr("Replaces %1").arg(QFileInfo(path).fileName()) : QString());
    });
    chooseFormat();
}

void SaveMaskDialog::build() {
    setProperty("surface", "window");
    format_->setAccessibleName(tr("Format"));
    path_->setAccessibleName(tr("File"));
    about_->setProperty("type", "secondary");
    about_->setWordWrap(true);
    replaces_->setProperty("type", "secondary");
    replaces_->setTextFormat(Qt::PlainText);
    auto* browse = new QPushButton(tr("Browse…"), this);
    browse->setAutoDefault(false);
    auto* file = new QHBoxLayout;
    file->addWidget(path_, 1);
    file->addWidget(browse);
    file->setSpacing(style_.px(8));
    auto* form = new QFormLayout;
    form->addRow(tr("Format"), format_);
    form->addRow(QString(), about_);
    form->addRow(tr("File"), file);
    form->addRow(QString(), replaces_);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    save_->setProperty("kind", "primary");
    save_->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(save_);
    column_ = new QVBoxLayout(this);
    column_->addLayout(form);
    column_->addStretch(1);
    column_->addLayout(buttons);
    connect(browse, &QPushButton::clicked, this, &SaveMaskDialog::browse);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save_, &QPushButton::clicked, this, &SaveMaskDialog::save);
    style_.follow(this, [this, form, buttons] {
        setMinimumWidth(style_.px(520));
        column_->setContentsMargins(style_.px(16), style_.px(16), style_.px(16), style_.px(16));
        column_->setSpacing(style_.px(12));
        form->setVerticalSpacing(style_.px(6));
        form->setHorizontalSpacing(style_.px(12));
        buttons->setSpacing(style_.px(8));
    });
}

QString SaveMaskDialog::fullPath() const {
    return QDir::cleanPath(path_->text().trimmed());
}

void SaveMaskDialog::chooseFormat() {
    const auto& infos = io::mask_formats();
    const auto at = format_->currentIndex();
    if (at < 0 || at >= static_cast<int>(infos.size())) return;
    const auto& info = infos[static_cast<std::size_t>(at)];
    about_->setText(textOf(info.about));
    // The extension follows the format; a name with another dot in it keeps that.
    QString path = path_->text();
    for (const auto& other : infos) {
        const QString extension = QString::fromLatin1(other.extension);
        if (!path.endsWith(extension, Qt::CaseInsensitive)) continue;
        path.chop(extension.size());
        break;
    }
    path_->setText(path + QString::fromLatin1(info.extension));
    preview();
}

void SaveMaskDialog::browse() {
    const auto chosen = QFileDialog::getSaveFileName(this, windowTitle(), fullPath(), {}, nullptr,
                                                     QFileDialog::DontConfirmOverwrite);  // said in the dialog
    if (!chosen.isEmpty()) path_->setText(chosen);
}

void SaveMaskDialog::preview() {
    losses_.clear();
    problem_.clear();
    const auto format = static_cast<io::MaskFormat>(format_->currentData().toInt());
    auto losses = session_.edits().previewLoss(mask_, format);
    if (losses)
        losses_ = *std::move(losses);
    else
        problem_ = sentenceOf(losses.error());
    showLosses();
}

void SaveMaskDialog::showLosses() {
    if (list_ != nullptr) {
        list_->hide();
        list_->deleteLater();
    }
    list_ = new QWidget(this);
    auto* rows = new QVBoxLayout(list_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(style_.px(4));
    if (!problem_.isEmpty()) {
        rows->addWidget(new WarnStrip(style_, problem_, WarnStrip::Tone::error, list_));
    } else if (losses_.empty()) {
        rows->addWidget(new WarnStrip(style_, tr("Nothing is lost in this format"), WarnStrip::Tone::ok, list_));
    } else {
        auto* title = new QLabel(tr("What this format would lose"), list_);
        title->setProperty("type", "strong");
        rows->addWidget(title);
        for (const auto& loss : losses_)
            rows->addWidget(new WarnStrip(style_, textOf(loss.what), WarnStrip::Tone::warn, list_));
    }
    column_->insertWidget(1, list_);
    save_->setText(losses_.empty() ? tr("Save") : tr("Save anyway"));
    save_->setEnabled(problem_.isEmpty());
    adjustSize();
}

void SaveMaskDialog::save() {
    const auto path = fullPath();
    const auto format = static_cast<io::MaskFormat>(format_->currentData().toInt());
    const auto saved = session_.edits().saveMask(mask_, path, format);
    if (!saved) {
        problem_ = sentenceOf(saved.error());
        showLosses();
        save_->setEnabled(true);  // another file may do
        return;
    }
    saved_to_ = path;
    accept();
}

}  // namespace maskscope::ui
