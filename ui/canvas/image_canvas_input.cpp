// SPDX-License-Identifier: GPL-3.0-or-later
// The image canvas's hands: wheel, trackpad, mouse, keys, context menu.
#include "ui/canvas/image_canvas_private.h"
#include "ui/canvas/view_motion.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QInputDevice>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {

constexpr int kWheelStep = 120;  // eighths of a degree
constexpr double kLargestPixel = 128;
constexpr double kBrushStep = 1.1;  // a notch of Ctrl+wheel
constexpr int kLargeStep = 10;
constexpr double kZoomMargin = 1.3;

bool isTrackpad(const QWheelEvent& event) {
    return !event.pixelDelta().isNull() &&
           (event.phase() != Qt::NoScrollPhase || event.pointingDevice()->type() == QInputDevice::DeviceType::TouchPad);
}

PlaneSize sizeOf(const mask::Rect& size) {
    return {size.rows, size.cols};
}

}  // namespace

// --- moving the picture

void ImageCanvas::Private::zoomAt(double pitch, QPointF widget) {
    if (size.empty()) return;
    const auto area = deviceArea();
    const double bounded = boundedPitch(pitch, sizeOf(size), viewport, kLargestPixel * ratio());
    if (bounded == viewport.pitch) return;
    const double x = std::clamp(widget.x() * ratio() - area.x(), 0.0, 1.0 * viewport.width);
    const double y = std::clamp(widget.y() * ratio() - area.y(), 0.0, 1.0 * viewport.height);
    changeViewport(kept(zoomed(viewport, bounded, x, y), sizeOf(size)));
}

void ImageCanvas::zoom(int steps) {
    setPitch(steppedPitch(d_->viewport.pitch, steps));
}

void ImageCanvas::setPitch(double pitch) {
    d_->zoomAt(pitch, d_->frame().area.center());
}

void ImageCanvas::fit() {
    session_.changeView(id_, [](ViewState& state) { state.fit = true; });
}

void ImageCanvas::zoomTo(const mask::Rect& cells) {
    if (d_->size.empty() || cells.empty()) return;
    auto to = d_->viewport;
    const auto wide = [](std::int64_t side) {
        return static_cast<std::int64_t>(std::ceil(static_cast<double>(side) * kZoomMargin)) + 2;
    };
    to.pitch =
        boundedPitch(render::fitting_pitch(wide(cells.rows), wide(cells.cols), to.width, to.height, kLargestPixel),
                     sizeOf(d_->size), to, kLargestPixel * d_->ratio());
    to.col0 = static_cast<double>(cells.col) + static_cast<double>(cells.cols) / 2 - to.width / to.pitch / 2;
    to.row0 = static_cast<double>(cells.row) + static_cast<double>(cells.rows) / 2 - to.height / to.pitch / 2;
    d_->changeViewport(kept(to, sizeOf(d_->size)));
}

void ImageCanvas::goTo(std::int64_t row, std::int64_t col) {
    if (d_->size.contains(row, col)) d_->moveCursor(render::CellIndex{row, col}, true);
}

void ImageCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (d_->size.empty()) return;
    const auto angle = event->angleDelta();
    const int turned = angle.y() != 0 ? angle.y() : angle.x();
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (isTrackpad(*event) && !control) {
        const auto delta = QPointF(event->pixelDelta()) * d_->ratio();
        d_->changeViewport(kept(panned(d_->viewport, qRound(delta.x()), qRound(delta.y())), sizeOf(d_->size)));
        d_->hover(event->position());
        return;
    }
    d_->wheel_rest += turned;
    const int steps = d_->wheel_rest / kWheelStep;
    d_->wheel_rest -= steps * kWheelStep;
    if (steps == 0) return;
    if (control) {
        const int now = session_.edits().tools().brush.size;
        const int next = static_cast<int>(std::lround(now * std::pow(kBrushStep, steps)));
        d_->changeBrush(next != now ? next - now : steps);
    } else {
        d_->zoomAt(steppedPitch(d_->viewport.pitch, steps), event->position());
        d_->hover(event->position());
    }
}

void ImageCanvas::Private::pinch(QNativeGestureEvent* event) {
    if (event->gestureType() == Qt::BeginNativeGesture) pinch_pitch = viewport.pitch;
    if (event->gestureType() != Qt::ZoomNativeGesture || size.empty()) return;
    if (pinch_pitch <= 0) pinch_pitch = viewport.pitch;
    pinch_pitch *= 1 + event->value();
    zoomAt(render::allowed_pitch(pinch_pitch), event->position());
}

// --- the mouse

ToolHand::Touch ImageCanvas::Private::touchOf(QPointF widget, Qt::KeyboardModifiers keys) const {
    return {q.imagePosition(widget), keys.testFlag(Qt::AltModifier), keys.testFlag(Qt::ShiftModifier)};
}

