// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas's hands: wheel, trackpad, mouse, keys, context menu.
#include "ui/canvas/figure_spec.h"
#include "ui/canvas/heatmap_canvas.h"
#include "ui/canvas/view_motion.h"
#include "ui/session/cell_readout.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QInputDevice>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {

constexpr int kWheelStep = 120;  // eighths of a degree
constexpr double kLargestCell = 128;

PlaneSize sizeOf(const render::HeatmapData& data) {
    return {data.plane().rows(), data.plane().cols()};
}

bool isTrackpad(const QWheelEvent& event) {
    return !event.pixelDelta().isNull() &&
           (event.phase() != Qt::NoScrollPhase || event.pointingDevice()->type() == QInputDevice::DeviceType::TouchPad);
}

}  // namespace

void HeatmapCanvas::zoomAt(double pitch, QPointF position) {
    if (!data_) return;
    const auto size = sizeOf(*data_);
    const auto at = devicePoint(position);
    const double bounded = boundedPitch(pitch, size, viewport_, kLargestCell * ratio());
    if (bounded == viewport_.pitch) return;
    changeViewport(kept(zoomed(viewport_, bounded, std::clamp(at.x(), 0.0, 1.0 * viewport_.width),
                               std::clamp(at.y(), 0.0, 1.0 * viewport_.height)),
                        size));
}

void HeatmapCanvas::zoom(int steps) {
    setPitch(steppedPitch(viewport_.pitch, steps));
}

void HeatmapCanvas::setPitch(double pitch) {
    zoomAt(pitch, {layout_.data.x * unit() + viewport_.width / ratio() / 2,
                   layout_.data.y * unit() + viewport_.height / ratio() / 2});
}

void HeatmapCanvas::fit() {
    session_.changeView(id_, [](ViewState& state) { state.fit = true; });
}

void HeatmapCanvas::stepOuterDim(int which, int steps) {
    const auto* state = session_.view(id_);
    const auto tensor = session_.tensor(id_);
    if (state == nullptr || !tensor) return;
    const auto dims = outerDims(*state, tensor->shape());
    if (which < 0 || which >= static_cast<int>(dims.size())) return;
    const int dim = dims[static_cast<std::size_t>(which)];
    session_.changeView(id_, [&](ViewState& view) {
        auto& index = view.index[static_cast<std::size_t>(dim)];
        index = std::clamp<std::int64_t>(index + steps, 0, tensor->size(dim) - 1);
    });
}

void HeatmapCanvas::goTo(const render::CellIndex& cell) {
    moveCursor(cell, true);
}

void HeatmapCanvas::setCrosshair(bool shown) {
    if (crosshair_ == shown) return;
    crosshair_ = shown;
    refresh();
}

void HeatmapCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    if (!data_) return;
    // Some platforms turn Shift+wheel into a sideways one.
    const auto angle = event->angleDelta();
    const int turned = angle.y() != 0 ? angle.y() : angle.x();
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        wheel_rest_ += turned;
        const int steps = wheel_rest_ / kWheelStep;
        wheel_rest_ -= steps * kWheelStep;
        if (steps != 0) stepOuterDim(event->modifiers().testFlag(Qt::ControlModifier) ? 1 : 0, -steps);
        return;
    }
    if (isTrackpad(*event) && !event->modifiers().testFlag(Qt::ControlModifier)) {
        const auto delta = QPointF(event->pixelDelta()) * ratio();
        changeViewport(kept(panned(viewport_, qRound(delta.x()), qRound(delta.y())), sizeOf(*data_)));
        hover(event->position());
        return;
    }
    wheel_rest_ += turned;
    const int steps = wheel_rest_ / kWheelStep;
    wheel_rest_ -= steps * kWheelStep;
    if (steps != 0) zoomAt(steppedPitch(viewport_.pitch, steps), event->position());
}

