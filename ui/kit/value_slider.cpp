// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/value_slider.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {
constexpr int kSteps = 1000;
}

ValueSlider::ValueSlider(Style& style, const QString& name, Grain grain, QWidget* parent)
    : QWidget(parent),
      style_(style),
      grain_(grain),
      slider_(new QSlider(Qt::Horizontal, this)),
      box_(new QDoubleSpinBox(this)) {
    slider_->setAccessibleName(name);
    box_->setAccessibleName(name);
    box_->setKeyboardTracking(false);
    box_->setLocale(QLocale::c());
    slider_->setRange(0, kSteps);
    slider_->setSingleStep(kSteps / 100);
    slider_->setPageStep(kSteps / 10);
    setFocusProxy(slider_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(slider_, 1);
    row->addWidget(box_);
    connect(slider_, &QSlider::valueChanged, this, [this](int position) {
        const QSignalBlocker quiet(box_);
        const double before = box_->value();
        box_->setValue(valueAt(position));
        if (box_->value() != before) emit valueChanged(box_->value());
    });
    connect(box_, &QDoubleSpinBox::valueChanged, this, [this](double value) {
        const QSignalBlocker quiet(slider_);
        slider_->setValue(positionOf(value));
        emit valueChanged(value);
    });
    style.follow(this, [this, row] {
        row->setSpacing(style_.px(8));
        setFixedHeight(style_.px(24));
        box_->setFixedSize(style_.px(box_width_), style_.px(24));
        slider_->setMinimumWidth(style_.px(40));
    });
    setRange(0, 1, 2, 0.01);
}

void ValueSlider::setRange(double lo, double hi, int decimals, double step) {
    const QSignalBlocker quiet_slider(slider_);
    const QSignalBlocker quiet_box(box_);
    lo_ = lo;
    hi_ = std::max(hi, lo);
    box_->setDecimals(decimals);
    box_->setRange(lo_, hi_);
    box_->setSingleStep(step);
    slider_->setValue(positionOf(box_->value()));
}

void ValueSlider::setSuffix(const QString& suffix) {
    box_->setSuffix(suffix);
}

void ValueSlider::setBoxWidth(int width) {
    box_width_ = width;
    box_->setFixedWidth(style_.px(width));
}

void ValueSlider::setValue(double value) {
    const QSignalBlocker quiet_slider(slider_);
    const QSignalBlocker quiet_box(box_);
    box_->setValue(value);
    slider_->setValue(positionOf(value));
}

double ValueSlider::value() const {
    return box_->value();
}

double ValueSlider::valueAt(int position) const {
    const double share = static_cast<double>(position) / kSteps;
    if (grain_ == Grain::logarithmic && lo_ > 0) return lo_ * std::pow(hi_ / lo_, share);
    return lo_ + (hi_ - lo_) * share;
}

int ValueSlider::positionOf(double value) const {
    if (hi_ <= lo_) return 0;
    const double inside = std::clamp(value, lo_, hi_);
    const double share = grain_ == Grain::logarithmic && lo_ > 0 ? std::log(inside / lo_) / std::log(hi_ / lo_)
                                                                 : (inside - lo_) / (hi_ - lo_);
    return static_cast<int>(std::lround(share * kSteps));
}

}  // namespace maskscope::ui
