// SPDX-License-Identifier: Apache-2.0
// What differs between two states of a tile, in numbers.
#pragma once

#include "core/mask/plane.h"
#include "core/mask/tile_bits.h"

#include <cstddef>
#include <cstdint>

namespace maskscope::mask {

struct TileDifference {
    Rect bounds;               // within the tile
    std::int64_t changed = 0;  // cells that differ
    std::int64_t gained = 0;   // of them: zero before
    std::int64_t lost = 0;     // of them: zero after
};
TileDifference difference(const Plane::TileView& before, const Plane::TileView& after, std::size_t cell_bytes);

// Around the bits that are set, within the tile.
Rect extent(const TileBits& bits);

}  // namespace maskscope::mask
