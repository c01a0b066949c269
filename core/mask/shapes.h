// SPDX-License-Identifier: Apache-2.0
// Areas drawn by points. A pixel belongs to an area when its centre (c + 0.5, r + 0.5) lies inside; on an edge, the
// left and the top one belong. Runs are clipped to `within`.
#pragma once

#include "core/mask/brush.h"
#include "core/mask/region.h"

#include <span>
#include <vector>

namespace maskscope::mask {

// Every pixel that a line of this width passes; at least the thin line's.
Region line(Position from, Position to, const Brush& brush, const Rect& within);
// The pixels of both corners and all between.
Region rectangle(Position corner, Position opposite, const Rect& within);
// Inscribed in that rectangle.
Region ellipse(Position corner, Position opposite, const Rect& within);
// One ring or several: even-odd, so an inner ring cuts a hole.
Region polygon(std::span<const std::vector<Position>> rings, const Rect& within);

}  // namespace maskscope::mask
