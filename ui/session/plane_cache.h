// SPDX-License-Identifier: GPL-3.0-or-later
// Which two-dimensional slice a view shows, and the prepared slices that are worth keeping.
#pragma once

#include "core/render/pool/heatmap_data.h"
#include "ui/session/view_state.h"

#include <compare>
#include <list>
#include <memory>
#include <optional>
#include <vector>

namespace maskscope::ui {

// The plane [rows, cols] of a tensor: row_dim and col_dim stay, the other dims are taken at `index`. A dim of -1
// becomes an axis of size 1.
Tensor plane_of(const Tensor& tensor, int row_dim, int col_dim, const std::vector<std::int64_t>& index);

// Everything that decides what a slice holds.
struct PlaneKey {
    EntryId entry = EntryId::none;
    int row_dim = -1;
    int col_dim = -1;
    std::vector<std::int64_t> index;  // entries of row_dim and col_dim are 0
    std::optional<EntryId> mask;
    document::MaskConvention convention = document::MaskConvention::keep;
    friend bool operator==(const PlaneKey&, const PlaneKey&) = default;
};

// The key of a view; `index` of the mapped dims is set to 0 so that it does not tell slices apart.
PlaneKey key_of(const ViewState& view, EntryId entry);

// Least recently used slices go when they hold more than `byte_cap` beyond the data.
class PlaneCache {
public:
    explicit PlaneCache(std::size_t byte_cap) : byte_cap_(byte_cap) {}

    std::shared_ptr<render::HeatmapData> find(const PlaneKey& key);
    void put(const PlaneKey& key, std::shared_ptr<render::HeatmapData> data);
    void drop(EntryId entry);  // as data or as mask

private:
    struct Held {
        PlaneKey key;
        std::shared_ptr<render::HeatmapData> data;
    };
    std::list<Held> held_;  // latest first
    std::size_t byte_cap_;
};

}  // namespace maskscope::ui