void HeatmapCanvas::pinch(QNativeGestureEvent* event) {
    if (event->gestureType() == Qt::BeginNativeGesture) pinch_pitch_ = viewport_.pitch;
    if (event->gestureType() != Qt::ZoomNativeGesture || !data_) return;
    if (pinch_pitch_ <= 0) pinch_pitch_ = viewport_.pitch;
    pinch_pitch_ *= 1 + event->value();
    zoomAt(render::allowed_pitch(pinch_pitch_), event->position());
}

void HeatmapCanvas::beginDrag(QMouseEvent* event) {
    drag_button_ = event->button();
    drag_from_ = event->position();
    drag_viewport_ = viewport_;
    // A left press may still become a click.
    drag_ = event->button() == Qt::LeftButton && !space_down_ ? Drag::pressed : Drag::panning;
    updateMouseCursor();
}

void HeatmapCanvas::mousePressEvent(QMouseEvent* event) {
    if (!data_ || drag_ != Drag::none) return;
    if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton) beginDrag(event);
}

void HeatmapCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!data_) return;
    const auto moved = event->position() - drag_from_;
    if (drag_ == Drag::pressed && moved.manhattanLength() >= QApplication::startDragDistance()) {
        drag_ = Drag::panning;
        updateMouseCursor();
    }
    if (drag_ == Drag::panning) {
        changeViewport(
            kept(panned(drag_viewport_, qRound(moved.x() * ratio()), qRound(moved.y() * ratio())), sizeOf(*data_)));
    } else if (drag_ == Drag::none) {
        hover(event->position());
    }
}

void HeatmapCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (drag_ == Drag::none || event->button() != drag_button_) return;
    const bool click = drag_ == Drag::pressed;
    drag_ = Drag::none;
    updateMouseCursor();
    if (click) {
        if (const auto cell = cellAt(event->position())) moveCursor(cell, true);
    } else {
        hover(event->position());
    }
}

void HeatmapCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    mousePressEvent(event);  // two quick clicks are also two clicks
    if (event->button() == Qt::LeftButton) emit doubleClicked();
}

void HeatmapCanvas::hover(QPointF position) {
    const auto cell = cellAt(position);
    if (cell) {
        moveCursor(cell, pinned_ == cell);
    } else {
        moveCursor(pinned_, pinned_.has_value());
    }
}

void HeatmapCanvas::leaveEvent(QEvent*) {
    if (data_ && drag_ == Drag::none) moveCursor(pinned_, pinned_.has_value());
}

void HeatmapCanvas::updateMouseCursor() {
    if (drag_ == Drag::panning) {
        setCursor(Qt::ClosedHandCursor);
    } else if (space_down_) {
        setCursor(Qt::OpenHandCursor);
    } else {
        unsetCursor();
    }
}

void HeatmapCanvas::moveCursor(std::optional<render::CellIndex> cell, bool pinned) {
    const auto* state = session_.view(id_);
    if (state == nullptr || (state->cursor == cell && state->cursor_pinned == pinned)) return;
    session_.changeView(id_, [&](ViewState& view) {
        view.cursor = cell;
        view.cursor_pinned = pinned;
    });
}

void HeatmapCanvas::moveCursorBy(std::int64_t rows, std::int64_t cols) {
    const auto* state = session_.view(id_);
    if (state == nullptr || !data_) return;
    moveCursor(steppedCursor(state->cursor, viewport_, sizeOf(*data_), rows, cols), true);
}

bool HeatmapCanvas::moveByKey(QKeyEvent* event) {
    const auto size = sizeOf(*data_);
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    const auto page = std::max<std::int64_t>(1, static_cast<std::int64_t>(viewport_.height / viewport_.pitch) - 1);
    switch (event->key()) {
        case Qt::Key_Left:
            moveCursorBy(0, -1);
            return true;
        case Qt::Key_Right:
            moveCursorBy(0, 1);
            return true;
        case Qt::Key_Up:
            moveCursorBy(-1, 0);
            return true;
        case Qt::Key_Down:
            moveCursorBy(1, 0);
            return true;
        case Qt::Key_PageUp:
            moveCursorBy(-page, 0);
            return true;
        case Qt::Key_PageDown:
            moveCursorBy(page, 0);
            return true;
        case Qt::Key_Home:
            moveCursorBy(whole ? -size.rows : 0, -size.cols);
            return true;
        case Qt::Key_End:
            moveCursorBy(whole ? size.rows : 0, size.cols);
            return true;
        default:
            return false;
    }
}

