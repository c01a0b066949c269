// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/tile_cache.h"

#include <bit>
#include <utility>

namespace maskscope::render {

std::size_t TileCache::Hash::operator()(const TileKey& key) const {
    std::uint64_t hash = std::bit_cast<std::uint64_t>(key.pitch) + static_cast<std::uint64_t>(key.rule);
    for (const std::int64_t part : {key.x, key.y}) {
        hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29U;
    }
    return static_cast<std::size_t>(hash);
}

std::shared_ptr<const Tile> TileCache::find(const TileKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    by_age_.splice(by_age_.begin(), by_age_, found->second);
    return found->second->second;
}

void TileCache::insert(const TileKey& key, std::shared_ptr<const Tile> tile) {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) {
        found->second->second = std::move(tile);
        return;
    }
    by_age_.emplace_front(key, std::move(tile));
    entries_.emplace(key, by_age_.begin());
    while (entries_.size() > most_tiles_) {
        entries_.erase(by_age_.back().first);
        by_age_.pop_back();
    }
}

}  // namespace maskscope::render