void ImageCanvas::mousePressEvent(QMouseEvent* event) {
    if (d_->size.empty() || d_->drag != Private::Drag::none) return;
    const bool left = event->button() == Qt::LeftButton;
    if (!left && event->button() != Qt::MiddleButton) return;
    const auto place = d_->frame();
    const int wipe = d_->picture.source().wipe;
    d_->button = event->button();
    d_->drag_from = event->position();
    d_->drag_viewport = d_->viewport;
    if (left && wipe > 0 && !d_->space &&
        wipeHandle(place, place.area.left() + wipe / place.ratio).contains(event->position())) {
        d_->drag = Private::Drag::wiping;
    } else if (!left || d_->space || d_->tool() == Tool::pan) {
        d_->drag = Private::Drag::panning;
    } else {
        d_->drag = Private::Drag::painting;
        d_->mouse = imagePosition(event->position());
        d_->hand.press(d_->touchOf(event->position(), event->modifiers()));
        d_->updateMarks();
    }
    d_->updateMouseCursor();
}

void ImageCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (d_->size.empty()) return;
    const auto moved = event->position() - d_->drag_from;
    switch (d_->drag) {
        case Private::Drag::panning:
            d_->changeViewport(
                kept(panned(d_->drag_viewport, qRound(moved.x() * d_->ratio()), qRound(moved.y() * d_->ratio())),
                     sizeOf(d_->size)));
            return;
        case Private::Drag::wiping: {
            const auto area = d_->frame().area;
            session_.changeOverlay(
                id_, [&](OverlayState& state) { state.wipe = (event->position().x() - area.left()) / area.width(); });
            return;
        }
        case Private::Drag::painting:
        case Private::Drag::none:
            d_->hand.move(d_->touchOf(event->position(), event->modifiers()));
            d_->hover(event->position());
            return;
    }
}

void ImageCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (d_->drag == Private::Drag::none || event->button() != d_->button) return;
    const bool painting = d_->drag == Private::Drag::painting;
    const bool click = d_->drag == Private::Drag::panning && event->button() == Qt::LeftButton && !d_->space &&
                       (event->position() - d_->drag_from).manhattanLength() < QApplication::startDragDistance();
    d_->drag = Private::Drag::none;
    d_->updateMouseCursor();
    if (painting) {
        d_->hand.release(d_->touchOf(event->position(), event->modifiers()));
        update();  // a rubber band goes, wherever it was
    }
    if (click) {
        const auto at = imagePosition(event->position());
        goTo(static_cast<std::int64_t>(std::floor(at.y)), static_cast<std::int64_t>(std::floor(at.x)));
    }
    d_->hover(event->position());
}

void ImageCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && d_->drag == Private::Drag::none &&
        d_->hand.close(event->modifiers().testFlag(Qt::ShiftModifier))) {
        update();
        return;
    }
    mousePressEvent(event);  // two quick clicks are also two clicks
}

void ImageCanvas::Private::hover(QPointF widget) {
    const auto at = q.imagePosition(widget);
    const bool over = frame().area.contains(widget) || drag == Drag::painting;
    mouse = over ? std::optional(at) : std::nullopt;
    const auto row = static_cast<std::int64_t>(std::floor(at.y));
    const auto col = static_cast<std::int64_t>(std::floor(at.x));
    if (over && size.contains(row, col)) {
        const render::CellIndex cell{row, col};
        moveCursor(cell, pinned == cell);
    } else {
        moveCursor(pinned, pinned.has_value());
    }
    updateMarks();
}

void ImageCanvas::leaveEvent(QEvent*) {
    if (d_->size.empty() || d_->drag != Private::Drag::none) return;
    d_->mouse.reset();
    d_->moveCursor(d_->pinned, d_->pinned.has_value());
    d_->updateMarks();
}

void ImageCanvas::Private::endDrag() {
    hand.cancel();
    drag = Drag::none;
    updateMouseCursor();
}

void ImageCanvas::Private::updateMouseCursor() {
    if (drag == Drag::panning) {
        q.setCursor(Qt::ClosedHandCursor);
    } else if (drag == Drag::wiping) {
        q.setCursor(Qt::SplitHCursor);
    } else if (space) {
        q.setCursor(Qt::OpenHandCursor);
    } else if (tool() == Tool::pan) {
        q.unsetCursor();
    } else {
        q.setCursor(Qt::CrossCursor);
    }
}

void ImageCanvas::Private::moveCursor(std::optional<render::CellIndex> cell, bool pinned_there) {
    const auto* state = q.session_.view(q.id_);
    if (state == nullptr || (state->cursor == cell && state->cursor_pinned == pinned_there)) return;
    q.session_.changeView(q.id_, [&](ViewState& view) {
        view.cursor = cell;
        view.cursor_pinned = pinned_there;
    });
}

// --- keys

bool ImageCanvas::Private::moveByKey(QKeyEvent* event) {
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    switch (event->key()) {
        case Qt::Key_Left:
            cols = -1;
            break;
        case Qt::Key_Right:
            cols = 1;
            break;
        case Qt::Key_Up:
            rows = -1;
            break;
        case Qt::Key_Down:
            rows = 1;
            break;
        case Qt::Key_Home:
            cols = -size.cols;
            rows = whole ? -size.rows : 0;
            break;
        case Qt::Key_End:
            cols = size.cols;
            rows = whole ? size.rows : 0;
            break;
        default:
            return false;
    }
    moveCursor(steppedCursor(q.session_.view(q.id_)->cursor, viewport, {size.rows, size.cols}, rows, cols), true);
    return true;
}

