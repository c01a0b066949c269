// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/image_marks.h"

#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

// More numbers than this are a carpet.
constexpr int kMostNumbers = 400;
constexpr double kTicksApart = 44;  // logical pixels at least between two numbers of a ruler

// Dark under light: seen on any picture. `widths` are logical pixels.
void strokeTwice(QPainter& painter, const MarkFrame& frame, const QPainterPath& path, double under, double over,
                 bool dashed = false) {
    QPen pen(underInk(), frame.style.pxf(under));
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setBrush(Qt::NoBrush);
    painter.strokePath(path, pen);
    pen.setColor(overInk());
    pen.setWidthF(frame.style.pxf(over));
    if (dashed) pen.setDashPattern({4, 3});
    painter.strokePath(path, pen);
}

QPainterPath pathOf(const MarkFrame& frame, const std::vector<mask::Position>& points, bool closed) {
    QPolygonF line;
    line.reserve(static_cast<qsizetype>(points.size()) + 1);
    // Corners that fall together on the screen are one.
    const double least = 0.5 / frame.ratio;
    for (const auto& point : points) {
        const auto at = frame.toWidget(point);
        if (!line.isEmpty() && (at - line.last()).manhattanLength() < least) continue;
        line.append(at);
    }
    QPainterPath path;
    path.addPolygon(line);
    if (closed) path.closeSubpath();
    return path;
}

// 1, 2 or 5 times a power of ten, at least `least`.
double niceStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(least, 1.0))));
    for (const double times : {1.0, 2.0, 5.0}) {
        if (power * times >= least) return power * times;
    }
    return power * 10;
}

// A part is a fifth of the step, or the pixel when that is less.
double partOf(double step) {
    return step >= 5 ? step / 5 : 1;
}

}  // namespace

QPointF MarkFrame::toWidget(mask::Position image) const {
    return {area.left() + viewport.pixel_from_cell_x(image.x) / ratio,
            area.top() + viewport.pixel_from_cell_y(image.y) / ratio};
}

void paintGrid(QPainter& painter, const MarkFrame& frame) {
    if (frame.viewport.pitch < kGridPitch) return;
    const auto& view = frame.viewport;
    const auto firstCol = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(view.col0)));
    const auto lastCol = std::min(frame.cols, static_cast<std::int64_t>(std::ceil(view.cell_from_pixel_x(view.width))));
    const auto firstRow = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(view.row0)));
    const auto lastRow =
        std::min(frame.rows, static_cast<std::int64_t>(std::ceil(view.cell_from_pixel_y(view.height))));
    if (lastCol < firstCol || lastRow < firstRow) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    auto ink = frame.style.colour(Token::text_3);
    ink.setAlphaF(0.35F);
    painter.setPen(QPen(ink, 0));  // one device pixel
    const auto a = frame.toWidget({static_cast<double>(firstCol), static_cast<double>(firstRow)});
    const auto b = frame.toWidget({static_cast<double>(lastCol), static_cast<double>(lastRow)});
    for (auto col = firstCol; col <= lastCol; ++col) {
        const double x = frame.toWidget({static_cast<double>(col), 0}).x();
        painter.drawLine(QPointF(x, a.y()), QPointF(x, b.y()));
    }
    for (auto row = firstRow; row <= lastRow; ++row) {
        const double y = frame.toWidget({0, static_cast<double>(row)}).y();
        painter.drawLine(QPointF(a.x(), y), QPointF(b.x(), y));
    }
    painter.restore();
}

