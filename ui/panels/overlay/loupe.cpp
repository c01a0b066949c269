// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/loupe.h"

#include "core/render/overlay/compose.h"
#include "ui/canvas/image_marks.h"
#include "ui/session/layer_labels.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

constexpr int kPixels = 24;
constexpr int kMagnified = 8;

}  // namespace

Loupe::Loupe(Session& session, Style& style, QWidget* parent) : QWidget(parent), session_(session), style_(style) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(tr("Loupe, 24 × 24 pixels around the cursor"));
    style.follow(this, [this] { updateGeometry(); });
    const auto redraw = [this](EntryId id) {
        if (id == id_) update();
    };
    connect(&session, &Session::overlayChanged, this, redraw);
    connect(&session, &Session::dataChanged, this, redraw);
    connect(&session.edits(), &EditSession::maskChanged, this, [this](EntryId, qint64, const QRect& cells) {
        if (centre_ && cells.adjusted(-kPixels, -kPixels, kPixels, kPixels)
                           .contains(static_cast<int>(centre_->second), static_cast<int>(centre_->first)))
            update();
    });
    connect(&session.edits(), &EditSession::toolsChanged, this, [this] { update(); });
}

void Loupe::setEntry(EntryId id) {
    if (id != id_) centre_.reset();
    id_ = id;
    update();
}

void Loupe::setCentre(std::int64_t row, std::int64_t col) {
    if (centre_ == std::pair{row, col}) return;
    centre_ = {row, col};
    update();
}

QSize Loupe::sizeHint() const {
    const int side = style_.px(kPixels * kMagnified);
    return {side, side};
}

// A whole number of device pixels for each of the image, so nothing is smeared.
render::Viewport Loupe::viewport() const {
    const auto side = static_cast<int>(std::lround(width() * devicePixelRatioF()));
    render::Viewport view;
    view.pitch = std::max(1.0, std::floor(static_cast<double>(side) / kPixels));
    view.width = side;
    view.height = side;
    const auto [row, col] = centre_.value_or(std::pair<std::int64_t, std::int64_t>{0, 0});
    view.col0 = static_cast<double>(col) + 0.5 - side / view.pitch / 2;
    view.row0 = static_cast<double>(row) + 0.5 - side / view.pitch / 2;
    return view;
}

void Loupe::drawLayer(const LayerState& layer, const OverlayState& state, const render::Viewport& view, QImage& into) {
    const auto* plane = layer.visible ? session_.edits().plane(layer.mask, layer.plane) : nullptr;
    const auto size = session_.imageSize(id_);
    if (plane == nullptr || plane->rows() != size.rows || plane->cols() != size.cols) return;
    render::LabelRule rule;
    rule.soft = is_floating(plane->dtype());
    rule.threshold = layer.threshold;
    render::LabelPixels labels;
    pool_.pool(*plane, rule, view, 0, 0, view.width, view.height, labels);
    render::LayerLook look;
    look.opacity = state.opacity;
    look.fill = layer.fill;
    look.outline = layer.outline && state.outlines;
    look.hatch = layer.hatch;
    look.hidden = layer.hidden_labels;
    render::lay_over(labels, look, style_.theme(), devicePixelRatioF(), 0, 0,
                     reinterpret_cast<render::Rgb*>(into.bits()), static_cast<int>(into.bytesPerLine() / 4));
}

QImage Loupe::picture() {
    const auto view = viewport();
    QImage image(view.width, view.height, QImage::Format_RGB32);
    const auto background = style_.theme()[Token::bg_sunken];
    image.fill(background);
    const auto* state = session_.overlay(id_);
    if (state == nullptr || !centre_) return image;
    if (const auto pixels = session_.imageData(id_)) {
        pixels->pool(view, 0, 0, view.width, view.height, state->natural_tone ? pixels->natural_tone() : state->tone,
                     background, reinterpret_cast<render::Rgb*>(image.bits()),
                     static_cast<int>(image.bytesPerLine() / 4));
    }
    for (const auto& layer : state->layers) drawLayer(layer, *state, view, image);
    return image;
}

// The brush's outline as on the image, then the pixel in the middle.
void Loupe::drawMarks(QPainter& painter) const {
    const auto view = viewport();
    const double scale = view.pitch / devicePixelRatioF();
    const auto place = [&](double x, double y) { return QPointF((x - view.col0) * scale, (y - view.row0) * scale); };
    const auto [row, col] = *centre_;
    painter.setBrush(Qt::NoBrush);
    const auto twice = [&](const QPainterPath& path) {
        painter.setPen(QPen(underInk(), style_.pxf(3)));
        painter.drawPath(path);
        painter.setPen(QPen(overInk(), style_.pxf(1.25)));
        painter.drawPath(path);
    };
    const auto& tools = session_.edits().tools();
    if (tools.tool == Tool::brush || tools.tool == Tool::eraser) {
        QPolygonF ring;
        for (const auto& at :
             mask::outline(tools.brush, {static_cast<double>(col) + 0.5, static_cast<double>(row) + 0.5}))
            ring << place(at.x, at.y);
        QPainterPath path;
        path.addPolygon(ring);
        path.closeSubpath();
        twice(path);
    }
    QPainterPath pixel;
    pixel.addRect(QRectF(place(static_cast<double>(col), static_cast<double>(row)),
                         place(static_cast<double>(col) + 1, static_cast<double>(row) + 1)));
    twice(pixel);
}

void Loupe::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    auto image = picture();
    image.setDevicePixelRatio(devicePixelRatioF());
    painter.drawImage(0, 0, image);
    if (centre_) {
        drawMarks(painter);
    } else {
        painter.setFont(style_.ui(11));
        painter.setPen(style_.colour(Token::text_3));
        painter.drawText(rect(), Qt::AlignCenter, tr("Point at the image"));
    }
    painter.setPen(QPen(style_.colour(Token::line_strong), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

}  // namespace maskscope::ui
