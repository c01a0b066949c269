// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a display list with QPainter: what Cairo paints for files, on the screen.
#pragma once

#include "core/render/figure/display_list.h"
#include "ui/kit/style.h"

#include <QTransform>

class QPainter;

namespace maskscope::ui {

class QtPainter {
public:
    explicit QtPainter(const Style& style) : style_(style) {}

    // In the painter's coordinates, one unit a logical pixel of the list. The painter may be scaled and moved, not
    // turned.
    void paint(QPainter& painter, const render::DisplayList& list);

private:
    // What one paint() works in.
    struct Frame {
        QTransform world;  // logical pixels to widget pixels
        double ratio = 1;  // device pixels per widget pixel
        QRect toDevice(const render::Box& box) const;
    };

    void paintItem(QPainter& painter, const Frame& frame, const render::ImageItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::RectItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::LineItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::PolylineItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::TextItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::GlyphItem& item);
    void paintItem(QPainter& painter, const Frame& frame, const render::ClipItem& item);

    const Style& style_;
};

}  // namespace maskscope::ui
