// SPDX-License-Identifier: GPL-3.0-or-later
// Images and the masks over them: which entries are pictures, which layers lie on them, their pixels.
#include "core/io/image_facts.h"
#include "ui/session/session_private.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace maskscope::ui {
namespace {

using document::Entry;
using document::Role;

// A file of annotations may hold hundreds for an image; more layers than this are for the user to choose.
constexpr std::int64_t kFirstPlanes = 24;

bool isLabelType(DType dtype) {
    return dtype == DType::u8 || dtype == DType::u16 || dtype == DType::i32 || dtype == DType::boolean;
}

bool hasPictureDims(const Entry& entry) {
    const auto& dims = entry.dims.value;
    return dims.size() >= 2 && dims[dims.size() - 2] == "height" && dims.back() == "width";
}

mask::Rect sizeOf(const Entry& entry) {
    const Shape& shape = entry.item.shape;
    const int rank = shape.rank();
    if (entry.role.value == Role::image && rank == 3) {
        // [height, width, channel], or as torch has it.
        if (shape[2] <= 4) return {0, 0, shape[0], shape[1]};
        return {0, 0, shape[1], shape[2]};
    }
    if (rank < 1) return {};
    return {0, 0, rank > 1 ? shape[rank - 2] : 1, shape[rank - 1]};
}

std::int64_t planesOf(const Entry& entry) {
    std::int64_t planes = 1;
    for (int dim = 0; dim + 2 < entry.item.shape.rank(); ++dim) planes *= entry.item.shape[dim];
    return planes;
}

// "coins" of "coins.png", "coins_mask.png", "coins-pred.npy".
bool sameStem(const Entry& image, const Entry& mask) {
    const auto stem = [](const Entry& entry) {
        return QFileInfo(QString::fromStdString(entry.path)).completeBaseName().toLower();
    };
    const auto of = stem(image);
    const auto other = stem(mask);
    return !of.isEmpty() && other.startsWith(of) &&
           (other.size() == of.size() || !other.at(of.size()).isLetterOrNumber());
}

// Whether the mask is one of a picture, not of an attention.
bool isPictureMask(const Entry& entry) {
    return entry.item.image || entry.item.coco || hasPictureDims(entry);
}

}  // namespace

mask::Rect Session::imageSize(EntryId id) const {
    const auto* entry = document_.find(id);
    return entry != nullptr && !entry->item.labels ? sizeOf(*entry) : mask::Rect{};
}

bool Session::showsAsImage(EntryId id) const {
    const auto* entry = document_.find(id);
    if (entry == nullptr || entry->item.labels) return false;
    if (entry->role.value == Role::image) return entry->item.shape.rank() == 2 || entry->item.shape.rank() == 3;
    if (entry->role.value != Role::mask) return false;
    if (entry->item.coco || showsCells(id)) return true;
    return isLabelType(entry->item.dtype) && entry->item.shape.rank() == 2 && isPictureMask(*entry);
}

bool Session::canShowCells(EntryId id) const {
    const auto* entry = document_.find(id);
    if (entry == nullptr || entry->item.labels || entry->role.value != Role::mask || entry->item.shape.rank() < 2)
        return false;
    return !is_floating(entry->item.dtype) && !isPictureMask(*entry);
}

bool Session::showsCells(EntryId id) const {
    return d_->cells.contains(id);
}

void Session::showCells(EntryId id, bool on) {
    if (on == showsCells(id) || !canShowCells(id)) return;
    if (on) {
        LayerState layer;
        layer.mask = id;
        const Shape& shape = document_.find(id)->item.shape;
        const auto* seen = view(id);
        for (int dim = 0; dim + 2 < shape.rank(); ++dim) {
            const auto index = seen != nullptr ? seen->index[static_cast<std::size_t>(dim)] : 0;
            layer.plane = layer.plane * shape[dim] + index;
        }
        OverlayState state;
        state.layers.push_back(layer);
        state.active = 0;
        state.ids = false;
        d_->overlays.insert_or_assign(id, std::move(state));
        d_->arranged.insert(id);
        d_->cells.insert(id);
    } else {
        d_->cells.erase(id);
    }
    changeView(id, [](ViewState& state) { state.fit = true; });
    emit documentChanged();
}

const OverlayState* Session::overlay(EntryId id) const {
    const auto found = d_->overlays.find(id);
    return found == d_->overlays.end() ? nullptr : &found->second;
}

void Session::changeOverlay(EntryId id, const std::function<void(OverlayState&)>& change) {
    const auto found = d_->overlays.find(id);
    if (found == d_->overlays.end()) return;
    OverlayState after = found->second;
    change(after);
    const int count = static_cast<int>(after.layers.size());
    if (after.active >= count) after.active = count - 1;
    if (after.compare_with >= count) after.compare_with = -1;
    after.opacity = std::clamp(after.opacity, 0.0, 1.0);
    after.wipe = std::clamp(after.wipe, 0.0, 1.0);
    if (after == found->second) return;
    if (after.layers != found->second.layers) d_->arranged.insert(id);
    found->second = std::move(after);
    emit overlayChanged(id);
}

