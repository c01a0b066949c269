// SPDX-License-Identifier: GPL-3.0-or-later
// A slider and the number box beside it; they never disagree. Linear, or finer at the low end where sizes run over
// decades.
#pragma once

#include "ui/kit/style.h"

#include <QWidget>

class QDoubleSpinBox;
class QSlider;

namespace maskscope::ui {

class ValueSlider : public QWidget {
    Q_OBJECT
public:
    enum class Grain { linear, logarithmic };

    // `name` is what a screen reader says.
    ValueSlider(Style& style, const QString& name, Grain grain = Grain::linear, QWidget* parent = nullptr);
    void setRange(double lo, double hi, int decimals, double step);  // logarithmic: lo above 0
    void setSuffix(const QString& suffix);
    void setBoxWidth(int width);  // at 100 %
    void setValue(double value);  // emits nothing
    double value() const;
    QSlider* slider() const { return slider_; }
    QDoubleSpinBox* box() const { return box_; }

signals:
    void valueChanged(double value);  // by the user

private:
    double valueAt(int position) const;
    int positionOf(double value) const;

    Style& style_;
    Grain grain_;
    QSlider* slider_;
    QDoubleSpinBox* box_;
    double lo_ = 0;
    double hi_ = 1;
    int box_width_ = 56;
};

}  // namespace maskscope::ui
