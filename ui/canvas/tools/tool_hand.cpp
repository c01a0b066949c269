// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/tools/tool_hand.h"

#include "core/mask/cells.h"
#include "ui/session/layer_labels.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ToolHand", text);
}

std::int64_t cell(double position) {
    return static_cast<std::int64_t>(std::floor(position));
}

// Drags a rectangle or the like: painted anew on each move.
bool isShape(Tool tool) {
    return tool == Tool::line || tool == Tool::rectangle || tool == Tool::ellipse || tool == Tool::rows ||
           tool == Tool::columns || tool == Tool::band;
}

QString title(Tool tool) {
    switch (tool) {
        case Tool::brush:
            return tr("Brush");
        case Tool::eraser:
            return tr("Erase");
        case Tool::line:
            return tr("Line");
        case Tool::rectangle:
            return tr("Rectangle");
        case Tool::ellipse:
            return tr("Ellipse");
        case Tool::polygon:
            return tr("Polygon");
        case Tool::lasso:
            return tr("Lasso");
        case Tool::fill:
            return tr("Fill");
        case Tool::wand:
            return tr("Wand");
        case Tool::grab_cut:
            return tr("GrabCut");
        case Tool::cells:
            return tr("Cells");
        case Tool::rows:
            return tr("Rows");
        case Tool::columns:
            return tr("Columns");
        case Tool::band:
            return tr("Band");
        case Tool::pan:
        case Tool::pick:
            return {};
    }
    return {};
}

// The other corner of a square.
mask::Position squared(mask::Position from, mask::Position to) {
    const double side = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    return {from.x + std::copysign(side, to.x - from.x), from.y + std::copysign(side, to.y - from.y)};
}

}  // namespace

void ToolHand::setEntry(EntryId image) {
    cancel();
    image_ = image;
}

bool ToolHand::stamps() const {
    const Tool tool = session_.edits().tools().tool;
    return tool == Tool::brush || tool == Tool::eraser || tool == Tool::line;
}

// The active layer, when it may be painted on; else says why not.
std::optional<EditTarget> ToolHand::target() {
    auto& edits = session_.edits();
    const auto target = editTarget(session_, image_);
    if (!target) {
        edits.refuse(tr("No layer is active. Choose one, or make a new mask."));
        return std::nullopt;
    }
    if (const auto* layer = edits.layer(*target); layer != nullptr && !layer->visible) {
        edits.refuse(tr("The active layer is hidden. Show it to paint on it."));
        return std::nullopt;
    }
    const auto* plane = edits.plane(target->mask, target->plane);
    if (plane == nullptr) {
        edits.refuse(edits.problem(target->mask));
        return std::nullopt;
    }
    const auto size = session_.imageSize(image_);
    if (size.rows != plane->rows() || size.cols != plane->cols()) {
        edits.refuse(tr("The mask is %1 × %2 and the image %3 × %4: only a mask of the image's size can be painted on.")
                         .arg(plane->rows())
                         .arg(plane->cols())
                         .arg(size.rows)
                         .arg(size.cols));
        return std::nullopt;
    }
    bounds_ = plane->bounds();
    return target;
}

QString ToolHand::stepName(bool erase) const {
    const auto& tools = session_.edits().tools();
    if (erase)
        return tools.tool == Tool::brush || tools.tool == Tool::eraser ? tr("Erase")
                                                                       : tr("Erase, %1").arg(title(tools.tool));
    const auto target = editTarget(session_, image_);
    const auto* entry = target ? session_.document().find(target->mask) : nullptr;
    if (entry == nullptr || entry->item.dtype == DType::boolean) return title(tools.tool);
    const auto pattern = is_floating(entry->item.dtype) ? tr("%1, value %2") : tr("%1, label %2");
    return pattern.arg(title(tools.tool)).arg(tools.label);
}

bool ToolHand::begin(const Touch& touch) {
    const auto place = target();
    erase_ = touch.erase || session_.edits().tools().tool == Tool::eraser;
    return place && session_.edits().begin(*place, stepName(erase_), erase_);
}

void ToolHand::press(const Touch& touch) {
    auto& edits = session_.edits();
    const auto& tools = edits.tools();
    from_ = last_ = touch.at;
    constrain_ = touch.constrain;
    switch (tools.tool) {
        case Tool::pan:
            return;
        case Tool::pick:
            return pickAt(touch.at);
        case Tool::fill:
        case Tool::wand:
            return fillAt(touch);
        case Tool::polygon:
            if (points_.empty() && rings_.empty()) {
                if (!target()) return;
                erase_ = touch.erase;
            }
            points_.push_back(touch.at);
            return;
        case Tool::lasso:
        case Tool::grab_cut:
            if (!target()) return;
            erase_ = touch.erase;
            pressed_ = true;
            points_ = {touch.at};
            return;
        default:
            break;
    }
    if (!begin(touch)) return;
    pressed_ = true;
    if (isShape(tools.tool)) {
        edits.preview(shape(touch.at));
    } else {
        drag(touch);
    }
}