std::vector<EntryId> Session::masksFor(EntryId image) const {
    std::vector<EntryId> out;
    const auto* picture = document_.find(image);
    if (picture == nullptr) return out;
    const auto size = sizeOf(*picture);
    const auto* state = overlay(image);
    for (const auto& entry : document_.entries()) {
        if (entry.id == image || entry.role.value != Role::mask || entry.item.shape.rank() < 2) continue;
        const bool over =
            state != nullptr && std::any_of(state->layers.begin(), state->layers.end(),
                                            [&](const LayerState& layer) { return layer.mask == entry.id; });
        if (over) continue;
        // Planes of another size are for soft masks, which are brought to the image's.
        if (sizeOf(entry) == size || is_floating(entry.item.dtype)) out.push_back(entry.id);
    }
    return out;
}

// The masks that say by their file's name that they are this image's, or, when none does, those of its size.
OverlayState Session::firstOverlay(EntryId id) const {
    OverlayState out;
    const auto* picture = document_.find(id);
    if (picture == nullptr) return out;
    const auto add = [&out](const Entry& entry) {
        for (std::int64_t plane = 0; plane < std::min(planesOf(entry), kFirstPlanes); ++plane) {
            LayerState layer;
            layer.mask = entry.id;
            layer.plane = plane;
            out.layers.push_back(layer);
        }
    };
    if (picture->role.value == Role::mask) {
        add(*picture);
    } else {
        std::vector<const Entry*> fitting;
        for (const auto& entry : document_.entries()) {
            const bool mask = entry.id != id && entry.role.value == Role::mask && entry.item.shape.rank() >= 2;
            if (mask && sizeOf(entry) == sizeOf(*picture) && planesOf(entry) > 0) fitting.push_back(&entry);
        }
        // Files arrive in any order; the layers do not depend on it.
        std::stable_sort(fitting.begin(), fitting.end(),
                         [](const Entry* a, const Entry* b) { return a->path < b->path; });
        const bool named =
            std::any_of(fitting.begin(), fitting.end(), [&](auto* mask) { return sameStem(*picture, *mask); });
        for (const auto* mask : fitting) {
            if (!named || sameStem(*picture, *mask)) add(*mask);
        }
    }
    out.active = static_cast<int>(out.layers.size()) - 1;
    return out;
}

void Session::arrangeLayers() {
    for (auto& [id, state] : d_->overlays) {
        if (d_->arranged.contains(id)) continue;
        const auto next = firstOverlay(id);
        if (next.layers == state.layers) continue;
        state.layers = next.layers;
        state.active = next.active;
        state.compare_with = -1;
        emit overlayChanged(id);
    }
}

EntryId Session::imageUnder(EntryId mask) const {
    for (const EntryId tab : std::as_const(tabs_)) {
        const auto* state = tab != mask ? overlay(tab) : nullptr;
        if (state == nullptr) continue;
        const auto over = [mask](const LayerState& layer) { return layer.mask == mask; };
        if (std::any_of(state->layers.begin(), state->layers.end(), over)) return tab;
    }
    return EntryId::none;
}

void Session::dropLayersOf(const QList<EntryId>& masks) {
    for (auto& [id, state] : d_->overlays) {
        const auto before = state.layers.size();
        std::vector<LayerState> kept;
        int active = -1;
        for (std::size_t i = 0; i < before; ++i) {
            if (masks.contains(state.layers[i].mask)) continue;
            if (static_cast<int>(i) <= state.active) active = static_cast<int>(kept.size());
            kept.push_back(state.layers[i]);
        }
        if (kept.size() == before) continue;
        state.layers = std::move(kept);
        state.active = active;
        state.compare_with = -1;
        if (state.compare != CompareMode::none && state.layers.size() < 2) state.compare = CompareMode::none;
        emit overlayChanged(id);
    }
}

std::shared_ptr<const render::ImageData> Session::imageData(EntryId id) {
    const auto* entry = document_.find(id);
    if (entry == nullptr || entry->role.value != Role::image) return nullptr;
    const auto loaded = tensor(id);
    if (!loaded) return nullptr;
    auto& held = d_->images[id];
    if (held.data && held.cells == loaded->data()) return held.data;
    Tensor pixels = *loaded;
    if (pixels.rank() == 3 && pixels.size(2) > 4 && pixels.size(0) <= 4) {
        pixels = pixels.permute(std::array<int, 3>{1, 2, 0});
    }
    std::span<const std::array<std::uint8_t, 4>> palette;
    if (entry->item.image) palette = entry->item.image->palette;
    auto made = render::ImageData::of(pixels, palette);
    if (!made) {
        document_.set_error(id, made.error().text());
        fail(tr("Cannot show %1").arg(QString::fromStdString(entry->name)), made.error());
        return nullptr;
    }
    held = {loaded->data(), *made};
    jobs_.run<void>(
        QString("levels:%1").arg(static_cast<uint>(id)), tr("Reading %1").arg(QString::fromStdString(entry->name)),
        [data = *made](const JobContext& context) { return data->prepare(context); },
        [this, id](Result<void> done) {
            if (!done) fail(tr("Cannot show the image"), done.error());
            emit dataChanged(id);
        });
    return held.data;
}

EntryId Session::addInMemory(const QString& path, io::Item item) {
    io::FileContents contents;
    contents.path = path.toStdString();
    contents.items.push_back(std::move(item));
    const auto ids = document_.add(std::move(contents));
    document_.set_role(ids.front(), Role::mask);
    emit documentChanged();
    return ids.front();
}

void Session::maskEdited(EntryId id) {
    d_->planes.drop(id);
    d_->ranges.erase(id);
    emit dataChanged(id);
    for (const EntryId tab : std::as_const(tabs_)) {
        if (tab != id && d_->views.at(tab).overlay.mask == id) emit dataChanged(tab);
    }
}

}  // namespace maskscope::ui
