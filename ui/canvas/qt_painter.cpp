// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/qt_painter.h"

#include "core/render/figure/cell_glyphs.h"

#include <QImage>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <variant>

namespace maskscope::ui {

namespace {

QColor toColour(render::Rgb rgb) {
    return QColor::fromRgb(rgb);
}
QRectF toRect(const render::Box& box) {
    return {box.x, box.y, box.width, box.height};
}

QFont fontOf(const Style& style, render::Face face, double size) {
    QFont font;
    switch (face) {
        case render::Face::ui:
            font = style.ui(size, 400);
            break;
        case render::Face::ui_medium:
            font = style.ui(size, 500);
            break;
        case render::Face::ui_semibold:
            font = style.ui(size, 600);
            break;
        case render::Face::mono:
            font = style.mono(size, 400);
            break;
        case render::Face::mono_bold:
            font = style.mono(size, 700);
            break;
    }
    font.setPixelSize(static_cast<int>(std::lround(size)));  // the painter scales, not the font
    return font;
}

}  // namespace

QRect QtPainter::Frame::toDevice(const render::Box& box) const {
    const auto mapped = world.mapRect(toRect(box));
    const auto edge = [this](double widget) { return static_cast<int>(std::lround(widget * ratio)); };
    return {QPoint(edge(mapped.left()), edge(mapped.top())),
            QPoint(edge(mapped.right()) - 1, edge(mapped.bottom()) - 1)};
}

void QtPainter::paint(QPainter& painter, const render::DisplayList& list) {
    Frame frame;
    frame.world = painter.worldTransform();
    frame.ratio = painter.device()->devicePixelRatioF();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (list.background != 0) painter.fillRect(QRectF(0, 0, list.width, list.height), toColour(list.background));
    for (const auto& item : list.items) {
        std::visit([&](const auto& known) { paintItem(painter, frame, known); }, item);
    }
    painter.restore();
}

void QtPainter::paintItem(QPainter& painter, const Frame& frame, const render::ImageItem& item) {
    if (!item.pixels || item.width <= 0 || item.height <= 0) return;
    const QImage image(reinterpret_cast<const uchar*>(item.pixels->data()), item.width, item.height, item.width * 4,
                       QImage::Format_RGB32);
    // In device pixels: the cells' edges are whole there, and an unscaled picture is copied as it is.
    painter.save();
    painter.setWorldTransform(QTransform::fromScale(1 / frame.ratio, 1 / frame.ratio));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(frame.toDevice(item.box), image);
    painter.restore();
}

void QtPainter::paintItem(QPainter& painter, const Frame&, const render::RectItem& item) {
    painter.setBrush(item.fill != 0 ? QBrush(toColour(item.fill)) : Qt::NoBrush);
    if (item.stroke != 0) {
        QPen pen(toColour(item.stroke), item.stroke_width);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
    } else {
        painter.setPen(Qt::NoPen);
    }
    if (item.radius > 0) {
        painter.drawRoundedRect(toRect(item.box), item.radius, item.radius);
    } else {
        painter.drawRect(toRect(item.box));
    }
}

void QtPainter::paintItem(QPainter& painter, const Frame&, const render::LineItem& item) {
    QPen pen(toColour(item.colour), item.width);
    pen.setCapStyle(Qt::FlatCap);
    if (item.dashed) pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.drawLine(QPointF(item.from.x, item.from.y), QPointF(item.to.x, item.to.y));
}

void QtPainter::paintItem(QPainter& painter, const Frame&, const render::PolylineItem& item) {
    QPolygonF points;
    points.reserve(static_cast<qsizetype>(item.points.size()));
    for (const auto& point : item.points) points.append(QPointF(point.x, point.y));
    if (item.stroke != 0) {
        QPen pen(toColour(item.stroke), item.width);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::MiterJoin);
        painter.setPen(pen);
    } else {
        painter.setPen(Qt::NoPen);
    }
    painter.setBrush(item.fill != 0 ? QBrush(toColour(item.fill)) : Qt::NoBrush);
    if (item.closed) {
        painter.drawPolygon(points);
    } else {
        painter.drawPolyline(points);
    }
}

void QtPainter::paintItem(QPainter& painter, const Frame&, const render::TextItem& item) {
    const auto font = fontOf(style_, item.face, item.size);
    const auto text = QString::fromStdString(item.text);
    double left = 0;
    if (item.align != render::Align::left) {
        const double width = QFontMetricsF(font).horizontalAdvance(text);
        left = item.align == render::Align::right ? -width : -width / 2;
    }
    painter.setFont(font);
    painter.setPen(toColour(item.colour));
    if (!item.upwards) {
        painter.drawText(QPointF(item.baseline.x + left, item.baseline.y), text);
        return;
    }
    painter.save();
    painter.translate(item.baseline.x, item.baseline.y);
    painter.rotate(-90);
    painter.drawText(QPointF(left, 0), text);
    painter.restore();
}

void QtPainter::paintItem(QPainter& painter, const Frame& frame, const render::GlyphItem& item) {
    for (const auto& part : render::expand_glyph(item)) {
        std::visit([&](const auto& known) { paintItem(painter, frame, known); }, part);
    }
}

void QtPainter::paintItem(QPainter& painter, const Frame&, const render::ClipItem& item) {
    if (item.begin) {
        painter.save();
        painter.setClipRect(toRect(item.box), Qt::IntersectClip);
    } else {
        painter.restore();
    }
}

}  // namespace maskscope::ui
