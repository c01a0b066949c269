// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/file_part.h"

#include "ui/kit/section.h"
#include "ui/kit/tool_button.h"
#include "ui/session/cell_readout.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QVBoxLayout>

#include <algorithm>

namespace maskscope::ui {

FilePart::FilePart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent), section_(new Section(style, tr("File"), this)) {
    column()->addWidget(section_);
    auto* copy = new IconButton(style, QStringLiteral("copy"), tr("Copy the path"), this);
    section_->addHeaderWidget(copy);
    connect(copy, &QToolButton::clicked, this, [this] {
        if (const auto* shown = entry()) QGuiApplication::clipboard()->setText(QString::fromStdString(shown->path));
    });
}

FactRow* FilePart::add(const QString& name, const QString& value) {
    auto* row = new FactRow(style_, name, facts_);
    row->setFact(name, value);
    facts_->layout()->addWidget(row);
    return row;
}

void FilePart::refresh(Change change) {
    if (change != Change::entry && change != Change::document) return;
    const auto* shown = entry();
    if (shown == nullptr) return;
    delete facts_;
    facts_ = new QWidget(section_);
    auto* rows = new QVBoxLayout(facts_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    section_->body()->addWidget(facts_);

    add(tr("Path"), QString::fromStdString(shown->path));
    if (!shown->item.key.empty()) add(tr("Key"), QString::fromStdString(shown->item.key));
    if (!shown->item.note.empty()) add(tr("Note"), QString::fromStdString(shown->item.note));
    if (shown->item.fortran_order) add(tr("Order"), tr("Fortran (columns first)"));
    if (shown->item.tensor.defined() && !shown->item.tensor.is_contiguous()) {
        add(tr("Strides"), textOf(text_of(shown->item.tensor.strides())));
    }
    const auto& files = session_.document().files();
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.path == shown->path; });
    if (file == files.end()) return;
    const auto* format = io::find_format(file->format_id);
    add(tr("Format"), format != nullptr ? textOf(format->title) : textOf(file->format_id));
    add(tr("Entries"), QString::number(file->entries.size()));
    for (const auto& [key, value] : file->metadata) {
        add(QString::fromStdString(key), QString::fromStdString(value).simplified());
    }
}

}  // namespace maskscope::ui
