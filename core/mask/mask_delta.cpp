// SPDX-License-Identifier: Apache-2.0
#include "core/mask/mask_delta.h"

#include "core/jobs/parallel.h"
#include "core/mask/tile.h"
#include "core/mask/tile_bits.h"
#include "core/mask/tile_difference.h"
#include "core/mask/tile_pack.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

namespace maskscope::mask {
namespace {

constexpr std::int64_t kRowsAtOnce = 4;     // tile rows that one thread compares
constexpr std::int64_t kTilesAtOnce = 256;  // tiles that one thread unpacks

// In the journal: the layout's number, the plane's rows, cols and dtype, the number of tiles, then of each tile how far
// it lies beyond the one before, and before and after with their lengths.
constexpr std::uint64_t kLayout = 1;

TilePtr unpacked(std::span<const std::byte> packed, std::size_t cell_bytes, std::byte* scratch) {
    if (packed.empty()) return nullptr;
    [[maybe_unused]] const bool whole = unpack(packed, cell_bytes, scratch);
    assert(whole);
    return tile_of(scratch, cell_bytes);
}

// The tiles of a journal's step, one after the other, checked.
class ParsedTile {
public:
    explicit ParsedTile(const Plane& plane)
        : before(plane.cell_bytes() * kTileCells),
          after(plane.cell_bytes() * kTileCells),
          grid_{plane.rows(), plane.cols()},
          cell_bytes_(plane.cell_bytes()) {}

    bool take(std::span<const std::byte>& bytes) {
        const auto further = take_number(bytes);
        if (!further || *further >= static_cast<std::uint64_t>(grid_.tiles() - next_)) return false;
        change.index = next_ + static_cast<std::int64_t>(*further);
        next_ = change.index + 1;
        return take_side(bytes, change.before, before) && take_side(bytes, change.after, after);
    }

    MaskDelta::TileChange change;
    std::vector<std::byte> before;  // its cells
    std::vector<std::byte> after;

private:
    bool take_side(std::span<const std::byte>& bytes, std::vector<std::byte>& packed, std::vector<std::byte>& cells) {
        const auto length = take_number(bytes);
        if (!length || *length > bytes.size()) return false;
        const auto part = bytes.first(static_cast<std::size_t>(*length));
        bytes = bytes.subspan(part.size());
        packed.assign(part.begin(), part.end());
        return unpack(packed, cell_bytes_, cells.data()) && (packed.empty() || keeps_edges(cells));
    }

    // Only zeros beyond the plane.
    bool keeps_edges(const std::vector<std::byte>& cells) const {
        TileBits inside;
        if (grid_.clip(change.index, Coverage::all, inside) == Coverage::all) return true;
        TileBits zero;
        cells_equal({cells.data(), {}}, cell_bytes_, {}, zero);
        for (std::size_t row = 0; row < zero.size(); ++row)
            if ((~inside[row] & ~zero[row]) != 0) return false;
        return true;
    }

