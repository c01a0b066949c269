// SPDX-License-Identifier: Apache-2.0
// The cells that a path of matching neighbours joins to a seed. Works a word of 64 cells at a time and looks only at
// the tiles that it reaches; a tile that matches as a whole costs one step.
#pragma once

#include "core/base/result.h"
#include "core/mask/fill.h"
#include "core/mask/tile_bits.h"

namespace maskscope::mask {

// The seed lies inside the grid. `matches` is asked once for each tile reached, from this thread. Empty when the seed
// does not match.
Result<Region> flood(const TileGrid& grid, std::int64_t row, std::int64_t col, Neighbours neighbours, TileTest matches,
                     const JobContext& context);

}  // namespace maskscope::mask
