// SPDX-License-Identifier: GPL-3.0-or-later
// One cell as the heatmap would draw it.
#pragma once

#include "core/render/pool/cell_state.h"
#include "core/render/pool/colour.h"
#include "ui/canvas/qt_painter.h"
#include "ui/kit/style.h"

#include <QWidget>

namespace maskscope::ui {

class StateSwatch : public QWidget {
    Q_OBJECT
public:
    StateSwatch(Style& style, double side, QWidget* parent);
    void setState(render::CellState state);
    void setValue(double value, const render::Look& look);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Style& style_;
    QtPainter painter_;
    double side_;
    render::CellState state_ = render::CellState::outside;
    double value_ = 0;
    render::Look look_;
};

}  // namespace maskscope::ui
