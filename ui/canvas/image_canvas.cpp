// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/image_canvas.h"

#include "ui/canvas/canvas_accessible.h"
#include "ui/canvas/image_canvas_private.h"
#include "ui/canvas/view_motion.h"
#include "ui/kit/cards.h"
#include "ui/session/layer_labels.h"

#include <QPainter>
#include <QPointer>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace maskscope::ui {

using render::Token;

namespace {

using namespace std::chrono_literals;
constexpr auto kFlicker = 500ms;
// Numbers of labels follow when the hand rests.
constexpr auto kPlaceAfter = 120ms;
constexpr double kLargestPixel = 128;

}  // namespace

ImageCanvas::Private::Private(ImageCanvas& canvas) : q(canvas), hand(canvas.session_) {
    place_timer.setSingleShot(true);
    place_timer.setInterval(kPlaceAfter);
    QObject::connect(&place_timer, &QTimer::timeout, &q, [this] { placeLabels(); });
    flicker.setInterval(kFlicker);
    QObject::connect(&flicker, &QTimer::timeout, &q, [this] {
        other = !other;
        picture.show(viewport, source());
        q.update();
    });
    hand.picked = [this](double label) { emit q.picked(label); };
}

ImageCanvas::ImageCanvas(Session& session, Style& style, QWidget* parent)
    : QWidget(parent), session_(session), style_(style), d_(std::make_unique<Private>(*this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Image"));
    setWhatsThis(
        tr("The image with its masks. The wheel zooms at the cursor, Space and the middle button drag the picture, the "
           "left button paints with the tool in hand; Alt erases, [ and ] change the brush."));
    installCanvasAccessibility();
    const auto mine = [this](EntryId id) {
        const auto* state = d_->overlay();
        return id == id_ || (state != nullptr && std::any_of(state->layers.begin(), state->layers.end(),
                                                             [id](const auto& layer) { return layer.mask == id; }));
    };
    const auto refresh = [this] { d_->refresh(); };
    const auto refreshMine = [this, mine](EntryId id) {
        if (mine(id)) d_->refresh();
    };
    connect(&session_, &Session::viewChanged, this, refreshMine);
    connect(&session_, &Session::dataChanged, this, refreshMine);
    connect(&session_, &Session::overlayChanged, this, refreshMine);
    connect(&session_, &Session::documentChanged, this, refresh);
    connect(&session_, &Session::cursorChanged, this, [this](EntryId id) {
        if (id == id_) d_->cursorMoved();
    });
    connect(&session_.edits(), &EditSession::maskChanged, this,
            [this](EntryId mask, qint64 plane, const QRect& cells) { d_->touched(mask, plane, cells); });
    connect(&session_.edits(), &EditSession::toolsChanged, this, [this] { d_->toolsChanged(); });
    style_.follow(this, refresh);
}

ImageCanvas::~ImageCanvas() = default;

void ImageCanvas::setEntry(EntryId id) {
    if (id == id_) return;
    id_ = id;
    d_->hand.setEntry(id);
    d_->endDrag();
    d_->places.clear();
    d_->placed.clear();
    d_->resized.clear();
    d_->mouse.reset();
    d_->pinned.reset();
    if (const auto* state = session_.view(id_); state != nullptr && state->cursor_pinned) d_->pinned = state->cursor;
    d_->refresh();
}

QSize ImageCanvas::sizeHint() const {
    return {style_.px(480), style_.px(400)};
}
QSize ImageCanvas::minimumSizeHint() const {
    return {style_.px(240), style_.px(200)};
}
double ImageCanvas::pitch() const {
    return d_->size.empty() ? 0 : d_->viewport.pitch;
}

// --- from session to picture

void ImageCanvas::Private::refresh() {
    auto& session = q.session_;
    const auto* entry = session.document().find(q.id_);
    image = session.imageData(q.id_);
    size = {};
    if (entry != nullptr && entry->error.empty() && session.view(q.id_) != nullptr) {
        const bool picture_of_its_own = entry->role.value == document::Role::image;
        const bool there = picture_of_its_own ? image != nullptr : session.edits().plane(q.id_, 0) != nullptr;
        if (there) size = session.imageSize(q.id_);
    }
    showMessage();
    if (size.empty()) {
        picture.show({}, {});
        flicker.stop();
    } else {
        layOut();
    }
    q.update();
}

void ImageCanvas::Private::showMessage() {
    auto& session = q.session_;
    const auto* entry = session.document().find(q.id_);
    const auto problem = entry != nullptr && entry->role.value == document::Role::mask && size.empty()
                             ? session.edits().problem(q.id_)
                             : QString();
    const bool unreadable = !problem.isEmpty() && entry->item.tensor.defined() && !session.edits().reading(q.id_);
    const bool failed = entry != nullptr && (!entry->error.empty() || unreadable);
    const bool message = entry != nullptr && !failed && size.empty();
    if (failed) {
        if (error == nullptr) error = new ErrorCard(q.style_, {}, {}, {}, &q);
        error->setTexts(tr("Cannot show %1").arg(QString::fromStdString(entry->name)),
                        entry->error.empty() ? problem : QString::fromStdString(entry->error),
                        tr("Reload the file, or open another image."));
    } else if (message) {
        if (empty == nullptr) empty = new EmptyCard(q.style_, QStringLiteral("image"), {}, {}, &q);
        if (entry->item.tensor.defined() && entry->item.tensor.numel() == 0) {
            empty->setTexts(
                tr("0 pixels: shape %1 has no elements").arg(QString::fromStdString(text_of(entry->item.shape))),
                tr("There is nothing to draw. Choose another image in the workspace."));
        } else {
            empty->setTexts(tr("Loading %1").arg(QString::fromStdString(entry->name)),
                            tr("The picture appears as soon as its pixels are read."));
        }
    }
    for (QWidget* card :
         {static_cast<QWidget*>(failed ? error : nullptr), static_cast<QWidget*>(message ? empty : nullptr)}) {
        if (card == nullptr) continue;
        const int width = std::min(q.style_.px(420), q.width() - q.style_.px(32));
        const int height = std::max(card->sizeHint().height(), card->heightForWidth(width));
        card->setGeometry((q.width() - width) / 2, (q.height() - height) / 3, width, height);
    }
    if (error != nullptr) error->setVisible(failed);
    if (empty != nullptr) empty->setVisible(message);
}

QRect ImageCanvas::Private::deviceArea() const {
    const auto* state = overlay();
    const int ruler = state != nullptr && state->rulers ? static_cast<int>(std::lround(q.style_.px(16) * ratio())) : 0;
    return {ruler, ruler, std::max(1, static_cast<int>(std::lround(q.width() * ratio())) - ruler),
            std::max(1, static_cast<int>(std::lround(q.height() * ratio())) - ruler)};
}

MarkFrame ImageCanvas::Private::frame() const {
    const auto area = deviceArea();
    return {q.style_,  QRectF(area.x() / ratio(), area.y() / ratio(), area.width() / ratio(), area.height() / ratio()),
            viewport,  ratio(),
            size.rows, size.cols};
}

void ImageCanvas::Private::layOut() {
    const auto* state = q.session_.view(q.id_);
    if (state == nullptr || size.empty()) return;
    const double before = viewport.pitch;
    const auto area = deviceArea();
    if (state->fit) {
        viewport.pitch = render::fitting_pitch(size.rows, size.cols, area.width(), area.height(), kLargestPixel);
        const auto centred = [this](std::int64_t cells, int pixels) {
            const double rest = pixels - static_cast<double>(cells) * viewport.pitch;
            return -std::floor(rest / 2 + 1e-6) / viewport.pitch;
        };
        viewport.col0 = centred(size.cols, area.width());
        viewport.row0 = centred(size.rows, area.height());
    } else {
        viewport = state->viewport;
    }
    viewport.width = area.width();
    viewport.height = area.height();
    picture.show(viewport, source());
    const auto* layers = overlay();
    const bool flickers = layers != nullptr && layers->compare == CompareMode::flicker;
    if (flickers != flicker.isActive()) {
        flickers ? flicker.start() : flicker.stop();
        other = other && flickers;
    }
    place_timer.start();
    if (viewport.pitch != before) emit q.pitchChanged(viewport.pitch);
}

// The layer's plane at the image's size. Planes of edits are pointed to, those that had to be resized are kept.
std::shared_ptr<const mask::Plane> ImageCanvas::Private::planeOf(const LayerState& layer, const mask::Plane& plane) {
    if (plane.rows() == size.rows && plane.cols() == size.cols) {
        return {std::shared_ptr<const mask::Plane>(), &plane};
    }
    const LayerId id{layer.mask, layer.plane};
    if (const auto held = resized.find(id); held != resized.end() && held->second.rule == layer.resize) {
        return held->second.plane;
    }
    std::shared_ptr<const mask::Plane> made;
    if (const auto cells = plane.tensor()) {
        if (const auto large = render::resized(*cells, size.rows, size.cols, layer.resize)) {
            if (auto tiles = mask::Plane::of(*large)) made = std::make_shared<mask::Plane>(*std::move(tiles));
        }
    }
    resized[id] = {layer.resize, made};
    return made;
}

std::optional<PictureLayer> ImageCanvas::Private::pictureLayer(const OverlayState& state, int index) {
    const auto& layer = state.layers[static_cast<std::size_t>(index)];
    const auto* plane = q.session_.edits().plane(layer.mask, layer.plane);
    if (plane == nullptr) return std::nullopt;
    PictureLayer out;
    out.mask = layer.mask;
    out.index = layer.plane;
    out.plane = planeOf(layer, *plane);
    if (!out.plane) return std::nullopt;
    out.rule.soft = is_floating(plane->dtype());
    out.rule.threshold = layer.threshold;
    out.look.opacity = state.opacity;
    out.look.fill = layer.fill;
    out.look.outline = layer.outline && state.outlines;
    out.look.hatch = layer.hatch;
    out.look.hidden = layer.hidden_labels;
    out.look.colour = layerColour(state, index, plane->dtype(), q.style_.theme());
    const bool active = index == state.active;
    if (active && !out.look.colour) {
        out.look.emphasised = static_cast<std::int64_t>(q.session_.edits().tools().label);
    } else if (active && state.layers.size() > 1) {
        out.look.emphasised = 1;
    }
    return out;
}

std::optional<render::Rgb> layerColour(const OverlayState& state, int layer, DType dtype, const render::Theme& theme) {
    if (dtype != DType::boolean && !is_floating(dtype)) return std::nullopt;
    return state.layers.size() > 1 ? std::optional(render::label_colour(layer + 1, theme)) : std::nullopt;
}

PictureSource ImageCanvas::Private::source() {
    PictureSource out;
    out.image = image;
    out.prepared = image && image->prepared();
    out.rows = size.rows;
    out.cols = size.cols;
    out.theme = q.style_.themeId();
    out.ratio = ratio();
    const auto* state = overlay();
    if (image) out.tone = state == nullptr || state->natural_tone ? image->natural_tone() : state->tone;
    if (state == nullptr) return out;
    for (int i = 0; i < static_cast<int>(state->layers.size()); ++i) {
        const bool compared = state->compare != CompareMode::none && i == state->compare_with;
        if (!compared && !state->layers[static_cast<std::size_t>(i)].visible) continue;
        auto layer = pictureLayer(*state, i);
        if (layer) (compared ? out.left : out.layers).push_back(*std::move(layer));
    }
    if (state->compare == CompareMode::wipe) {
        out.wipe = std::max(1, static_cast<int>(std::lround(state->wipe * viewport.width)));
    } else if (state->compare == CompareMode::flicker && other) {
        out.layers = std::exchange(out.left, {});
    } else {
        out.left.clear();
    }
    return out;
}

void ImageCanvas::Private::touched(EntryId mask, std::int64_t plane, const QRect& cells) {
    const LayerId id{mask, plane};
    if (resized.erase(id) > 0) return refresh();
    if (size.empty()) return;
    placed.erase(id);
    place_timer.start();
    const auto part = picture.touch(mask, plane, {cells.y(), cells.x(), cells.height(), cells.width()});
    if (part.isEmpty()) return;
    const auto area = deviceArea();
    q.update(QRectF((part.x() + area.x()) / ratio(), (part.y() + area.y()) / ratio(), part.width() / ratio(),
                    part.height() / ratio())
                 .toAlignedRect());
}

// Numbers stand where the labels were when they were last counted; a layer that has changed is counted anew.
void ImageCanvas::Private::placeLabels() {
    const auto* state = overlay();
    if (state == nullptr || !state->ids || size.empty()) return;
    if (q.session_.edits().underWay()) return place_timer.start();
    for (const auto& layer : picture.source().layers) {
        const LayerId id{layer.mask, layer.index};
        if (layer.look.colour || !is_integer(layer.plane->dtype())) continue;
        if (const auto held = placed.find(id); held != placed.end() && held->second == layer.plane.get()) continue;
        placed[id] = layer.plane.get();
        using Places = std::vector<LabelPlace>;
        q.session_.jobs().run<Places>(
            QStringLiteral("places:%1:%2:%3")
                .arg(reinterpret_cast<quintptr>(this))
                .arg(static_cast<uint>(id.first))
                .arg(id.second),
            tr("Finding the labels"),
            [plane = *layer.plane](const JobContext& context) { return labelPlaces(plane, context); },
            [self = QPointer<ImageCanvas>(&q), id](Result<Places> found) {
                if (self.isNull() || !found) return;
                self->d_->places[id] = *std::move(found);
                self->update();
            });
    }
}

void ImageCanvas::Private::changeViewport(const render::Viewport& to) {
    q.session_.changeView(q.id_, [&](ViewState& state) {
        state.fit = false;
        state.viewport = to;
    });
}

void ImageCanvas::Private::cursorMoved() {
    const auto* state = q.session_.view(q.id_);
    if (state == nullptr || size.empty()) return;
    if (state->cursor_pinned) pinned = state->cursor;
    if (state->cursor && state->cursor_pinned && drag == Drag::none) {
        const auto shown = showing(viewport, *state->cursor);
        if (!(shown == viewport)) changeViewport(shown);
    }
    updateMarks();
    QString spoken;
    if (const auto under = q.under()) {
        spoken = tr("row %1, column %2").arg(under->row).arg(under->col);
        for (std::size_t i = 0; i < under->image.size(); ++i) {
            spoken += (i == 0 ? tr(": image ") : QStringLiteral(", ")) + QString::number(under->image[i]);
        }
        for (const auto& hit : under->labels) {
            spoken += tr("; %1 label %2").arg(layerTitle(hit.layer)).arg(hit.label);
        }
    }
    const auto* entry = q.session_.document().find(q.id_);
    announceCanvas(q, tr("Image %1").arg(entry != nullptr ? QString::fromStdString(entry->name) : QString()), spoken);
    emit q.underChanged();
}

void ImageCanvas::Private::toolsChanged() {
    if (tool() != in_hand) {
        in_hand = tool();
        hand.cancel();
        if (drag == Drag::painting) drag = Drag::none;
        updateMouseCursor();
    }
    if (size.empty()) return;
    picture.show(viewport, source());  // the outline of the label in hand
    q.update();
}

QString ImageCanvas::Private::layerTitle(int layer) const {
    const auto* state = overlay();
    if (state == nullptr || layer < 0 || layer >= static_cast<int>(state->layers.size())) return {};
    return layerName(q.session_, state->layers[static_cast<std::size_t>(layer)]);
}

// --- painting

void ImageCanvas::Private::updateMarks() {
    if (size.empty()) return;
    const auto place = frame();
    auto box = marked;
    marked = mouse ? BrushMark::box(place, hand.stamps() ? q.session_.edits().tools().brush : mask::Brush{}, *mouse)
                   : QRect();
    box |= marked;
    const bool bands = hand.rubberBand().kind != RubberBand::Kind::none;
    const auto* state = q.session_.view(q.id_);
    if (bands || (state != nullptr && state->cursor_pinned)) return q.update();
    q.update(box);
    if (place.area.top() > 0) {
        const int ruler = static_cast<int>(std::ceil(place.area.top()));
        q.update(0, 0, q.width(), ruler);
        q.update(0, 0, ruler, q.height());
    }
}

void ImageCanvas::Private::paintMarks(QPainter& painter) {
    const auto place = frame();
    const auto* state = overlay();
    const auto* view = q.session_.view(q.id_);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(place.area, Qt::IntersectClip);
    if (state != nullptr && state->grid) paintGrid(painter, place);
    const int wipe = picture.source().wipe;
    if (state != nullptr && state->ids) {
        painter.save();
        // Left of the wipe is another layer.
        if (wipe > 0) painter.setClipRect(place.area.adjusted(wipe / place.ratio, 0, 0, 0), Qt::IntersectClip);
        for (const auto& layer : picture.source().layers) {
            const auto found = places.find({layer.mask, layer.index});
            if (found == places.end() || layer.look.colour) continue;
            paintLabels(painter, place, found->second, [&layer](std::int64_t label) {
                return layer.look.hidden.contains(label) ? QString() : QString::number(label);
            });
        }
        painter.restore();
    }
    if (wipe > 0) {
        const auto left = layerTitle(state->compare_with);
        paintWipe(painter, place, place.area.left() + wipe / place.ratio,
                  tr("Compare: %1").arg(left.isEmpty() ? tr("image alone") : left),
                  state->active >= 0 ? tr("Edit: %1").arg(layerTitle(state->active)) : QString());
    }
    if (view != nullptr && view->cursor && view->cursor_pinned) {
        paintCell(painter, place, view->cursor->row, view->cursor->col);
    }
    paintRubberBand(painter, place, hand.rubberBand());
    const bool over = mouse && drag != Drag::panning && drag != Drag::wiping && !space;
    if (over && hand.stamps()) brush_mark.paint(painter, place, q.session_.edits().tools().brush, *mouse);
    painter.restore();
    if (state == nullptr || !state->rulers) return;
    std::optional<mask::Position> mark = mouse;
    if (!mark && view != nullptr && view->cursor) {
        mark = {static_cast<double>(view->cursor->col) + 0.5, static_cast<double>(view->cursor->row) + 0.5};
    }
    paintRulers(painter, place, q.rect(), mark);
}

void ImageCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (d_->size.empty()) {
        painter.fillRect(rect(), style_.colour(Token::bg_view));
        return;
    }
    if (d_->picture.source().ratio != d_->ratio()) d_->layOut();
    const auto area = d_->deviceArea();
    const auto& picture = d_->picture.image();
    painter.save();
    painter.setWorldTransform(QTransform::fromScale(1 / d_->ratio(), 1 / d_->ratio()));
    painter.drawImage(area.topLeft(), picture);
    painter.restore();
    d_->paintMarks(painter);
}

