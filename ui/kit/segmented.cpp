// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/segmented.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace maskscope::ui {

Segmented::Segmented(Style& style, const QString& name, const QStringList& choices, QWidget* parent)
    : QWidget(parent), group_(new QButtonGroup(this)) {
    setAttribute(Qt::WA_StyledBackground);
    setProperty("kind", "segments");
    setAccessibleName(name);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    for (int i = 0; i < choices.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(choices[i]);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAccessibleName(name + QStringLiteral(": ") + choices[i]);
        button->setProperty("first", i == 0);
        button->setProperty("last", i == choices.size() - 1);
        group_->addButton(button, i);
        row->addWidget(button);
    }
    if (!choices.isEmpty()) group_->button(0)->setChecked(true);
    connect(group_, &QButtonGroup::idClicked, this, &Segmented::chosen);
    style.follow(this, [this, &style] {
        setFixedHeight(style.px(24));
        // As wide as the bold text, so that choosing moves nothing.
        for (auto* button : group_->buttons()) {
            const int text = QFontMetrics(style.ui(12, 600)).horizontalAdvance(button->text());
            button->setFixedSize(text + style.px(20), style.px(24) - 2);
        }
    });
}

int Segmented::current() const {
    return group_->checkedId();
}

void Segmented::setCurrent(int index) {
    if (auto* button = group_->button(index)) button->setChecked(true);
}

void Segmented::setChoiceEnabled(int index, bool enabled) {
    if (auto* button = group_->button(index)) button->setEnabled(enabled);
}

void Segmented::setChoiceToolTip(int index, const QString& text) {
    if (auto* button = group_->button(index)) button->setToolTip(text);
}

}  // namespace maskscope::ui
