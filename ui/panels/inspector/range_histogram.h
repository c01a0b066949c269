// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of the visible values with the colour range over them; its two ends are dragged. Bars grow with the square
// root of their count, so that one tall bar does not hide the others.
#pragma once

#include "core/render/look/colormap.h"
#include "ui/kit/style.h"

#include <QWidget>

#include <cstdint>
#include <vector>

namespace maskscope::ui {

class RangeHistogram : public QWidget {
    Q_OBJECT
public:
    RangeHistogram(Style& style, QWidget* parent);

    // The axis: linear or log, from lo to hi.
    void setAxis(double lo, double hi, bool log);
    void setCounts(std::vector<std::int64_t> counts);
    // Instead of bars: "counting", "no finite values".
    void setNote(const QString& note);
    void setRange(double lo, double hi);
    bool dragging() const { return held_ != End::none; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rangeDragged(double lo, double hi);  // by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class End { none, lo, hi };
    QRectF plot() const;
    double xOf(double value) const;
    double valueAt(double x) const;
    End nearest(double x) const;
    void moveEnd(End end, double value);
    void paintBars(QPainter& painter, const QRectF& box) const;
    void paintTicks(QPainter& painter, const QRectF& box) const;
    void paintEnd(QPainter& painter, const QRectF& box, double value, bool active) const;

    Style& style_;
    render::ColourScale axis_;
    std::vector<std::int64_t> counts_;
    QString note_;
    double lo_ = 0;
    double hi_ = 1;
    End held_ = End::none;
    End keyboard_end_ = End::lo;
};

}  // namespace maskscope::ui
