// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/heatmap_canvas.h"

#include "ui/canvas/canvas_accessible.h"
#include "ui/canvas/figure_spec.h"
#include "ui/canvas/view_motion.h"
#include "ui/kit/cards.h"
#include "ui/session/cell_readout.h"

#include <QLocale>
#include <QPainter>
#include <QPointer>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

// Above this many cells in view a new pitch is pooled in the background while the old picture stands in, scaled.
constexpr double kCellsAtOnce = 4e6;

QRectF scaledBox(const render::Box& box, double unit) {
    return {box.x * unit, box.y * unit, box.width * unit, box.height * unit};
}

}  // namespace

HeatmapCanvas::HeatmapCanvas(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style), painter_(style) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAttribute(Qt::WA_AcceptTouchEvents, false);
    setAccessibleName(tr("Heatmap"));
    setWhatsThis(
        tr("Every cell of the slice. The wheel zooms at the cursor, dragging moves the picture, arrow keys "
           "move the cell cursor, Shift+wheel steps through the slices."));
    installCanvasAccessibility();
    connect(&session_, &Session::viewChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::dataChanged, this, [this](EntryId id) {
        if (id == id_) refresh();
    });
    connect(&session_, &Session::documentChanged, this, [this] { refresh(); });
    connect(&session_, &Session::cursorChanged, this, [this](EntryId id) {
        if (id == id_) cursorMoved();
    });
    style_.follow(this, [this] { refresh(); });
}

HeatmapCanvas::~HeatmapCanvas() = default;

void HeatmapCanvas::setEntry(EntryId id) {
    if (id == id_) return;
    id_ = id;
    pinned_.reset();
    drag_ = Drag::none;
    pooled_key_ = {};
    if (const auto* state = session_.view(id_); state != nullptr && state->cursor_pinned) pinned_ = state->cursor;
    refresh();
}

double HeatmapCanvas::unit() const {
    return style_.interfaceSize() / 100.0;
}
double HeatmapCanvas::ratio() const {
    return devicePixelRatioF();
}
double HeatmapCanvas::pitch() const {
    return data_ ? viewport_.pitch : 0;
}

QSize HeatmapCanvas::sizeHint() const {
    return {style_.px(480), style_.px(400)};
}
QSize HeatmapCanvas::minimumSizeHint() const {
    return {style_.px(240), style_.px(200)};
}

void HeatmapCanvas::refresh() {
    const auto* state = session_.view(id_);
    auto next = state != nullptr ? session_.heatmap(id_) : nullptr;
    if (next && (next->plane().rows() == 0 || next->plane().cols() == 0)) next = nullptr;
    if (next != data_) pooled_key_ = {};
    data_ = std::move(next);
    showMessage();
    if (data_) {
        layOut();
        cursorMoved();
    } else {
        pooled_key_ = {};
        update();
    }
}

void HeatmapCanvas::showMessage() {
    const auto* entry = session_.document().find(id_);
    const bool failed = entry != nullptr && !entry->error.empty();
    const bool message = entry != nullptr && !failed && !data_;
    if (failed) {
        const auto name = QString::fromStdString(entry->name);
        const auto cause = QString::fromStdString(entry->error);
        const auto hint = tr("Reload the file, or open another tensor.");
        if (error_ == nullptr) error_ = new ErrorCard(style_, {}, {}, {}, this);
        error_->setTexts(tr("Cannot show %1").arg(name), cause, hint);
    } else if (message) {
        if (empty_ == nullptr) empty_ = new EmptyCard(style_, QStringLiteral("tensor"), {}, {}, this);
        const auto tensor = session_.tensor(id_);
        const auto name = QString::fromStdString(entry->name);
        if (tensor && tensor->numel() == 0) {
            empty_->setTexts(
                tr("0 cells: shape %1 has no elements").arg(QString::fromStdString(text_of(tensor->shape()))),
                tr("There is nothing to draw. Choose another tensor in the workspace."));
        } else {
            empty_->setTexts(tr("Loading %1").arg(name),
                             tr("The picture appears as soon as the first cells are read."));
        }
    }
    for (QWidget* card :
         {static_cast<QWidget*>(failed ? error_ : nullptr), static_cast<QWidget*>(message ? empty_ : nullptr)}) {
        if (card == nullptr) continue;
        const int width = std::min(style_.px(420), this->width() - style_.px(32));
        const int height = std::max(card->sizeHint().height(), card->heightForWidth(width));
        card->setGeometry((this->width() - width) / 2, (this->height() - height) / 3, width, height);
    }
    if (error_ != nullptr) error_->setVisible(failed);
    if (empty_ != nullptr) empty_->setVisible(message);
}

