// SPDX-License-Identifier: GPL-3.0-or-later
// A word of 64 px and a control beside it.
#pragma once

#include "ui/kit/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QWidget>

namespace maskscope::ui {

class OptionRow : public QWidget {
public:
    OptionRow(Style& style, const QString& word, QWidget* control, QWidget* parent) : QWidget(parent) {
        auto* label = new QLabel(word, this);
        label->setProperty("tone", "text2");
        label->setBuddy(control);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(label);
        const bool fixed = control->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed;
        row->addWidget(control, fixed ? 0 : 1);
        if (fixed) row->addStretch(1);
        style.follow(this, [this, &style, row, label] {
            row->setSpacing(style.px(4));
            label->setFixedWidth(style.px(60));
            setFixedHeight(style.px(24));
        });
    }
};

}  // namespace maskscope::ui
