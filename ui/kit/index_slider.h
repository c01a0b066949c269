// SPDX-License-Identifier: GPL-3.0-or-later
// One dimension: name, slider, number box and "/ last"; or, for a dimension on an axis, "Rows ↓" or "Cols →".
#pragma once

#include "ui/kit/style.h"

#include <QWidget>

#include <cstdint>

class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace maskscope::ui {

// A slider with a groove of 4 px and a handle of 14: Left and Right step, Alt+Up and Alt+Down move to the slider before
// or after it in the same window part (widgets with a common ancestor that has the property "sliderGroup").
class IndexSlider : public QWidget {
    Q_OBJECT
public:
    enum class Shown { index, rows, cols };

    IndexSlider(Style& style, const QString& name, QWidget* parent = nullptr);
    void setName(const QString& name);
    void setLast(std::int64_t last);
    void setValue(std::int64_t value);  // emits nothing
    std::int64_t value() const;
    // rows or cols: the sliders give way to the badge and "14 of 24".
    void setShown(Shown shown);
    void setPosition(const QString& text);  // "14 of 24", when rows or cols are shown
    void setNameWidth(int width);           // logical px, so that several line up
    QSlider* slider() const { return slider_; }

signals:
    void valueChanged(qint64 value);  // by the user
    void axisClicked();               // on the "Rows ↓" badge

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void moveFocus(int step);
    Style& style_;
    QLabel* name_;
    QSlider* slider_;
    QSpinBox* box_;
    QLabel* last_;
    QPushButton* axis_;
    QLabel* position_;
    int name_width_ = 50;
};

}  // namespace maskscope::ui