void ToolHand::drag(const Touch& touch) {
    const auto& tools = session_.edits().tools();
    const auto brush = tools.tool == Tool::cells ? mask::Brush{mask::BrushShape::square, 1} : tools.brush;
    session_.edits().paint(mask::stroke(brush, last_, touch.at).clipped(bounds_));
}

void ToolHand::move(const Touch& touch) {
    const Tool tool = session_.edits().tools().tool;
    constrain_ = touch.constrain;
    if (pressed_) {
        if (tool == Tool::lasso) {
            if (std::hypot(touch.at.x - last_.x, touch.at.y - last_.y) > 0) points_.push_back(touch.at);
        } else if (tool == Tool::grab_cut) {
            // Only the rectangle moves.
        } else if (!session_.edits().underWay()) {
            pressed_ = false;  // undone, or ended, while the button is down
        } else if (isShape(tool)) {
            if (!(touch.at == last_)) session_.edits().preview(shape(touch.at));
        } else if (!(touch.at == last_)) {
            drag(touch);
        }
    }
    last_ = touch.at;
}

void ToolHand::release(const Touch& touch) {
    if (!pressed_) return;
    move(touch);
    if (!pressed_) return;
    pressed_ = false;
    const Tool tool = session_.edits().tools().tool;
    if (tool == Tool::lasso) {
        if (points_.size() > 1) rings_.push_back(points_);
        points_.clear();
        return paintRings();
    }
    if (tool == Tool::grab_cut) {
        points_.clear();
        return cut(touch);
    }
    session_.edits().commit();
}

mask::Region ToolHand::shape(mask::Position to) const {
    const auto& tools = session_.edits().tools();
    const auto end =
        constrain_ && (tools.tool == Tool::rectangle || tools.tool == Tool::ellipse) ? squared(from_, to) : to;
    const auto first = [](std::int64_t a, std::int64_t b, std::int64_t count) {
        return std::clamp<std::int64_t>(std::min(a, b), 0, count - 1);
    };
    const auto last = [](std::int64_t a, std::int64_t b, std::int64_t count) {
        return std::clamp<std::int64_t>(std::max(a, b), 0, count - 1);
    };
    switch (tools.tool) {
        case Tool::line:
            return mask::line(from_, to, tools.brush, bounds_);
        case Tool::rectangle:
            return mask::rectangle(from_, end, bounds_);
        case Tool::ellipse:
            return mask::ellipse(from_, end, bounds_);
        case Tool::rows: {
            const auto a = cell(from_.y);
            const auto b = cell(to.y);
            return mask::rows_of(bounds_, first(a, b, bounds_.rows), last(a, b, bounds_.rows));
        }
        case Tool::columns: {
            const auto a = cell(from_.x);
            const auto b = cell(to.x);
            return mask::columns_of(bounds_, first(a, b, bounds_.cols), last(a, b, bounds_.cols));
        }
        default: {  // a click paints the band as it is set, a drag the one between two diagonals
            const auto a = cell(from_.x) - cell(from_.y);
            const auto b = cell(to.x) - cell(to.y);
            if (a == b) return mask::band(bounds_, tools.band_lower, tools.band_upper);
            return mask::band(bounds_, std::min(a, b), std::max(a, b));
        }
    }
}

bool ToolHand::close(bool another_ring) {
    if (session_.edits().tools().tool != Tool::polygon || (points_.empty() && rings_.empty())) return false;
    // A double-click's two presses leave the last point twice.
    while (points_.size() > 1 && points_.back() == points_[points_.size() - 2]) points_.pop_back();
    if (points_.size() > 2) rings_.push_back(points_);
    points_.clear();
    if (!another_ring) paintRings();
    return true;
}

bool ToolHand::stepBack() {
    if (session_.edits().tools().tool != Tool::polygon || (points_.empty() && rings_.empty())) return false;
    if (points_.empty()) {
        points_ = rings_.back();
        rings_.pop_back();
    }
    points_.pop_back();
    return true;
}

bool ToolHand::cancel() {
    const bool something = busy();
    if (pressed_) session_.edits().cancel();
    pressed_ = false;
    points_.clear();
    rings_.clear();
    return something;
}

void ToolHand::paintRings() {
    const auto rings = std::exchange(rings_, {});
    if (rings.empty()) return;
    const auto place = target();
    auto& edits = session_.edits();
    if (!place || !edits.begin(*place, stepName(erase_), erase_)) return;
    edits.paint(mask::polygon(rings, bounds_));
    edits.commit();
}

