// SPDX-License-Identifier: Apache-2.0
// Undo swaps whole tiles: what stood before an edit is kept as pointers to tiles that nothing changes any more, so that
// beginning, taking back and undoing cost a pointer a tile, whatever was painted.
#include "core/mask/mask_edit.h"

#include "core/jobs/parallel.h"
#include "core/mask/tile.h"
#include "core/mask/tile_bits.h"
#include "core/mask/tile_difference.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <span>
#include <utility>

namespace maskscope::mask {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::int64_t kStripsAtOnce = 4;  // tile rows that one thread takes

std::uint64_t bits_between(std::int64_t begin, std::int64_t end) {
    return (kAllBits << begin) & (kAllBits >> (kTileSide - end));
}

// The cells of a row of tiles that a region covers, tile by tile.
class StripBits {
public:
    // `runs` lie in that row of tiles and inside the plane.
    StripBits(std::span<const Run> runs, const Rect& plane) : plane_(plane) {
        std::int64_t left = plane.right();
        std::int64_t right = 0;
        for (const auto& run : runs) {
            left = std::min<std::int64_t>(left, std::max(run.begin, 0));
            right = std::max<std::int64_t>(right, std::min<std::int64_t>(run.end, plane.right()));
        }
        if (left >= right) return;
        first_ = left / kTileSide;
        tiles_.resize(static_cast<std::size_t>((right - 1) / kTileSide - first_ + 1), TileBits{});
        for (const auto& run : runs) add(run);
    }
    std::int64_t first() const { return first_; }
    std::vector<TileBits>& tiles() { return tiles_; }

private:
    void add(const Run& run) {
        const auto row = static_cast<std::size_t>(run.row % kTileSide);
        const auto end = std::min<std::int64_t>(run.end, plane_.right());
        for (std::int64_t at = std::max(run.begin, 0); at < end;) {
            const auto tile = at / kTileSide;
            const auto next = std::min((tile + 1) * kTileSide, end);
            tiles_[static_cast<std::size_t>(tile - first_)][row] |=
                bits_between(at - tile * kTileSide, next - tile * kTileSide);
            at = next;
        }
    }

    Rect plane_;
    std::int64_t first_ = 0;
    std::vector<TileBits> tiles_;
};

bool all_set(const TileBits& bits) {
    return std::all_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word == kAllBits; });
}

// Takes the cells that hold `cell` out of `wanted`, or all others.
void leave(TileBits& wanted, const Plane::TileView& tile, std::size_t cell_bytes, Cell cell, bool others) {
    TileBits found;
    const auto coverage = cells_equal(tile, cell_bytes, cell, found);
    if (coverage == Coverage::all) found.fill(kAllBits);
    if (coverage == Coverage::none) found.fill(0);
    for (std::size_t row = 0; row < wanted.size(); ++row) wanted[row] &= others ? found[row] : ~found[row];
}

void fill_bits(std::byte* cells, std::size_t cell_bytes, const TileBits& bits, Cell value) {
    for (auto word : bits) {
        for (int at = 0; word != 0;) {
            const int skip = std::countr_zero(word);
            const int length = std::countr_one(word >> skip);
            fill_cells(cells + static_cast<std::size_t>(at + skip) * cell_bytes, cell_bytes, length, value);
            at += skip + length;
            word = at < kTileSide ? word >> skip >> (length - 1) >> 1 : 0;
        }
        cells += kTileSide * cell_bytes;
    }
}

}  // namespace

MaskEdit::MaskEdit(Plane& plane) : plane_(plane), before_(plane) {}

MaskEdit::~MaskEdit() {
    if (!ended_) take_back();
}

void MaskEdit::take_back() {
    if (written_.empty()) return;
    const auto last_row = (written_.bottom() - 1) / kTileSide;
    const auto last_col = (written_.right() - 1) / kTileSide;
    for (auto row = written_.row / kTileSide; row <= last_row; ++row) {
        const auto first = row * plane_.tile_cols() + written_.col / kTileSide;
        const auto last = row * plane_.tile_cols() + last_col;
        std::copy(before_.tiles_.begin() + first, before_.tiles_.begin() + last + 1, plane_.tiles_.begin() + first);
    }
    written_ = {};
}

