// SPDX-License-Identifier: Apache-2.0
// A transaction on a plane. What is not committed is taken back when it ends. One at a time for a plane.
#pragma once

#include "core/mask/mask_delta.h"
#include "core/mask/plane.h"
#include "core/mask/tile_bits.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope::mask {

// What a tool writes, and where it may.
struct PaintRule {
    Cell value;
    bool empty_only = false;   // only into cells of zero bits
    std::vector<Cell> locked;  // cells that hold one of these stay
};

class MaskEdit {
public:
    explicit MaskEdit(Plane& plane);
    ~MaskEdit();
    MaskEdit(const MaskEdit&) = delete;
    MaskEdit& operator=(const MaskEdit&) = delete;

    const Plane& plane() const { return plane_; }
    // The plane as it was when the edit began.
    const Plane& before() const { return before_; }
    // What lies outside the plane is ignored.
    void paint(const Region& region, const PaintRule& rule);
    // Row-major cells, rows `stride` bytes apart; the rectangle lies inside the bounds. No rule: the caller has
    // computed what stands there.
    void write_rect(const Rect& rect, const std::byte* cells, std::size_t stride);
    // Takes everything back and goes on: rubber bands are drawn anew on every move.
    void restart();

    // Around the cells written since the last call; for whoever redraws.
    Rect take_dirty();
    // Around the cells that may differ from what stood there before the edit.
    const Rect& written() const { return written_; }
    // What has changed so far, for a journal that will not wait for the end of a stroke.
    MaskDelta so_far() const;
    // Ends the edit. Empty when nothing differs: then there is no step.
    MaskDelta commit();

private:
    void paint_strip(const Region& region, std::size_t first_run, std::size_t last_run, const PaintRule& rule,
                     const std::shared_ptr<const Tile>& whole, Rect& touched);
    bool paint_tile(std::int64_t index, TileBits& wanted, const PaintRule& rule,
                    const std::shared_ptr<const Tile>& whole);
    bool write_tile(std::int64_t index, const Rect& rect, const std::byte* cells, std::size_t stride);
    Tile& writable(std::int64_t index);
    void touch(const Rect& rect);
    void take_back();

    Plane& plane_;
    Plane before_;  // a tile of the plane is this edit's own where it is not this one's
    Rect dirty_;
    Rect written_;
    bool ended_ = false;
};

}  // namespace maskscope::mask
