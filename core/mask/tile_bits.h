// SPDX-License-Identifier: Apache-2.0
// One bit for each cell of a tile of 64 x 64: what matches, what is filled. A row is a word, its bit 0 the leftmost
// cell.
#pragma once

#include "core/base/function_ref.h"
#include "core/jobs/job_context.h"
#include "core/mask/plane.h"
#include "core/mask/region.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace maskscope::mask {

static_assert(kTileSide == 64, "a row of a tile is a word of 64 bits");
using TileBits = std::array<std::uint64_t, kTileSide>;

// Of a tile's cells. The bits count for `some` alone; `all` and `none` leave them as they are.
enum class Coverage : std::uint8_t { none, some, all };

// A plane's tiles, without its cells.
struct TileGrid {
    std::int64_t rows = 0;
    std::int64_t cols = 0;

    std::int64_t tile_rows() const { return (rows + kTileSide - 1) / kTileSide; }
    std::int64_t tile_cols() const { return (cols + kTileSide - 1) / kTileSide; }
    std::int64_t tiles() const { return tile_rows() * tile_cols(); }
    // The part of the tile that lies inside the plane.
    Rect rect_of(std::int64_t tile) const;
    // Drops the bits of cells beyond the plane; `all` becomes bits where a part of the tile is beyond.
    Coverage clip(std::int64_t tile, Coverage coverage, TileBits& bits) const;
};

// Which cells of a tile belong; what it says of cells beyond the plane does not matter. Called from several threads.
using TileTest = FunctionRef<Coverage(std::int64_t tile, TileBits& bits)>;
// The cells that belong. Unfinished when the context was cancelled.
Region region_of_tiles(const TileGrid& grid, TileTest belongs, const JobContext& context = {});

// Which of the tile's cells hold exactly `cell`.
Coverage cells_equal(const Plane::TileView& tile, std::size_t cell_bytes, Cell cell, TileBits& bits);

}  // namespace maskscope::mask
