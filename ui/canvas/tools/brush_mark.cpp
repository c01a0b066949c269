// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tools/brush_mark.h"

#include "ui/canvas/image_marks.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {
namespace {

constexpr double kUnder = 3;  // logical pixels: black under white
constexpr double kOver = 1.25;
// A larger picture would cost more than it saves; of such a brush only a piece is in view.
constexpr double kLargestImage = 2048;

// Two strokes, widths in the painter's pixels.
void strokeTwice(QPainter& painter, const QPainterPath& path, double unit) {
    QPen pen(underInk(), kUnder * unit);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.strokePath(path, pen);
    pen.setColor(overInk());
    pen.setWidthF(kOver * unit);
    painter.strokePath(path, pen);
}

// Corners less than half a pixel apart are one.
QPainterPath closedPath(const std::vector<mask::Position>& corners, mask::Position first, double pitch, double pad) {
    QPainterPath path;
    QPointF last;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const QPointF at((corners[i].x - first.x) * pitch + pad, (corners[i].y - first.y) * pitch + pad);
        if (i == 0) {
            path.moveTo(at);
        } else if ((at - last).manhattanLength() < 0.5) {
            continue;
        } else {
            path.lineTo(at);
        }
        last = at;
    }
    path.closeSubpath();
    return path;
}

// The pieces of the ring that can be seen.
QPainterPath seenPath(const std::vector<mask::Position>& corners, const MarkFrame& frame, const QRectF& seen) {
    QPainterPath path;
    bool on = false;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto from = frame.toWidget(corners[i]);
        const auto to = frame.toWidget(corners[(i + 1) % corners.size()]);
        const bool in = std::min(from.x(), to.x()) <= seen.right() && std::max(from.x(), to.x()) >= seen.left() &&
                        std::min(from.y(), to.y()) <= seen.bottom() && std::max(from.y(), to.y()) >= seen.top();
        if (in) {
            if (!on) path.moveTo(from);
            path.lineTo(to);
        }
        on = in;
    }
    return path;
}

}  // namespace

void BrushMark::paint(QPainter& painter, const MarkFrame& frame, const mask::Brush& brush, mask::Position at) {
    const auto corners = mask::outline(brush, at);
    if (corners.empty()) return;
    mask::Position first = corners.front();
    mask::Position last = corners.front();
    for (const auto& corner : corners) {
        first = {std::min(first.x, corner.x), std::min(first.y, corner.y)};
        last = {std::max(last.x, corner.x), std::max(last.y, corner.y)};
    }
    const double unit = frame.style.pxf(1);
    const double pitch = frame.viewport.pitch;
    if (std::max(last.x - first.x, last.y - first.y) * pitch > kLargestImage) {
        const double reach = kUnder * unit;
        strokeTwice(painter, seenPath(corners, frame, frame.area.adjusted(-reach, -reach, reach, reach)), unit);
        return;
    }
    const Key key{brush, pitch, frame.ratio, unit};
    if (image_.isNull() || !(key == key_)) {
        key_ = key;
        pad_ = static_cast<int>(std::ceil(kUnder * unit * frame.ratio)) + 1;
        const auto side = [this, pitch](double cells) { return static_cast<int>(std::ceil(cells * pitch)) + 2 * pad_; };
        image_ = QImage(side(last.x - first.x), side(last.y - first.y), QImage::Format_ARGB32_Premultiplied);
        image_.fill(Qt::transparent);
        QPainter drawing(&image_);
        drawing.setRenderHint(QPainter::Antialiasing);
        strokeTwice(drawing, closedPath(corners, first, pitch, pad_), unit * frame.ratio);
    }
    const auto corner = frame.toWidget(first);
    const QPoint place(static_cast<int>(std::lround(corner.x() * frame.ratio)) - pad_,
                       static_cast<int>(std::lround(corner.y() * frame.ratio)) - pad_);
    painter.save();
    painter.setWorldTransform(QTransform::fromScale(1 / frame.ratio, 1 / frame.ratio));
    painter.drawImage(place, image_);
    painter.restore();
}

QRect BrushMark::box(const MarkFrame& frame, const mask::Brush& brush, mask::Position at) {
    const auto middle = frame.toWidget(at);
    const double half = (brush.size / 2.0 + 1) * frame.pitch() + frame.style.pxf(kUnder) + 2;
    return QRectF(middle.x() - half, middle.y() - half, 2 * half, 2 * half).toAlignedRect();
}

}  // namespace maskscope::ui