    TileGrid grid_;
    std::size_t cell_bytes_;
    std::int64_t next_ = 0;
};

Error damaged() {
    return input_error(MS_TEXT("a step of the history is damaged and cannot be read"));
}

}  // namespace

MaskDelta MaskDelta::between(const Plane& before, const Plane& after, const Rect& within) {
    assert(before.rows_ == after.rows_ && before.cols_ == after.cols_ && before.dtype_ == after.dtype_);
    MaskDelta out;
    out.made_for(after);
    const Rect rect = intersection(within, after.bounds());
    if (rect.empty()) return out;
    const auto size = after.cell_bytes();
    const auto first_row = rect.row / kTileSide;
    const auto tile_rows = (rect.bottom() - 1) / kTileSide - first_row + 1;
    std::vector<MaskDelta> parts(static_cast<std::size_t>(chunk_count(tile_rows, kRowsAtOnce)));
    parallel_for(Lane::ui, tile_rows, kRowsAtOnce, [&](const Chunk& chunk) {
        auto& part = parts[static_cast<std::size_t>(chunk.index)];
        part.made_for(after);
        for (auto row = first_row + chunk.begin; row < first_row + chunk.end; ++row) {
            for (auto col = rect.col / kTileSide; col * kTileSide < rect.right(); ++col) {
                const auto index = row * after.tile_cols() + col;
                const auto& old = before.tiles_[static_cast<std::size_t>(index)];
                const auto& now = after.tiles_[static_cast<std::size_t>(index)];
                if (old == now || same_cells(view_of(old), view_of(now), size)) continue;
                part.add({index, pack(view_of(old), size), pack(view_of(now), size)}, view_of(old), view_of(now));
            }
        }
    });
    for (auto& part : parts) out.append(std::move(part));
    return out;
}

void MaskDelta::made_for(const Plane& plane) {
    rows_ = plane.rows_;
    cols_ = plane.cols_;
    dtype_ = plane.dtype_;
}

void MaskDelta::add(TileChange change, const Plane::TileView& before, const Plane::TileView& after) {
    const auto tile = difference(before, after, size_of(dtype_));
    const Rect place = TileGrid{rows_, cols_}.rect_of(change.index);
    bounds =
        united(bounds, {place.row + tile.bounds.row, place.col + tile.bounds.col, tile.bounds.rows, tile.bounds.cols});
    changed += tile.changed;
    gained += tile.gained;
    lost += tile.lost;
    tiles.push_back(std::move(change));
}

void MaskDelta::append(MaskDelta part) {
    bounds = united(bounds, part.bounds);
    changed += part.changed;
    gained += part.gained;
    lost += part.lost;
    if (tiles.empty()) {
        tiles = std::move(part.tiles);
        return;
    }
    tiles.insert(tiles.end(), std::make_move_iterator(part.tiles.begin()), std::make_move_iterator(part.tiles.end()));
}

void MaskDelta::apply(Plane& plane, std::vector<std::byte> TileChange::*side) const {
    const auto size = plane.cell_bytes();
    const auto count = static_cast<std::int64_t>(tiles.size());
    parallel_for(Lane::ui, count, kTilesAtOnce, [&](const Chunk& chunk) {
        const auto scratch = std::make_unique_for_overwrite<std::byte[]>(size * kTileCells);
        for (auto i = chunk.begin; i < chunk.end; ++i) {
            const auto& change = tiles[static_cast<std::size_t>(i)];
            assert(static_cast<std::size_t>(change.index) < plane.tiles_.size());
            plane.tiles_[static_cast<std::size_t>(change.index)] = unpacked(change.*side, size, scratch.get());
        }
    });
}

void MaskDelta::undo(Plane& plane) const {
    apply(plane, &TileChange::before);
}

void MaskDelta::redo(Plane& plane) const {
    apply(plane, &TileChange::after);
}

std::size_t MaskDelta::bytes() const {
    std::size_t sum = sizeof(MaskDelta) + tiles.capacity() * sizeof(TileChange);
    for (const auto& tile : tiles) sum += tile.before.capacity() + tile.after.capacity();
    return sum;
}

std::vector<std::byte> MaskDelta::serialised() const {
    std::vector<std::byte> out;
    for (const auto number : {kLayout, static_cast<std::uint64_t>(rows_), static_cast<std::uint64_t>(cols_),
                              static_cast<std::uint64_t>(dtype_), static_cast<std::uint64_t>(tiles.size())})
        put_number(out, number);
    std::int64_t last = -1;
    for (const auto& tile : tiles) {
        put_number(out, static_cast<std::uint64_t>(tile.index - last - 1));
        last = tile.index;
        for (const auto* side : {&tile.before, &tile.after}) {
            put_number(out, side->size());
            out.insert(out.end(), side->begin(), side->end());
        }
    }
    return out;
}

Result<MaskDelta> MaskDelta::parse(std::span<const std::byte> bytes, const Plane& plane) {
    MaskDelta out;
    out.made_for(plane);
    const auto layout = take_number(bytes);
    const auto rows = take_number(bytes);
    const auto cols = take_number(bytes);
    const auto dtype = take_number(bytes);
    const auto count = take_number(bytes);
    if (!count) return damaged();
    if (*layout != kLayout)
        return input_error(MS_TEXT("a step of the history was written by another version of Maskscope"));
    if (*rows != static_cast<std::uint64_t>(plane.rows_) || *cols != static_cast<std::uint64_t>(plane.cols_) ||
        *dtype != static_cast<std::uint64_t>(plane.dtype_))
        return input_error(MS_TEXT("a step of the history does not belong to this mask of {} x {} cells of {}"),
                           plane.rows_, plane.cols_, name_of(plane.dtype_));
    // Each tile takes three bytes at least: no count can ask for more than a multiple of what is there.
    if (*count > bytes.size() / 3) return damaged();
    out.tiles.reserve(static_cast<std::size_t>(*count));
    ParsedTile tile(plane);
    for (std::uint64_t i = 0; i < *count; ++i) {
        if (!tile.take(bytes)) return damaged();
        out.add(std::move(tile.change), {tile.before.data(), {}}, {tile.after.data(), {}});
    }
    if (!bytes.empty()) return damaged();
    return out;
}

}  // namespace maskscope::mask
