// SPDX-License-Identifier: Apache-2.0
// Pooled pixels that were seen lately, as tiles of a device pixel grid: a pan or a change of colours pools nothing.
#pragma once

#include "core/render/pool/heatmap_data.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace maskscope::render {

inline constexpr int kTileWidth = 128;
inline constexpr int kTileHeight = 64;

struct Tile {
    std::array<float, kTileWidth * kTileHeight> value;
    std::array<CellState, kTileWidth * kTileHeight> state;
};

struct TileKey {
    double pitch = 1;
    PoolRule rule = PoolRule::largest;
    std::int64_t x = 0;  // in tiles from cell 0
    std::int64_t y = 0;
    friend bool operator==(const TileKey&, const TileKey&) = default;
};

// Least recently used goes first. Safe from any thread.
class TileCache {
public:
    explicit TileCache(std::size_t most_bytes) : most_tiles_(most_bytes / sizeof(Tile)) {}
    std::shared_ptr<const Tile> find(const TileKey& key);
    void insert(const TileKey& key, std::shared_ptr<const Tile> tile);

private:
    struct Hash {
        std::size_t operator()(const TileKey& key) const;
    };
    using Entry = std::pair<TileKey, std::shared_ptr<const Tile>>;
    std::mutex mutex_;
    std::size_t most_tiles_;
    std::list<Entry> by_age_;  // the youngest first
    std::unordered_map<TileKey, std::list<Entry>::iterator, Hash> entries_;
};

}  // namespace maskscope::render