void HeatmapCanvas::layOut() {
    const auto* state = session_.view(id_);
    if (state == nullptr || !data_ || width() <= 0 || height() <= 0) return;
    spec_ = figureSpec(session_, id_, style_.themeId());
    spec_.width = width() / unit();
    spec_.height = height() / unit();
    spec_.device_ratio = ratio() * unit();
    spec_.legend = false;
    spec_.crosshair = crosshair_;
    layout_ = render::lay_out(*data_, spec_);

    const double before = viewport_.pitch;
    if (state->fit) {
        viewport_ = render::fit(*data_, layout_, spec_);
    } else {
        viewport_ = state->viewport;
        viewport_.width = static_cast<int>(std::lround(layout_.data.width * spec_.device_ratio));
        viewport_.height = static_cast<int>(std::lround(layout_.data.height * spec_.device_ratio));
    }
    pool();
    list_stale_ = true;
    if (viewport_.pitch != before) emit pitchChanged(viewport_.pitch);
    update();
}

void HeatmapCanvas::pool() {
    const auto* state = session_.view(id_);
    const PooledKey key{data_.get(), data_->prepared(), poolRule(*state), viewport_};
    if (key == pooled_key_) return;
    const double cells = viewport_.width / viewport_.pitch * (viewport_.height / viewport_.pitch);
    const bool zoom = pooled_key_.data == key.data && pooled_key_.prepared && pooled_key_.rule == key.rule &&
                      pooled_key_.viewport.pitch != viewport_.pitch;
    if (zoom && viewport_.pitch < 1 && cells > kCellsAtOnce) {
        pooled_ = resampled(pooled_, pooled_key_.viewport, viewport_);
        pooled_key_ = key;
        poolInBackground();
        return;
    }
    pooled_ = data_->pool(viewport_, key.rule);
    pooled_key_ = key;
    refining_ = false;
    if (!pooled_.exact && key.prepared) poolInBackground();
}

void HeatmapCanvas::poolInBackground() {
    refining_ = true;
    const auto key = pooled_key_;
    session_.jobs().run<render::Pooled>(
        QStringLiteral("picture:%1").arg(static_cast<qulonglong>(id_)), tr("Refining the picture"),
        [data = data_, key](const JobContext& context) { return data->pool_exact(key.viewport, key.rule, context); },
        [self = QPointer<HeatmapCanvas>(this), key](Result<render::Pooled> result) {
            if (self.isNull() || !(self->pooled_key_ == key)) return;
            self->refining_ = false;
            if (result) {
                self->pooled_ = *std::move(result);
                self->list_stale_ = true;
            }
            self->update();
        });
}

void HeatmapCanvas::cursorMoved() {
    const auto* state = session_.view(id_);
    if (state == nullptr || !data_) return;
    if (state->cursor_pinned) pinned_ = state->cursor;
    list_stale_ = true;
    update();
    // Whoever pins a cell (a table, the legend, Ctrl+L, a linked view) wants it seen.
    if (state->cursor && state->cursor_pinned && drag_ == Drag::none) {
        const auto shown = showing(viewport_, *state->cursor);
        if (!(shown == viewport_)) changeViewport(shown);
    }
    const auto readout = state->cursor ? readCell(session_, id_, *state->cursor) : CellReadout{};
    announceCanvas(*this, tr("Heatmap of %1").arg(sliceTitle(session_, id_)), readout.spoken);
}

