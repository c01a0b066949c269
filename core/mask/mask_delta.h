// SPDX-License-Identifier: Apache-2.0
// What an edit changed: the tiles before and after, packed. Applied in either direction, kept by the history, written
// to the journal.
#pragma once

#include "core/base/result.h"
#include "core/mask/plane.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope::mask {

class MaskDelta {
public:
    struct TileChange {
        std::int64_t index = 0;
        std::vector<std::byte> before;  // packed runs of equal cells
        std::vector<std::byte> after;
    };

    // What makes `after` of `before`, two planes of the same size and dtype, inside `within`.
    static MaskDelta between(const Plane& before, const Plane& after, const Rect& within);

    bool empty() const { return tiles.empty(); }
    void undo(Plane& plane) const;
    void redo(Plane& plane) const;
    // Memory it takes.
    std::size_t bytes() const;

    // For the journal: self-contained, checked when read. Refuses what does not fit the plane's geometry.
    std::vector<std::byte> serialised() const;
    static Result<MaskDelta> parse(std::span<const std::byte> bytes, const Plane& plane);

    Rect bounds;                    // of the cells that differ
    std::int64_t changed = 0;       // cells that differ
    std::int64_t gained = 0;        // of them: zero before, not zero after
    std::int64_t lost = 0;          // not zero before, zero after
    std::vector<TileChange> tiles;  // by ascending index

private:
    void made_for(const Plane& plane);
    void add(TileChange change, const Plane::TileView& before, const Plane::TileView& after);
    void append(MaskDelta part);
    void apply(Plane& plane, std::vector<std::byte> TileChange::*side) const;

    std::int64_t rows_ = 0;  // of the plane that it was made for
    std::int64_t cols_ = 0;
    DType dtype_ = DType::u8;
};

}  // namespace maskscope::mask
