// SPDX-License-Identifier: Apache-2.0
// What a Plane is made of. A tile that stands in a plane and that another plane may hold too never changes.
#pragma once

#include "core/mask/plane.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace maskscope::mask {

struct Tile {
    std::unique_ptr<std::byte[]> cells;  // null: every cell is `uniform`
    Cell uniform;
    std::uint64_t stamp = 0;

    Plane::TileView view() const { return {cells.get(), uniform}; }
};
using TilePtr = std::shared_ptr<const Tile>;

// Never given twice, nor 0.
std::uint64_t next_tile_stamp();

std::shared_ptr<Tile> uniform_tile(Cell cell);
// kTileCells cells, still to be written.
std::shared_ptr<Tile> open_tile(std::size_t cell_bytes);
// A tile of those cells; uniform where they are all equal, null where they are all zero.
TilePtr tile_of(const std::byte* cells, std::size_t cell_bytes);
// All cells equal: that cell in `out`.
bool is_uniform(const std::byte* cells, std::size_t cell_bytes, Cell& out);

inline Plane::TileView view_of(const TilePtr& tile) {
    return tile ? tile->view() : Plane::TileView{};
}
Cell load_cell(const std::byte* element, std::size_t cell_bytes);
void store_cell(std::byte* element, std::size_t cell_bytes, Cell cell);
// `count` cells from `out` on.
void fill_cells(std::byte* out, std::size_t cell_bytes, std::int64_t count, Cell cell);
// The tile's kTileCells cells, whatever it is made of.
void expand(const Plane::TileView& tile, std::size_t cell_bytes, std::byte* out);
bool same_cells(const Plane::TileView& a, const Plane::TileView& b, std::size_t cell_bytes);

// Calls body with a zero of the unsigned type that has the cells' size.
template <class Body>
auto with_cell_type(std::size_t cell_bytes, Body body) {
    switch (cell_bytes) {
        case 1:
            return body(std::uint8_t{});
        case 2:
            return body(std::uint16_t{});
        case 4:
            return body(std::uint32_t{});
        default:
            return body(std::uint64_t{});
    }
}

}  // namespace maskscope::mask
