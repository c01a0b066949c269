// SPDX-License-Identifier: Apache-2.0
#include "core/mask/tile_difference.h"

#include "core/mask/tile.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace maskscope::mask {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
using Scratch = std::array<std::byte, sizeof(std::uint64_t) * kTileCells>;

TileBits zeros_of(const Plane::TileView& tile, std::size_t cell_bytes) {
    TileBits bits;
    const auto coverage = cells_equal(tile, cell_bytes, {}, bits);
    if (coverage != Coverage::some) bits.fill(coverage == Coverage::all ? kAllBits : 0);
    return bits;
}

// The bits of cells that differ.
TileBits differing(const Plane::TileView& before, const Plane::TileView& after, std::size_t cell_bytes) {
    Scratch a;
    Scratch b;
    expand(before, cell_bytes, a.data());
    expand(after, cell_bytes, b.data());
    for (std::size_t i = 0; i < cell_bytes * kTileCells; ++i) a[i] ^= b[i];
    TileBits bits = zeros_of({a.data(), {}}, cell_bytes);
    for (auto& word : bits) word = ~word;
    return bits;
}

std::int64_t count_both(const TileBits& a, const TileBits& b) {
    std::int64_t sum = 0;
    for (std::size_t row = 0; row < a.size(); ++row) sum += std::popcount(a[row] & b[row]);
    return sum;
}

}  // namespace

TileDifference difference(const Plane::TileView& before, const Plane::TileView& after, std::size_t cell_bytes) {
    TileDifference out;
    if (before.cells == nullptr && after.cells == nullptr) {
        if (before.uniform == after.uniform) return out;
        out.bounds = {0, 0, kTileSide, kTileSide};
        out.changed = kTileCells;
        out.gained = before.uniform == Cell{} ? kTileCells : 0;
        out.lost = after.uniform == Cell{} ? kTileCells : 0;
        return out;
    }
    const auto bits = differing(before, after, cell_bytes);
    out.bounds = extent(bits);
    out.changed = count_both(bits, bits);
    out.gained = count_both(bits, zeros_of(before, cell_bytes));
    out.lost = count_both(bits, zeros_of(after, cell_bytes));
    return out;
}

Rect extent(const TileBits& bits) {
    std::uint64_t any = 0;
    std::int64_t first = kTileSide;
    std::int64_t last = -1;
    for (std::int64_t row = 0; row < kTileSide; ++row) {
        const auto word = bits[static_cast<std::size_t>(row)];
        if (word == 0) continue;
        any |= word;
        first = std::min(first, row);
        last = row;
    }
    if (any == 0) return {};
    const std::int64_t left = std::countr_zero(any);
    return {first, left, last - first + 1, kTileSide - std::countl_zero(any) - left};
}

}  // namespace maskscope::mask
