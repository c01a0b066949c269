// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/layer_labels.h"

#include "core/io/coco.h"
#include "core/mask/fill.h"
#include "ui/session/cell_readout.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {

constexpr int kRecountMs = 60;

using Counts = std::vector<LabelCount>;

Result<Counts> countLabels(const mask::Plane& plane) {
    Counts counts;
    for (const auto& count : plane.counts()) {
        const double label = mask::value_of(count.cell, plane.dtype());
        if (label != 0) counts.push_back({label, count.cells, count.bounds});
    }
    return counts;
}

Result<Counts> countShares(const mask::Plane& plane, double threshold) {
    const auto above = mask::threshold(plane, threshold);
    if (above.empty()) return Counts{};
    return Counts{{1, above.count(), above.bounds()}};
}

// "names" or "classes" of a file: a JSON list by id, or an object from id to name.
QString nameInMetadata(const std::map<std::string, std::string>& metadata, double label) {
    const auto id = static_cast<qsizetype>(std::llround(label));
    for (const char* key : {"names", "classes"}) {
        const auto found = metadata.find(key);
        if (found == metadata.end()) continue;
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(found->second));
        if (json.isArray()) return json.array().at(id).toString();
        if (json.isObject()) return json.object().value(QString::number(id)).toString();
    }
    return {};
}

}  // namespace

std::optional<LayerState> activeLayer(const Session& session, EntryId image) {
    const auto* overlay = session.overlay(image);
    if (overlay == nullptr || overlay->active < 0 || overlay->active >= static_cast<int>(overlay->layers.size()))
        return std::nullopt;
    return overlay->layers[static_cast<std::size_t>(overlay->active)];
}

std::optional<EditTarget> editTarget(const Session& session, EntryId image) {
    const auto layer = activeLayer(session, image);
    if (!layer) return std::nullopt;
    return EditTarget{layer->mask, layer->plane, layer->mask == image ? EntryId::none : image};
}

bool isSoft(const Session& session, EntryId mask) {
    const auto* entry = session.document().find(mask);
    return entry != nullptr && is_floating(entry->item.dtype);
}

QString className(const Session& session, EntryId mask, std::int64_t plane, double label) {
    const auto* entry = session.document().find(mask);
    if (entry == nullptr) return {};
    if (const auto& coco = entry->item.coco; coco && entry->item.coco_image < coco->images.size()) {
        const auto& here = coco->images[entry->item.coco_image].annotations;
        if (plane < 0 || plane >= static_cast<std::int64_t>(here.size())) return {};
        const auto& annotation = coco->annotations[here[static_cast<std::size_t>(plane)]];
        const auto name = coco->categories.find(annotation.category_id);
        return name != coco->categories.end() ? textOf(name->second) : QString();
    }
    for (const auto& file : session.document().files()) {
        if (file.path == entry->path) return nameInMetadata(file.metadata, label);
    }
    return {};
}

QString layerName(const Session& session, const LayerState& layer) {
    const auto* entry = session.document().find(layer.mask);
    if (entry == nullptr) return {};
    const auto& shape = entry->item.shape;
    std::int64_t planes = 1;
    for (int dim = 0; dim + 2 < shape.rank(); ++dim) planes *= shape[dim];
    const auto name = textOf(entry->name);
    if (planes <= 1) return name;
    const auto of_class = className(session, layer.mask, layer.plane, 1);
    if (!of_class.isEmpty()) return QStringLiteral("%1 %2").arg(of_class).arg(layer.plane);
    return QStringLiteral("%1 [%2]").arg(name).arg(layer.plane);
}

QString labelName(const Session& session, EntryId mask, std::int64_t plane, double label) {
    const auto number = withMinusSign(QString::number(label, 'g', 10));
    const auto name = className(session, mask, plane, label);
    return name.isEmpty() ? number : number + QLatin1Char(' ') + name;
}

LayerLabels& LayerLabels::of(Session& session) {
    if (auto* there = session.findChild<LayerLabels*>(QString(), Qt::FindDirectChildrenOnly)) return *there;
    return *new LayerLabels(session);
}

LayerLabels::LayerLabels(Session& session) : QObject(&session), session_(session) {
    later_.setSingleShot(true);
    later_.setInterval(kRecountMs);
    connect(&later_, &QTimer::timeout, this, &LayerLabels::recount);
    const auto ofImage = [this](EntryId id) {
        if (id == session_.current() || id == wanted_.mask) look();
    };
    connect(&session, &Session::currentChanged, this, &LayerLabels::look);
    connect(&session, &Session::documentChanged, this, &LayerLabels::look);
    connect(&session, &Session::overlayChanged, this, ofImage);
    connect(&session, &Session::dataChanged, this, [this](EntryId id) {
        if (id == wanted_.mask) later_.start();
    });
    connect(&session.edits(), &EditSession::maskChanged, this, [this](EntryId mask, qint64 plane) {
        if (mask != wanted_.mask || plane != wanted_.plane) return;
        if (!later_.isActive()) later_.start();
    });
    look();
}

const LabelCount* LayerLabels::find(double label) const {
    const auto found =
        std::find_if(labels_.begin(), labels_.end(), [&](const auto& one) { return one.label == label; });
    return found != labels_.end() ? &*found : nullptr;
}

std::int64_t LayerLabels::cells() const {
    std::int64_t sum = 0;
    for (const auto& one : labels_) sum += one.cells;
    return sum;
}

void LayerLabels::look() {
    Wanted wanted;
    if (const auto layer = activeLayer(session_, session_.current())) {
        wanted = {session_.current(), layer->mask, layer->plane, isSoft(session_, layer->mask), 0};
        if (wanted.soft) wanted.threshold = layer->threshold;
    }
    if (wanted == wanted_) return;
    const bool same_plane = wanted.mask == wanted_.mask && wanted.plane == wanted_.plane;
    wanted_ = wanted;
    if (!same_plane) {
        labels_.clear();
        emit changed();
    }
    later_.start();
}

void LayerLabels::recount() {
    problem_.clear();
    if (wanted_.mask == EntryId::none) {
        labels_.clear();
        emit changed();
        return;
    }
    if (running_) {
        stale_ = true;
        return;
    }
    const auto* now = session_.edits().plane(wanted_.mask, wanted_.plane);
    if (now == nullptr) {
        problem_ = session_.edits().problem(wanted_.mask);
        emit changed();
        return;
    }
    running_ = true;
    stale_ = false;
    session_.jobs().run<Counts>(
        QStringLiteral("layer-labels"), tr("Counting labels"),
        [snapshot = *now, soft = wanted_.soft, threshold = wanted_.threshold](const JobContext&) {
            return soft ? countShares(snapshot, threshold) : countLabels(snapshot);
        },
        [self = QPointer(this), counted = wanted_](Result<Counts> counts) {
            if (!self) return;
            self->running_ = false;
            if (self->stale_ || !(counted == self->wanted_)) self->later_.start();
            if (!(counted == self->wanted_)) return;
            if (counts)
                self->labels_ = std::move(*counts);
            else
                self->problem_ = textOf(counts.error().message.text());
            emit self->changed();
        });
}

}  // namespace maskscope::ui
