// SPDX-License-Identifier: Apache-2.0
// Brush and eraser. Positions are in image pixels: pixel (row r, column c) covers [c, c + 1) x [r, r + 1).
#pragma once

#include "core/mask/region.h"

#include <cstdint>
#include <vector>

namespace maskscope::mask {

struct Position {
    double x = 0;  // along columns
    double y = 0;  // along rows
    friend bool operator==(const Position&, const Position&) = default;
};

enum class BrushShape : std::uint8_t { round, square };
struct Brush {
    BrushShape shape = BrushShape::round;
    int size = 12;  // pixels across, 1 to 4,096
    friend bool operator==(const Brush&, const Brush&) = default;
};
inline constexpr int kMaxBrushSize = 4096;

// The pixels under the brush: a fixed stamp, the same at every place, centred on the pixel (odd sizes) or on the pixel
// corner (even sizes) nearest to `at`. Round: pixels whose centre is within half the size of the stamp's centre; size 1
// is one pixel, 2 is 2 x 2.
Region stamp(const Brush& brush, Position at);
// All stamps along the way, without gaps at any speed of the mouse.
Region stroke(const Brush& brush, Position from, Position to);
// The part of it that lies inside; it costs the rows of that alone, however far the ends lie.
Region stroke(const Brush& brush, Position from, Position to, const Rect& within);
// The stamp's outline along pixel edges, closed, for the cursor: one polygon of (x, y) relative to the plane.
std::vector<Position> outline(const Brush& brush, Position at);

}  // namespace maskscope::mask