void ImageCanvas::Private::changeBrush(int by) {
    q.session_.edits().changeTools([by](ToolState& tools) { tools.brush.size += by; });
}

// Keys that mean something to the tool in hand.
bool ImageCanvas::Private::toolKey(QKeyEvent* event) {
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
        case Qt::Key_BracketLeft:
        case Qt::Key_BraceLeft:
            changeBrush(shift ? -kLargeStep : -1);
            return true;
        case Qt::Key_BracketRight:
        case Qt::Key_BraceRight:
            changeBrush(shift ? kLargeStep : 1);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!hand.close(shift)) return false;
            break;
        case Qt::Key_Backspace:
            if (!hand.stepBack()) return false;
            break;
        case Qt::Key_Escape:
            if (!hand.cancel()) return false;
            if (drag == Drag::painting) drag = Drag::none;
            break;
        default:
            if (event->key() < Qt::Key_1 || event->key() > Qt::Key_9 || event->modifiers() & ~Qt::KeypadModifier) {
                return false;
            }
            q.session_.edits().changeTools([event](ToolState& tools) { tools.label = event->key() - Qt::Key_0; });
            return true;
    }
    q.update();
    return true;
}

void ImageCanvas::keyPressEvent(QKeyEvent* event) {
    if (d_->size.empty() || event->modifiers().testFlag(Qt::AltModifier)) return QWidget::keyPressEvent(event);
    if (d_->toolKey(event)) return;
    if (d_->moveByKey(event)) return;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoom(1);
        case Qt::Key_Minus:
            return zoom(-1);
        case Qt::Key_0:
            if (control) return setPitch(1);
            break;
        case Qt::Key_F:
            if (control) return fit();
            break;
        case Qt::Key_Space:
            d_->space = true;
            if (event->isAutoRepeat()) return;
            d_->updateMouseCursor();
            return update();
        case Qt::Key_Escape:
            if (!d_->pinned) break;
            d_->pinned.reset();
            return d_->moveCursor(std::nullopt, false);
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void ImageCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    d_->space = false;
    d_->updateMouseCursor();
    update();
}

// Keys that the window's shortcuts must not take while the canvas has the focus.
bool ImageCanvas::Private::isOurs(const QKeyEvent& event) const {
    if (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return false;
    switch (event.key()) {
        case Qt::Key_BracketLeft:
        case Qt::Key_BracketRight:
        case Qt::Key_BraceLeft:
        case Qt::Key_BraceRight:
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
        case Qt::Key_End:
        case Qt::Key_Plus:
        case Qt::Key_Minus:
        case Qt::Key_Equal:
        case Qt::Key_Space:
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Backspace:
            return hand.busy();
        case Qt::Key_Escape:
            return hand.busy() || pinned.has_value();
        default:
            return event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9 && !(event.modifiers() & Qt::ShiftModifier);
    }
}

// --- the context menu

void ImageCanvas::Private::fillMenu(QMenu& menu) {
    if (const auto under = q.under()) {
        const auto copy = [](const QString& text) { return [text] { QApplication::clipboard()->setText(text); }; };
        QStringList values;
        for (const double value : under->image) values.append(QString::number(value));
        if (!values.isEmpty()) menu.addAction(tr("Copy value"), &q, copy(values.join(QStringLiteral(", "))));
        menu.addAction(tr("Copy index"), &q, copy(QStringLiteral("[%1, %2]").arg(under->row).arg(under->col)));
        if (!under->labels.empty()) {
            const auto hit = under->labels.front();
            menu.addAction(tr("Paint with %1").arg(hit.label), &q, [this, hit] {
                q.session_.changeOverlay(q.id_, [hit](OverlayState& state) { state.active = hit.layer; });
                q.session_.edits().changeTools([hit](ToolState& tools) { tools.label = hit.label; });
                emit q.picked(hit.label);
            });
        }
        menu.addSeparator();
    }
    menu.addAction(tr("Fit"), &q, &ImageCanvas::fit);
    menu.addAction(tr("One to one"), &q, [this] { q.setPitch(1); });
    menu.addAction(tr("Export the picture…"), &q, &ImageCanvas::exportRequested);
}

void ImageCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (d_->size.empty() || d_->drag != Private::Drag::none || d_->hand.busy()) return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto at = imagePosition(event->pos());
        goTo(static_cast<std::int64_t>(std::floor(at.y)), static_cast<std::int64_t>(std::floor(at.x)));
    }
    QMenu menu(this);
    d_->fillMenu(menu);
    menu.exec(event->globalPos());
}

bool ImageCanvas::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        d_->pinch(static_cast<QNativeGestureEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && d_->isOurs(*static_cast<QKeyEvent*>(event))) event->accept();
    if (event->type() == QEvent::FocusOut && d_->space) {
        d_->space = false;
        d_->updateMouseCursor();
    }
    return QWidget::event(event);
}

}  // namespace maskscope::ui
