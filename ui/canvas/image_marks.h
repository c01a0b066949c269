// SPDX-License-Identifier: GPL-3.0-or-later
// What is painted over an image's picture, in widget pixels: grid, label numbers, shapes under way, wipe,
// rulers.
#pragma once

#include "core/render/pool/viewport.h"
#include "ui/canvas/label_places.h"
#include "ui/canvas/tools/tool_hand.h"
#include "ui/kit/style.h"

#include <QColor>
#include <QRectF>

#include <functional>
#include <optional>

class QPainter;

namespace maskscope::ui {

// Where the picture lies in the widget.
struct MarkFrame {
    const Style& style;
    QRectF area;  // widget pixels
    render::Viewport viewport;
    double ratio = 1;  // device pixels a widget pixel
    std::int64_t rows = 0;
    std::int64_t cols = 0;

    QPointF toWidget(mask::Position image) const;
    double pitch() const { return viewport.pitch / ratio; }  // widget pixels an image pixel
};

// Light over dark is seen on any picture, so no theme has a say in these two.
inline QColor overInk() {
    return QColor::fromHslF(0, 0, 1);
}
inline QColor underInk() {
    return QColor::fromHslF(0, 0, 0);
}

// From this many device pixels an image pixel up.
inline constexpr double kGridPitch = 8;
void paintGrid(QPainter& painter, const MarkFrame& frame);

// The numbers of labels that are large enough for them; `text` is empty for one that is not to be named.
void paintLabels(QPainter& painter, const MarkFrame& frame, const std::vector<LabelPlace>& places,
                 const std::function<QString(std::int64_t)>& text);

void paintCell(QPainter& painter, const MarkFrame& frame, std::int64_t row, std::int64_t col);
void paintRubberBand(QPainter& painter, const MarkFrame& frame, const RubberBand& band);

// The handle that is dragged, about the line at `x`.
QRectF wipeHandle(const MarkFrame& frame, double x);
void paintWipe(QPainter& painter, const MarkFrame& frame, double x, const QString& left, const QString& right);

// 16 px at the top and the left of `whole`, with marks at the cursor.
void paintRulers(QPainter& painter, const MarkFrame& frame, const QRect& whole, std::optional<mask::Position> cursor);

}  // namespace maskscope::ui
