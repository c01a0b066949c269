// SPDX-License-Identifier: Apache-2.0
// A region's boundary along pixel edges. Corner (x, y) is the top left one of pixel (row y, col x).
#pragma once

#include "core/mask/region.h"

#include <cstdint>
#include <vector>

namespace maskscope::mask {

struct Corner {
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const Corner&, const Corner&) = default;
};
// Closed, without its first corner again, straight pieces merged. Outer rings run clockwise on the screen (y down),
// holes counter-clockwise. Parts are joined over edges, not over corners: two pixels that touch at a corner are two
// rings.
struct Ring {
    std::vector<Corner> corners;
    bool hole = false;
};
std::vector<Ring> contours(const Region& region);
// Even-odd filling gives the region back.
Region filled(const std::vector<Ring>& rings);

}  // namespace maskscope::mask
