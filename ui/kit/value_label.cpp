// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/value_label.h"

namespace maskscope::ui {

ValueLabel::ValueLabel(Style& style, const QString& widest, QWidget* parent)
    : QLabel(parent), style_(style), widest_(widest) {
    setProperty("type", "mono");
    setTextFormat(Qt::PlainText);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    style.follow(this, [this] { fix(); });
}

void ValueLabel::setWidest(const QString& widest) {
    widest_ = widest;
    fix();
}

void ValueLabel::fix() {
    setFixedWidth(QFontMetrics(style_.mono(11)).horizontalAdvance(widest_) + 2);
}

}  // namespace maskscope::ui