void HeatmapCanvas::changeViewport(const render::Viewport& viewport) {
    session_.changeView(id_, [&](ViewState& state) {
        state.fit = false;
        state.viewport = viewport;
    });
}

const render::DisplayList& HeatmapCanvas::list() {
    if (list_stale_ && data_) {
        const auto* state = session_.view(id_);
        spec_.cursor = state != nullptr ? state->cursor : std::nullopt;
        list_ = render::draw(*data_, pooled_, viewport_, layout_, spec_);
        list_stale_ = false;
    }
    return list_;
}

QString HeatmapCanvas::note() const {
    if (!data_->prepared()) return tr("counting");
    if (refining_) return tr("refining");
    const auto& stats = data_->stats();
    if (stats.finite == 0) return tr("no visible cell of this slice has a finite value");
    return {};
}

void HeatmapCanvas::paintNote(QPainter& painter) {
    const auto text = note();
    if (text.isEmpty()) return;
    const auto font = style_.ui(10, 500);
    const int height = style_.px(18);
    const int width = QFontMetrics(font).horizontalAdvance(text) + style_.px(12);
    const auto area = scaledBox(layout_.data, unit());
    const QRectF box(area.left() + style_.px(6), area.bottom() - height - style_.px(6), width, height);
    painter.setPen(QPen(style_.colour(Token::line_strong), 1));
    painter.setBrush(style_.colour(Token::bg_raised));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setFont(font);
    painter.setPen(style_.colour(Token::text_2));
    painter.drawText(box, Qt::AlignCenter, text);
}

void HeatmapCanvas::paintEvent(QPaintEvent*) {
    if (data_ && spec_.device_ratio != ratio() * unit()) layOut();
    QPainter painter(this);
    painter.fillRect(rect(), style_.colour(Token::bg_view));
    if (!data_) return;
    painter.save();
    painter.scale(unit(), unit());
    painter_.paint(painter, list());
    painter.restore();
    paintNote(painter);
}

void HeatmapCanvas::resizeEvent(QResizeEvent*) {
    refresh();
}

QPointF HeatmapCanvas::devicePoint(QPointF position) const {
    return {(position.x() - layout_.data.x * unit()) * ratio(), (position.y() - layout_.data.y * unit()) * ratio()};
}

std::optional<render::CellIndex> HeatmapCanvas::cellAt(QPointF position) const {
    if (!data_) return std::nullopt;
    const auto point = devicePoint(position);
    if (point.x() < 0 || point.y() < 0 || point.x() >= viewport_.width || point.y() >= viewport_.height)
        return std::nullopt;
    const double row = std::floor(viewport_.cell_from_pixel_y(point.y()) + 1e-9);
    const double col = std::floor(viewport_.cell_from_pixel_x(point.x()) + 1e-9);
    const auto& plane = data_->plane();
    if (row < 0 || col < 0 || row >= static_cast<double>(plane.rows()) || col >= static_cast<double>(plane.cols()))
        return std::nullopt;
    return render::CellIndex{static_cast<std::int64_t>(row), static_cast<std::int64_t>(col)};
}

QRectF HeatmapCanvas::boxOf(const render::CellIndex& cell) const {
    const double x = viewport_.pixel_from_cell_x(static_cast<double>(cell.col)) / ratio();
    const double y = viewport_.pixel_from_cell_y(static_cast<double>(cell.row)) / ratio();
    const double side = viewport_.pitch / ratio();
    return {layout_.data.x * unit() + x, layout_.data.y * unit() + y, side, side};
}

}  // namespace maskscope::ui