void MaskEdit::restart() {
    dirty_ = united(dirty_, written_);
    take_back();
}

Rect MaskEdit::take_dirty() {
    return std::exchange(dirty_, {});
}

void MaskEdit::touch(const Rect& rect) {
    dirty_ = united(dirty_, rect);
    written_ = united(written_, rect);
}

// The tile to write into: own, dense, and seen by nobody else. Copied when a snapshot holds it.
Tile& MaskEdit::writable(std::int64_t index) {
    auto& place = plane_.tiles_[static_cast<std::size_t>(index)];
    const bool own = place && place->cells && place.use_count() == 1;
    if (!own) {
        auto copy = open_tile(plane_.cell_bytes());
        expand(view_of(place), plane_.cell_bytes(), copy->cells.get());
        place = std::move(copy);
    } else {
        // Giving up a second reference orders what follows after the last read of a snapshot that another thread has
        // given up; the count alone would not.
        const TilePtr order = place;
    }
    auto& tile = const_cast<Tile&>(*place);  // made by open_tile(), which is not const
    if (own) tile.stamp = next_tile_stamp();
    return tile;
}

void MaskEdit::paint(const Region& region, const PaintRule& rule) {
    const auto& runs = region.runs();
    const auto row_at = [&](std::int64_t row) {
        return static_cast<std::size_t>(
            std::partition_point(runs.begin(), runs.end(), [&](const Run& run) { return run.row < row; }) -
            runs.begin());
    };
    const auto first = row_at(0);
    const auto last = row_at(plane_.rows());
    if (first == last) return;
    const auto top = runs[first].row / kTileSide;
    const std::int64_t strips = runs[last - 1].row / kTileSide - top + 1;
    // One tile serves all that are painted whole.
    const TilePtr whole = rule.value == Cell{} ? nullptr : uniform_tile(rule.value);
    std::vector<Rect> touched(static_cast<std::size_t>(chunk_count(strips, kStripsAtOnce)));
    parallel_for(Lane::ui, strips, kStripsAtOnce, [&](const Chunk& chunk) {
        for (auto strip = chunk.begin; strip < chunk.end; ++strip) {
            const auto row = (top + strip) * kTileSide;
            paint_strip(region, row_at(std::max<std::int64_t>(row, 0)),
                        row_at(std::min(row + kTileSide, plane_.rows())), rule, whole,
                        touched[static_cast<std::size_t>(chunk.index)]);
        }
    });
    for (const auto& rect : touched) touch(rect);
}

void MaskEdit::paint_strip(const Region& region, std::size_t first_run, std::size_t last_run, const PaintRule& rule,
                           const TilePtr& whole, Rect& touched) {
    if (first_run == last_run) return;
    StripBits strip(std::span(region.runs()).subspan(first_run, last_run - first_run), plane_.bounds());
    const auto tile_row = region.runs()[first_run].row / kTileSide;
    auto tile_col = strip.first();
    for (auto& bits : strip.tiles()) {
        if (paint_tile(tile_row * plane_.tile_cols() + tile_col, bits, rule, whole)) {
            auto rect = extent(bits);
            rect.row += tile_row * kTileSide;
            rect.col += tile_col * kTileSide;
            touched = united(touched, rect);
        }
        ++tile_col;
    }
}

// Leaves in `wanted` the cells that were written; false when none were.
bool MaskEdit::paint_tile(std::int64_t index, TileBits& wanted, const PaintRule& rule, const TilePtr& whole) {
    auto& place = plane_.tiles_[static_cast<std::size_t>(index)];
    const auto tile = view_of(place);
    const std::size_t size = plane_.cell_bytes();
    const bool covered = all_set(wanted);
    leave(wanted, tile, size, rule.value, false);
    if (rule.empty_only) leave(wanted, tile, size, {}, true);
    for (const auto& cell : rule.locked) leave(wanted, tile, size, cell, false);
    if (extent(wanted).empty()) return false;
    const bool bound_by_rule = rule.empty_only || !rule.locked.empty();
    if (covered && (!bound_by_rule || all_set(wanted)))
        place = whole;
    else
        fill_bits(writable(index).cells.get(), size, wanted, rule.value);
    return true;
}