void HeatmapCanvas::keyPressEvent(QKeyEvent* event) {
    if (!data_ || event->modifiers().testFlag(Qt::AltModifier)) return QWidget::keyPressEvent(event);
    if (moveByKey(event)) return;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(1);
            return;
        case Qt::Key_Minus:
            zoom(-1);
            return;
        case Qt::Key_0:
            if (control) return setPitch(1);
            break;
        case Qt::Key_F:
            if (control) return fit();
            break;
        case Qt::Key_Space:
            space_down_ = true;
            if (!event->isAutoRepeat()) updateMouseCursor();
            return;
        case Qt::Key_Escape:
            if (!pinned_) break;
            pinned_.reset();
            moveCursor(std::nullopt, false);
            return;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void HeatmapCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat()) return;
    space_down_ = false;
    updateMouseCursor();
}

void HeatmapCanvas::fillMenu(QMenu& menu) {
    const auto* state = session_.view(id_);
    if (state->cursor) {
        const auto readout = readCell(session_, id_, *state->cursor);
        const auto copy = [](const QString& text) { return [text] { QApplication::clipboard()->setText(text); }; };
        menu.addAction(tr("Copy value"), this, copy(readout.copyText.section(QStringLiteral(" = "), -1)));
        menu.addAction(tr("Copy index"), this, copy(readout.indexText));
        menu.addAction(tr("Copy cell"), this, copy(readout.copyText));
        menu.addSeparator();
    }
    menu.addAction(tr("Go to cell…"), this, &HeatmapCanvas::goToRequested);
    auto* masks = menu.addMenu(tr("Lay a mask over it"));
    auto* none = masks->addAction(tr("No mask"), this, [this] { session_.linkMask(id_, std::nullopt); });
    none->setCheckable(true);
    none->setChecked(!state->overlay.mask);
    for (const auto& entry : session_.document().entries()) {
        if (entry.role.value != document::Role::mask || entry.id == id_) continue;
        auto* action = masks->addAction(QString::fromStdString(entry.name), this,
                                        [this, mask = entry.id] { session_.linkMask(id_, mask); });
        action->setCheckable(true);
        action->setChecked(state->overlay.mask == entry.id);
    }
    menu.addSeparator();
    menu.addAction(tr("Fit"), this, &HeatmapCanvas::fit);
    menu.addAction(tr("One pixel a cell"), this, [this] { setPitch(1); });
    menu.addAction(tr("Export the picture…"), this, &HeatmapCanvas::exportRequested);
}

void HeatmapCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!data_) return;
    // What the menu copies is the cell that was clicked, and it stays marked while the menu is open.
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (const auto cell = cellAt(event->pos())) moveCursor(cell, true);
    }
    QMenu menu(this);
    fillMenu(menu);
    menu.exec(event->globalPos());
}

bool HeatmapCanvas::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        pinch(static_cast<QNativeGestureEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::ToolTip && data_) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        const auto readout = cell ? readCell(session_, id_, *cell) : CellReadout{};
        if (readout.known) {
            QToolTip::showText(
                help->globalPos(),
                readout.axisText + QLatin1Char('\n') + readout.stateText + QLatin1Char(' ') + readout.valueText, this,
                boxOf(*cell).toAlignedRect());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        // Plain keys are the canvas's own; function keys are the window's.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::KeypadModifier;
        if (plain && (key->key() < Qt::Key_F1 || key->key() > Qt::Key_F35)) event->accept();
    }
    return QWidget::event(event);
}

}  // namespace maskscope::ui
