// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/index_slider.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace maskscope::ui {

IndexSlider::IndexSlider(Style& style, const QString& name, QWidget* parent)
    : QWidget(parent),
      style_(style),
      name_(new QLabel(this)),
      slider_(new QSlider(Qt::Horizontal, this)),
      box_(new QSpinBox(this)),
      last_(new QLabel(this)),
      axis_(new QPushButton(this)),
      position_(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(name_);
    row->addWidget(slider_, 1);
    row->addWidget(box_);
    row->addWidget(last_);
    row->addWidget(axis_);
    row->addStretch(0);
    row->addWidget(position_, 1);

    name_->setTextFormat(Qt::PlainText);
    slider_->setSingleStep(1);
    slider_->installEventFilter(this);
    box_->setButtonSymbols(QAbstractSpinBox::UpDownArrows);
    box_->setKeyboardTracking(false);
    box_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    last_->setProperty("tone", "text2");
    axis_->setProperty("kind", "axis");
    axis_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    position_->setProperty("type", "mono");
    position_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFocusProxy(slider_);

    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        const QSignalBlocker quiet(box_);
        box_->setValue(value);
        emit valueChanged(value);
    });
    connect(box_, &QSpinBox::valueChanged, slider_, &QSlider::setValue);
    connect(axis_, &QPushButton::clicked, this, &IndexSlider::axisClicked);
    style.follow(this, [this, row] {
        row->setSpacing(style_.px(8));
        setFixedHeight(style_.px(24));
        name_->setFixedWidth(style_.px(name_width_));
        box_->setFixedSize(style_.px(48), style_.px(24));
        last_->setMinimumWidth(style_.px(28));
    });
    setName(name);
    setShown(Shown::index);
}

void IndexSlider::setName(const QString& name) {
    name_->setText(name_->fontMetrics().elidedText(name, Qt::ElideRight, style_.px(name_width_)));
    name_->setToolTip(name);
    slider_->setAccessibleName(name);
    box_->setAccessibleName(name);
    axis_->setAccessibleName(name);
}

void IndexSlider::setLast(std::int64_t last) {
    const int top = static_cast<int>(std::clamp<std::int64_t>(last, 0, std::numeric_limits<int>::max()));
    const QSignalBlocker quiet_slider(slider_);
    const QSignalBlocker quiet_box(box_);
    slider_->setRange(0, top);
    slider_->setPageStep(std::max(1, top / 10));
    box_->setRange(0, top);
    last_->setText(QStringLiteral("/ %1").arg(last));
    slider_->setEnabled(top > 0);
    box_->setEnabled(top > 0);
}

void IndexSlider::setValue(std::int64_t value) {
    const QSignalBlocker quiet_slider(slider_);
    const QSignalBlocker quiet_box(box_);
    slider_->setValue(static_cast<int>(value));
    box_->setValue(static_cast<int>(value));
}

std::int64_t IndexSlider::value() const {
    return slider_->value();
}

void IndexSlider::setShown(Shown shown) {
    const bool index = shown == Shown::index;
    slider_->setVisible(index);
    box_->setVisible(index);
    last_->setVisible(index);
    axis_->setVisible(!index);
    position_->setVisible(!index);
    axis_->setText(shown == Shown::rows ? tr("Rows ↓") : tr("Cols →"));
}

void IndexSlider::setPosition(const QString& text) {
    position_->setText(text);
}

void IndexSlider::setNameWidth(int width) {
    name_width_ = width;
    name_->setFixedWidth(style_.px(width));
    setName(name_->toolTip());
}

bool IndexSlider::eventFilter(QObject* watched, QEvent* event) {
    if (watched == slider_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            moveFocus(key->key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void IndexSlider::moveFocus(int step) {
    QWidget* group = parentWidget();
    for (QWidget* w = group; w; w = w->parentWidget())
        if (w->property("sliderGroup").toBool()) group = w;
    if (!group) return;
    QList<IndexSlider*> sliders;
    for (auto* other : group->findChildren<IndexSlider*>())
        if (other->slider()->isVisible() && other->slider()->isEnabled()) sliders.append(other);
    std::sort(sliders.begin(), sliders.end(), [group](const IndexSlider* a, const IndexSlider* b) {
        return a->mapTo(group, QPoint()).y() < b->mapTo(group, QPoint()).y();
    });
    const auto here = sliders.indexOf(this);
    if (here < 0 || here + step < 0 || here + step >= sliders.size()) return;
    sliders[here + step]->slider()->setFocus(Qt::TabFocusReason);
}

}  // namespace maskscope::ui
