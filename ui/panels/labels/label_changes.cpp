// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/labels/label_changes.h"

#include "core/mask/labels.h"
#include "ui/session/cell_readout.h"

#include <QCoreApplication>

#include <algorithm>

namespace maskscope::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("label changes", text);
}

QString numberOf(double label) {
    return withMinusSign(QString::number(label, 'g', 10));
}

// What the other layer has of the label, or, where it has none, all that it holds.
mask::Region regionOf(const mask::Plane& plane, double label, double threshold) {
    if (is_floating(plane.dtype())) return mask::threshold(plane, threshold);
    const auto cell = mask::cell_of(label, plane.dtype());
    if (cell) {
        auto same = plane.where(*cell);
        if (!same.empty()) return same;
    }
    return plane.where_not_zero();
}

}  // namespace

QString LabelChanges::problem() const {
    const auto layer = activeLayer(session_, session_.current());
    if (!layer) return tr("The image has no mask over it");
    if (layer->locked) return tr("The layer is locked");
    return session_.edits().problem(layer->mask);
}

Result<double> LabelChanges::takeFree() {
    const auto target = editTarget(session_, session_.current());
    const auto* plane = target ? session_.edits().plane(target->mask, target->plane) : nullptr;
    if (plane == nullptr) return usage_error("there is no mask to give a label to");
    MS_TRY(cell, mask::free_label(*plane));
    const double label = mask::value_of(cell, plane->dtype());
    session_.edits().changeTools([label](ToolState& state) { state.label = label; });
    return label;
}

void LabelChanges::merge(const std::vector<double>& labels, double into) {
    const auto target = editTarget(session_, session_.current());
    if (!target || labels.size() < 2) return;
    const auto* plane = session_.edits().plane(target->mask, target->plane);
    if (plane == nullptr) return;
    QStringList names;
    for (const double label : labels) names << numberOf(label);
    session_.edits().apply(*target, QStringLiteral("merge"),
                           tr("Merge %1 into %2").arg(names.join(QStringLiteral(", ")), numberOf(into)),
                           [labels, into, dtype = plane->dtype()](mask::MaskEdit& edit) -> Result<void> {
                               std::vector<mask::Cell> cells;
                               for (const double label : labels) {
                                   MS_TRY(cell, mask::cell_of(label, dtype));
                                   cells.push_back(cell);
                               }
                               MS_TRY(to, mask::cell_of(into, dtype));
                               mask::merge_labels(edit, cells, to);
                               return {};
                           });
}

void LabelChanges::relabel(double from, double to) {
    const auto target = editTarget(session_, session_.current());
    if (!target || from == to) return;
    const auto* plane = session_.edits().plane(target->mask, target->plane);
    if (plane == nullptr) return;
    session_.edits().apply(*target, QStringLiteral("relabel"), tr("Relabel %1 to %2").arg(numberOf(from), numberOf(to)),
                           [from, to, dtype = plane->dtype()](mask::MaskEdit& edit) -> Result<void> {
                               MS_TRY(before, mask::cell_of(from, dtype));
                               MS_TRY(after, mask::cell_of(to, dtype));
                               mask::relabel(edit, before, after);
                               return {};
                           });
}

void LabelChanges::change(double label, const QString& name, EditSession::ChangeRegion what) {
    const auto target = editTarget(session_, session_.current());
    if (target) session_.edits().changeLabel(*target, label, name, std::move(what));
}

void LabelChanges::morph(double label, mask::Morph how, int radius) {
    const char* pattern = nullptr;
    switch (how) {
        case mask::Morph::dilate:
            pattern = QT_TRANSLATE_NOOP("label changes", "Dilate label %1 by %2 px");
            break;
        case mask::Morph::erode:
            pattern = QT_TRANSLATE_NOOP("label changes", "Erode label %1 by %2 px");
            break;
        case mask::Morph::open:
            pattern = QT_TRANSLATE_NOOP("label changes", "Open label %1 by %2 px");
            break;
        case mask::Morph::close:
            pattern = QT_TRANSLATE_NOOP("label changes", "Close label %1 by %2 px");
            break;
    }
    change(label, tr(pattern).arg(numberOf(label)).arg(radius),
           [how, radius](const mask::Region& region, const mask::Rect& plane, const JobContext& context) {
               return mask::morph(region, plane, how, radius, mask::Element::disc, context);
           });
}

void LabelChanges::fillHoles(double label) {
    change(label, tr("Fill holes of label %1").arg(numberOf(label)),
           [](const mask::Region& region, const mask::Rect& plane, const JobContext& context) {
               return mask::fill_holes(region, plane, 0, context);
           });
}

void LabelChanges::keepLargest(double label) {
    change(label, tr("Keep the largest island of label %1").arg(numberOf(label)),
           [](const mask::Region& region, const mask::Rect&, const JobContext& context) -> Result<mask::Region> {
               MS_TRY(parts, mask::islands(region, mask::Neighbours::eight, context));
               return parts.empty() ? mask::Region{} : parts.front();
           });
}

void LabelChanges::removeIslandsBelow(double label, std::int64_t cells) {
    change(label, tr("Delete islands of label %1 below %2 px").arg(numberOf(label)).arg(cells),
           [cells](const mask::Region& region, const mask::Rect&, const JobContext& context) {
               return mask::without_small_islands(region, cells, mask::Neighbours::eight, context);
           });
}

void LabelChanges::combine(double label, const LayerState& other, Combine how) {
    const auto* plane = session_.edits().plane(other.mask, other.plane);
    if (plane == nullptr) return;
    const auto pattern = how == Combine::unite      ? tr("Unite label %1 with %2")
                         : how == Combine::subtract ? tr("Subtract %2 from label %1")
                                                    : tr("Intersect label %1 with %2");
    change(label, pattern.arg(numberOf(label), layerName(session_, other)),
           [snapshot = *plane, label, threshold = other.threshold, how](
               const mask::Region& region, const mask::Rect& bounds, const JobContext&) -> Result<mask::Region> {
               const auto theirs = regionOf(snapshot, label, threshold).clipped(bounds);
               if (how == Combine::unite) return mask::unite(region, theirs);
               return how == Combine::subtract ? mask::subtract(region, theirs) : mask::intersect(region, theirs);
           });
}

void LabelChanges::thresholdToMask() {
    const EntryId image = session_.current();
    const auto layer = activeLayer(session_, image);
    const auto* soft = layer ? session_.edits().plane(layer->mask, layer->plane) : nullptr;
    if (soft == nullptr) return;
    const auto snapshot = *soft;
    const auto name = tr("%1 from %2").arg(layerName(session_, *layer)).arg(layer->threshold, 0, 'f', 2);
    const EntryId made = session_.edits().newMask(image, DType::u8, name);
    if (made == EntryId::none) return;
    session_.edits().changeTools([](ToolState& state) { state.label = 1; });
    session_.edits().paintRegion(
        {made, 0, image}, QStringLiteral("threshold"), name, false,
        [snapshot, threshold = layer->threshold](const mask::Plane&, const JobContext&) -> Result<mask::Region> {
            return mask::threshold(snapshot, threshold);
        });
}

}  // namespace maskscope::ui