void paintLabels(QPainter& painter, const MarkFrame& frame, const std::vector<LabelPlace>& places,
                 const std::function<QString(std::int64_t)>& text) {
    const auto font = frame.style.mono(10, 600);
    const QFontMetricsF metrics(font);
    const double height = frame.style.pxf(14);
    QList<QRectF> taken;
    painter.setFont(font);
    for (const auto& place : places) {  // largest first: what follows is smaller still
        const double area = static_cast<double>(place.cells) * frame.pitch() * frame.pitch();
        if (area < height * height || taken.size() >= kMostNumbers) break;
        const auto middle = frame.toWidget({place.x, place.y});
        if (!frame.area.contains(middle)) continue;
        const auto number = text(place.label);
        if (number.isEmpty()) continue;
        const double width = std::max(metrics.horizontalAdvance(number) + frame.style.pxf(8), height);
        if (area < width * height) continue;
        const QRectF box(std::round(middle.x() - width / 2), std::round(middle.y() - height / 2), width, height);
        const bool covered =
            std::any_of(taken.begin(), taken.end(), [&box](const QRectF& other) { return other.intersects(box); });
        if (covered) continue;
        taken.append(box);
        auto ground = underInk();
        ground.setAlphaF(0.72F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(box, frame.style.pxf(2), frame.style.pxf(2));
        painter.setPen(overInk());
        painter.drawText(box, Qt::AlignCenter, number);
    }
}

void paintCell(QPainter& painter, const MarkFrame& frame, std::int64_t row, std::int64_t col) {
    QPainterPath path;
    const auto corner = frame.toWidget({static_cast<double>(col), static_cast<double>(row)});
    const double side = std::max(frame.pitch(), frame.style.pxf(4));
    const double by = (side - frame.pitch()) / 2;
    path.addRect(QRectF(corner.x() - by, corner.y() - by, side, side));
    strokeTwice(painter, frame, path, 3, 1.25);
}

void paintRubberBand(QPainter& painter, const MarkFrame& frame, const RubberBand& band) {
    if (band.kind == RubberBand::Kind::none) return;
    QPainterPath path;
    if (band.kind == RubberBand::Kind::path) {
        for (const auto& ring : band.closed) path.addPath(pathOf(frame, ring, true));
        auto ring = band.points;
        if (band.next) ring.push_back(*band.next);
        path.addPath(pathOf(frame, ring, false));
    } else if (band.points.size() == 2) {
        const auto from = frame.toWidget(band.points[0]);
        const auto to = frame.toWidget(band.points[1]);
        const QRectF box = QRectF(from, to).normalized();
        if (band.kind == RubberBand::Kind::ellipse) {
            path.addEllipse(box);
        } else if (band.kind == RubberBand::Kind::rectangle) {
            path.addRect(box);
        } else {
            path.moveTo(from);
            path.lineTo(to);
        }
    }
    strokeTwice(painter, frame, path, 2.5, 1.25, true);
    if (band.kind != RubberBand::Kind::path || !band.next) return;
    const double side = frame.style.pxf(5);
    painter.setPen(QPen(underInk(), 1));
    painter.setBrush(overInk());
    for (const auto& point : band.points) {
        const auto at = frame.toWidget(point);
        painter.drawRect(QRectF(at.x() - side / 2, at.y() - side / 2, side, side));
    }
}

QRectF wipeHandle(const MarkFrame& frame, double x) {
    const QSizeF size(frame.style.pxf(20), frame.style.pxf(32));
    return {QPointF(x - size.width() / 2, frame.area.center().y() - size.height() / 2), size};
}

namespace {

void paintCaption(QPainter& painter, const MarkFrame& frame, const QString& text, double x, bool at_left) {
    if (text.isEmpty()) return;
    const auto font = frame.style.ui(11, 600);
    const double width = QFontMetricsF(font).horizontalAdvance(text) + frame.style.pxf(16);
    const double height = frame.style.pxf(20);
    const QRectF box(at_left ? x : x - width, frame.area.bottom() - height - frame.style.pxf(8), width, height);
    painter.setPen(QPen(frame.style.colour(Token::line_strong), 1));
    painter.setBrush(frame.style.colour(Token::bg_raised));
    painter.drawRoundedRect(box, frame.style.pxf(2), frame.style.pxf(2));
    painter.setFont(font);
    painter.setPen(frame.style.colour(Token::text));
    painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

void paintWipe(QPainter& painter, const MarkFrame& frame, double x, const QString& left, const QString& right) {
    paintCaption(painter, frame, left, frame.area.left() + frame.style.pxf(8), true);
    paintCaption(painter, frame, right, frame.area.right() - frame.style.pxf(8), false);
    const auto line = [&](double width, const QColor& colour) {
        painter.fillRect(QRectF(x - width / 2, frame.area.top(), width, frame.area.height()), colour);
    };
    line(frame.style.px(4), underInk());
    line(frame.style.px(2), overInk());
    const auto handle = wipeHandle(frame, x);
    painter.setPen(QPen(frame.style.colour(Token::on_accent), 1));
    painter.setBrush(frame.style.colour(Token::accent));
    painter.drawRoundedRect(handle, frame.style.pxf(4), frame.style.pxf(4));
    painter.setPen(QPen(frame.style.colour(Token::on_accent), frame.style.pxf(1.5), Qt::SolidLine, Qt::RoundCap));
    const auto middle = handle.center();
    for (const double side : {-1.0, 1.0}) {
        const double tip = frame.style.pxf(6) * side;
        const double back = frame.style.pxf(3) * side;
        const double rise = frame.style.pxf(4);
        painter.drawLine(middle + QPointF(tip, 0), middle + QPointF(back, -rise));
        painter.drawLine(middle + QPointF(tip, 0), middle + QPointF(back, rise));
    }
}

void paintRulers(QPainter& painter, const MarkFrame& frame, const QRect& whole, std::optional<mask::Position> cursor) {
    const double side = frame.style.pxf(16);
    const QRectF top(whole.left(), whole.top(), whole.width(), side);
    const QRectF left(whole.left(), whole.top(), side, whole.height());
    painter.fillRect(top, frame.style.colour(Token::bg_panel));
    painter.fillRect(left, frame.style.colour(Token::bg_panel));
    const auto font = frame.style.ui(10);
    painter.setFont(font);
    const double step = niceStep(frame.style.pxf(kTicksApart) / frame.pitch());
    const double part = partOf(step);
    const auto ink = frame.style.colour(Token::text_2);
    const auto ticks = [&](bool across) {
        const auto& view = frame.viewport;
        const double begin = std::max(0.0, across ? view.col0 : view.row0);
        const double end = std::min(static_cast<double>(across ? frame.cols : frame.rows),
                                    across ? view.cell_from_pixel_x(view.width) : view.cell_from_pixel_y(view.height));
        painter.save();
        painter.setClipRect(across ? top.adjusted(side, 0, 0, 0) : left.adjusted(0, side, 0, 0));
        for (double at = std::floor(begin / step) * step; at <= end; at += part) {
            const bool numbered = std::abs(at / step - std::round(at / step)) < 1e-9;
            const auto place = frame.toWidget({at, at});
            const double length = frame.style.pxf(numbered ? 6 : 3);
            painter.setPen(QPen(frame.style.colour(Token::line_strong), 1));
            if (across) {
                painter.drawLine(QPointF(place.x(), side - length), QPointF(place.x(), side));
            } else {
                painter.drawLine(QPointF(side - length, place.y()), QPointF(side, place.y()));
            }
            if (!numbered) continue;
            painter.setPen(ink);
            const auto number = QString::number(static_cast<qint64>(std::llround(at)));
            if (across) {
                painter.drawText(QPointF(place.x() + frame.style.pxf(3), side - frame.style.pxf(5)), number);
            } else {
                painter.save();
                painter.translate(side - frame.style.pxf(5), place.y() - frame.style.pxf(3));
                painter.rotate(-90);
                painter.drawText(QPointF(0, 0), number);
                painter.restore();
            }
        }
        painter.restore();
    };
    ticks(true);
    ticks(false);
    if (cursor) {
        const auto at = frame.toWidget(*cursor);
        painter.setPen(QPen(frame.style.colour(Token::accent), 1));
        if (at.x() >= side) painter.drawLine(QPointF(at.x(), 0), QPointF(at.x(), side));
        if (at.y() >= side) painter.drawLine(QPointF(0, at.y()), QPointF(side, at.y()));
    }
    painter.fillRect(QRectF(whole.left(), whole.top(), side, side), frame.style.colour(Token::bg_panel));
    painter.setPen(QPen(frame.style.colour(Token::line), 1));
    painter.drawLine(QPointF(0, side - 0.5), QPointF(whole.width(), side - 0.5));
    painter.drawLine(QPointF(side - 0.5, 0), QPointF(side - 0.5, whole.height()));
}

}  // namespace maskscope::ui