void ImageCanvas::resizeEvent(QResizeEvent*) {
    d_->refresh();
}

QImage ImageCanvas::picture() const {
    return d_->size.empty() ? QImage() : d_->picture.image().copy();
}

// --- where things are

mask::Position ImageCanvas::imagePosition(QPointF widget) const {
    const auto area = d_->deviceArea();
    return {d_->viewport.cell_from_pixel_x(widget.x() * d_->ratio() - area.x()),
            d_->viewport.cell_from_pixel_y(widget.y() * d_->ratio() - area.y())};
}

QPointF ImageCanvas::widgetPosition(mask::Position image) const {
    return d_->frame().toWidget(image);
}

std::optional<ImageCanvas::Under> ImageCanvas::under() const {
    const auto* state = session_.view(id_);
    if (state == nullptr || !state->cursor || !d_->size.contains(state->cursor->row, state->cursor->col)) {
        return std::nullopt;
    }
    Under out{state->cursor->row, state->cursor->col, {}, {}};
    if (d_->image) {
        const auto& tensor = d_->image->tensor();
        for (std::int64_t channel = 0; channel < (tensor.rank() == 3 ? tensor.size(2) : 1); ++channel) {
            const std::array<std::int64_t, 3> index{out.row, out.col, channel};
            out.image.push_back(to_double(tensor.at(std::span(index.data(), static_cast<std::size_t>(tensor.rank())))));
        }
    }
    const auto* overlay = session_.overlay(id_);
    if (overlay == nullptr) return out;
    for (int i = static_cast<int>(overlay->layers.size()) - 1; i >= 0; --i) {
        const auto& layer = overlay->layers[static_cast<std::size_t>(i)];
        const auto* plane = session_.edits().plane(layer.mask, layer.plane);
        const auto shown = plane != nullptr ? d_->planeOf(layer, *plane) : nullptr;
        if (!shown) continue;
        if (const double value = shown->value_at(out.row, out.col); value != 0) out.labels.push_back({i, value});
    }
    return out;
}

}  // namespace maskscope::ui