RubberBand ToolHand::rubberBand() const {
    RubberBand out;
    const Tool tool = session_.edits().tools().tool;
    const bool square = constrain_ && tool != Tool::grab_cut;
    const bool rectangle = tool == Tool::rectangle || tool == Tool::grab_cut;
    if (pressed_ && (rectangle || tool == Tool::ellipse || tool == Tool::line)) {
        out.kind = rectangle               ? RubberBand::Kind::rectangle
                   : tool == Tool::ellipse ? RubberBand::Kind::ellipse
                                           : RubberBand::Kind::line;
        out.points = {from_, square && tool != Tool::line ? squared(from_, last_) : last_};
    } else if (!points_.empty() || !rings_.empty()) {
        out.kind = RubberBand::Kind::path;
        out.points = points_;
        out.closed = rings_;
        if (tool == Tool::polygon && !points_.empty()) out.next = last_;
    }
    return out;
}

// --- tools that look at what is there

std::optional<Tensor> ToolHand::image(const QString& tool) {
    const auto data = session_.imageData(image_);
    if (data) return data->tensor();
    session_.edits().refuse(tr("%1 looks at an image's colours, and this mask is shown without one.").arg(tool));
    return std::nullopt;
}

void ToolHand::fillAt(const Touch& touch) {
    const auto& tools = session_.edits().tools();
    const auto name = stepName(touch.erase);
    if (tools.tool == Tool::wand || tools.fill_by_image) return wandAt(touch, name);
    const auto place = target();
    if (!place) return;
    session_.edits().paintRegion(*place, QString::fromLatin1(nameOf(tools.tool)), name, touch.erase,
                                 [row = cell(touch.at.y), col = cell(touch.at.x), neighbours = tools.neighbours](
                                     const mask::Plane& plane, const JobContext& context) {
                                     return mask::fill(plane, row, col, neighbours, context);
                                 });
}

void ToolHand::wandAt(const Touch& touch, const QString& name) {
    const auto& tools = session_.edits().tools();
    const auto place = target();
    if (!place) return;
    const auto pixels = image(title(tools.tool));
    if (!pixels) return;
    mask::WandOptions options{tools.tolerance, tools.neighbours, tools.tool == Tool::wand && tools.anywhere};
    session_.edits().paintRegion(
        *place, QString::fromLatin1(nameOf(tools.tool)), name, touch.erase,
        [pixels = *pixels, options, row = cell(touch.at.y), col = cell(touch.at.x)](
            const mask::Plane&, const JobContext& context) { return mask::wand(pixels, row, col, options, context); });
}

// What is painted already helps: the label is surely in, other labels are surely out.
void ToolHand::cut(const Touch& touch) {
    auto& edits = session_.edits();
    const auto place = target();
    if (!place) return;
    const auto pixels = image(title(Tool::grab_cut));
    const auto around = mask::rectangle(from_, touch.at, bounds_).bounds();
    if (!pixels || around.rows < 2 || around.cols < 2) return;
    const auto* entry = session_.document().find(place->mask);
    const auto label = mask::cell_of(edits.tools().label, entry->item.dtype);
    if (!label) return edits.refuse(QString::fromStdString(label.error().text()));
    edits.paintRegion(*place, QString::fromLatin1(nameOf(Tool::grab_cut)), stepName(erase_), erase_,
                      [pixels = *pixels, around, label = *label](const mask::Plane& plane, const JobContext& context) {
                          const auto surely = plane.where(label).clipped(around);
                          const auto other = mask::subtract(plane.where_not_zero().clipped(around), surely);
                          return mask::grab_cut(pixels, around, surely, other, {}, context);
                      });
}

// The label of the topmost visible layer that has one there; its layer becomes the active one.
void ToolHand::pickAt(mask::Position at) {
    const auto* overlay = session_.overlay(image_);
    if (overlay == nullptr) return;
    for (int i = static_cast<int>(overlay->layers.size()) - 1; i >= 0; --i) {
        const auto& layer = overlay->layers[static_cast<std::size_t>(i)];
        const auto* plane = layer.visible ? session_.edits().plane(layer.mask, layer.plane) : nullptr;
        const auto row = cell(at.y);
        const auto col = cell(at.x);
        if (plane == nullptr || !plane->bounds().contains(row, col)) continue;
        const double value = plane->value_at(row, col);
        if (value == 0) continue;
        session_.changeOverlay(image_, [i](OverlayState& state) { state.active = i; });
        session_.edits().changeTools([value](ToolState& tools) { tools.label = value; });
        if (picked) picked(value);
        return;
    }
}

}  // namespace maskscope::ui
