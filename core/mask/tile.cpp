// SPDX-License-Identifier: Apache-2.0
#include "core/mask/tile.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace maskscope::mask {

std::uint64_t next_tile_stamp() {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::shared_ptr<Tile> uniform_tile(Cell cell) {
    auto tile = std::make_shared<Tile>();
    tile->uniform = cell;
    tile->stamp = next_tile_stamp();
    return tile;
}

std::shared_ptr<Tile> open_tile(std::size_t cell_bytes) {
    auto tile = std::make_shared<Tile>();
    tile->cells = std::make_unique_for_overwrite<std::byte[]>(cell_bytes * kTileCells);
    tile->stamp = next_tile_stamp();
    return tile;
}

TilePtr tile_of(const std::byte* cells, std::size_t cell_bytes) {
    Cell uniform;
    if (is_uniform(cells, cell_bytes, uniform)) return uniform == Cell{} ? nullptr : uniform_tile(uniform);
    auto tile = open_tile(cell_bytes);
    std::memcpy(tile->cells.get(), cells, cell_bytes * kTileCells);
    return tile;
}

bool is_uniform(const std::byte* cells, std::size_t cell_bytes, Cell& out) {
    // Equal to itself one cell further on: all cells are the first one.
    if (std::memcmp(cells, cells + cell_bytes, cell_bytes * (kTileCells - 1)) != 0) return false;
    out = load_cell(cells, cell_bytes);
    return true;
}

Cell load_cell(const std::byte* element, std::size_t cell_bytes) {
    return with_cell_type(cell_bytes, [&]<class T>(T value) {
        std::memcpy(&value, element, sizeof value);
        return Cell{value};
    });
}

void store_cell(std::byte* element, std::size_t cell_bytes, Cell cell) {
    with_cell_type(cell_bytes, [&]<class T>(T value) {
        value = static_cast<T>(cell.bits);
        std::memcpy(element, &value, sizeof value);
    });
}

void fill_cells(std::byte* out, std::size_t cell_bytes, std::int64_t count, Cell cell) {
    with_cell_type(cell_bytes,
                   [&]<class T>(T) { std::fill_n(reinterpret_cast<T*>(out), count, static_cast<T>(cell.bits)); });
}

void expand(const Plane::TileView& tile, std::size_t cell_bytes, std::byte* out) {
    if (tile.cells == nullptr)
        fill_cells(out, cell_bytes, kTileCells, tile.uniform);
    else
        std::memcpy(out, tile.cells, cell_bytes * kTileCells);
}

bool same_cells(const Plane::TileView& a, const Plane::TileView& b, std::size_t cell_bytes) {
    if (a.cells != nullptr && b.cells != nullptr)
        return a.cells == b.cells || std::memcmp(a.cells, b.cells, cell_bytes * kTileCells) == 0;
    if (a.cells == nullptr && b.cells == nullptr) return a.uniform == b.uniform;
    Cell uniform;
    const bool dense_first = a.cells != nullptr;
    return is_uniform(dense_first ? a.cells : b.cells, cell_bytes, uniform) &&
           uniform == (dense_first ? b.uniform : a.uniform);
}

}  // namespace maskscope::mask