void MaskEdit::write_rect(const Rect& rect, const std::byte* cells, std::size_t stride) {
    assert(rect.empty() || intersection(rect, plane_.bounds()) == rect);
    if (rect.empty()) return;
    const auto first = rect.row / kTileSide;
    const auto strips = (rect.bottom() - 1) / kTileSide - first + 1;
    std::vector<Rect> touched(static_cast<std::size_t>(chunk_count(strips, kStripsAtOnce)));
    parallel_for(Lane::ui, strips, kStripsAtOnce, [&](const Chunk& chunk) {
        for (auto row = first + chunk.begin; row < first + chunk.end; ++row) {
            for (auto col = rect.col / kTileSide; col * kTileSide < rect.right(); ++col) {
                const Rect part = intersection({row * kTileSide, col * kTileSide, kTileSide, kTileSide}, rect);
                const std::byte* source = cells + static_cast<std::size_t>(part.row - rect.row) * stride +
                                          static_cast<std::size_t>(part.col - rect.col) * plane_.cell_bytes();
                if (!write_tile(row * plane_.tile_cols() + col, part, source, stride)) continue;
                auto& around = touched[static_cast<std::size_t>(chunk.index)];
                around = united(around, part);
            }
        }
    });
    for (const auto& around : touched) touch(around);
}

bool MaskEdit::write_tile(std::int64_t index, const Rect& rect, const std::byte* cells, std::size_t stride) {
    const std::size_t size = plane_.cell_bytes();
    auto& place = plane_.tiles_[static_cast<std::size_t>(index)];
    auto next = open_tile(size);
    expand(view_of(place), size, next->cells.get());
    const auto first = static_cast<std::size_t>(rect.row % kTileSide * kTileSide + rect.col % kTileSide);
    std::byte* target = next->cells.get() + first * size;
    bool differs = false;
    for (std::int64_t row = 0; row < rect.rows; ++row, target += kTileSide * size, cells += stride) {
        const auto bytes = static_cast<std::size_t>(rect.cols) * size;
        differs = differs || std::memcmp(target, cells, bytes) != 0;
        std::memcpy(target, cells, bytes);
    }
    if (!differs) return false;
    Cell uniform;
    if (!is_uniform(next->cells.get(), size, uniform))
        place = std::move(next);
    else
        place = uniform == Cell{} ? nullptr : uniform_tile(uniform);
    return true;
}

MaskDelta MaskEdit::so_far() const {
    return MaskDelta::between(before_, plane_, written_);
}

MaskDelta MaskEdit::commit() {
    auto delta = so_far();
    // Tiles that hold what they held are the old ones again, and those of one value give their memory back.
    const auto size = plane_.cell_bytes();
    std::size_t next = 0;
    if (!written_.empty()) {
        for (auto row = written_.row / kTileSide; row * kTileSide < written_.bottom(); ++row) {
            for (auto col = written_.col / kTileSide; col * kTileSide < written_.right(); ++col) {
                const auto index = row * plane_.tile_cols() + col;
                auto& place = plane_.tiles_[static_cast<std::size_t>(index)];
                while (next < delta.tiles.size() && delta.tiles[next].index < index) ++next;
                const bool differs = next < delta.tiles.size() && delta.tiles[next].index == index;
                if (!differs) place = before_.tiles_[static_cast<std::size_t>(index)];
                Cell uniform;
                if (place && place->cells && is_uniform(place->cells.get(), size, uniform))
                    place = uniform == Cell{} ? nullptr : uniform_tile(uniform);
            }
        }
    }
    ended_ = true;
    return delta;
}

}  // namespace maskscope::mask
