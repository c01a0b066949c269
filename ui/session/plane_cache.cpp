// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plane_cache.h"

#include <algorithm>

namespace maskscope::ui {

Tensor plane_of(const Tensor& tensor, int row_dim, int col_dim, const std::vector<std::int64_t>& index) {
    Tensor plane = tensor;
    for (int dim = tensor.rank() - 1; dim >= 0; --dim) {
        if (dim != row_dim && dim != col_dim) plane = plane.select(dim, index[static_cast<std::size_t>(dim)]);
    }
    if (row_dim > col_dim && col_dim >= 0) plane = plane.transpose(0, 1);
    if (row_dim < 0) plane = plane.unsqueeze(0);
    if (col_dim < 0) plane = plane.unsqueeze(1);
    return plane;
}

PlaneKey key_of(const ViewState& view, EntryId entry) {
    PlaneKey key{entry, view.row_dim, view.col_dim, view.index, view.overlay.mask, view.overlay.convention};
    if (view.row_dim >= 0) key.index[static_cast<std::size_t>(view.row_dim)] = 0;
    if (view.col_dim >= 0) key.index[static_cast<std::size_t>(view.col_dim)] = 0;
    return key;
}

std::shared_ptr<render::HeatmapData> PlaneCache::find(const PlaneKey& key) {
    const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& held) { return held.key == key; });
    if (found == held_.end()) return nullptr;
    held_.splice(held_.begin(), held_, found);
    return held_.front().data;
}

void PlaneCache::put(const PlaneKey& key, std::shared_ptr<render::HeatmapData> data) {
    held_.push_front({key, std::move(data)});
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (auto it = held_.begin(); it != held_.end();) {
        // A slice still being prepared holds next to nothing yet; count it as something so that the list stays short.
        bytes += it->data->extra_bytes() + sizeof(Held);
        const bool keep = ++count <= 1 || (bytes <= byte_cap_ && count <= 2048);
        it = keep ? std::next(it) : held_.erase(it);
    }
}

void PlaneCache::drop(EntryId entry) {
    held_.remove_if([entry](const Held& held) { return held.key.entry == entry || held.key.mask == entry; });
}

}  // namespace maskscope::ui
