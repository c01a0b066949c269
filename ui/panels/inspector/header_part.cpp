// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector/header_part.h"

#include "ui/kit/badge.h"
#include "ui/session/cell_readout.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QVBoxLayout>

namespace maskscope::ui {

using render::Token;

HeaderPart::HeaderPart(Session& session, Style& style, QWidget* parent)
    : InspectorPart(session, style, parent),
      name_(new ElidedLabel(this)),
      role_(new BadgeLabel(style, badgeOf(document::Role::tensor), this)),
      dtype_(new BadgeLabel(style, badgeOf(DType::f32), this)),
      shape_(new ElidedLabel(this)),
      bytes_(new ElidedLabel(this)),
      where_(new ElidedLabel(this)) {
    auto* title = new QHBoxLayout;
    title->addWidget(name_);
    title->addWidget(role_);
    title->addStretch(1);
    title->addWidget(dtype_);
    auto* facts = new QHBoxLayout;
    facts->addWidget(shape_, 1);
    facts->addWidget(bytes_);
    column()->addLayout(title);
    column()->addLayout(facts);
    column()->addWidget(where_);
    bytes_->setAlignment(Qt::AlignRight);
    style.follow(this, [this, title, facts] {
        column()->setContentsMargins(style_.px(12), style_.px(8), style_.px(12), style_.px(8));
        column()->setSpacing(style_.px(2));
        title->setSpacing(style_.px(8));
        facts->setSpacing(style_.px(8));
        name_->setTextFont(style_.ui(13, 600));
        name_->setColour(style_.colour(Token::text));
        for (auto* label : {shape_, bytes_}) {
            label->setTextFont(style_.mono(11));
            label->setColour(style_.colour(Token::text_2));
        }
        where_->setTextFont(style_.ui(11));
        where_->setColour(style_.colour(Token::text_3));
    });
}

void HeaderPart::refresh(Change change) {
    if (change != Change::entry && change != Change::document) return;
    const auto* shown = entry();
    if (shown == nullptr) return;
    name_->setText(QString::fromStdString(shown->name));
    role_->setBadge(badgeOf(shown->role.value));
    dtype_->setBadge(badgeOf(shown->item.dtype));
    shape_->setText(textOf(text_of(shown->item.shape)));
    bytes_->setText(shownBytes(shown->item.bytes));
    const auto file = QFileInfo(QString::fromStdString(shown->path)).fileName();
    QString state = shown->item.mapped ? tr("mapped") : tr("in memory");
    if (!shown->item.mapped && !shown->item.tensor.defined()) state = tr("loading");
    if (!shown->error.empty()) state = tr("not loaded");
    where_->setText(QStringLiteral("%1 · %2").arg(file, state));
}

}  // namespace maskscope::ui
