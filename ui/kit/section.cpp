// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/section.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace maskscope::ui {

Section::Section(Style& style, const QString& title, QWidget* parent)
    : QWidget(parent),
      style_(style),
      toggle_(new QToolButton(this)),
      header_(new QHBoxLayout),
      body_(new QWidget(this)),
      body_layout_(new QVBoxLayout(body_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    header_->setSpacing(0);
    column->addLayout(header_);
    column->addWidget(body_);

    toggle_->setProperty("kind", "section");
    toggle_->setCheckable(false);
    toggle_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    toggle_->setFocusPolicy(Qt::StrongFocus);
    toggle_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    header_->addWidget(toggle_, 1);
    setTitle(title);
    toggle_->setIcon(style_.icon(QStringLiteral("down")));
    connect(toggle_, &QToolButton::clicked, this, [this] { setExpanded(!expanded()); });
    style.follow(this, [this] {
        header_->setContentsMargins(style_.px(4), 0, style_.px(8), 0);
        toggle_->setFixedHeight(style_.px(28));
        toggle_->setIconSize({style_.px(12), style_.px(12)});
        body_layout_->setContentsMargins(style_.px(12), 0, style_.px(12), style_.px(12));
        body_layout_->setSpacing(style_.px(8));
    });
}

bool Section::expanded() const {
    return !body_->isHidden();
}

void Section::setExpanded(bool expanded) {
    if (expanded == this->expanded()) return;
    body_->setVisible(expanded);
    toggle_->setIcon(style_.icon(expanded ? QStringLiteral("down") : QStringLiteral("right")));
    emit expandedChanged(expanded);
}

void Section::setTitle(const QString& title) {
    toggle_->setText(title);
    toggle_->setAccessibleName(title);
}

void Section::addHeaderWidget(QWidget* widget) {
    header_->addWidget(widget, 0, Qt::AlignVCenter);
}

}  // namespace maskscope::ui
