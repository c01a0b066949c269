// SPDX-License-Identifier: Apache-2.0
// COCO's run lengths: columns first (index = x * h + y), zeros first. As pycocotools, but sums are 64-bit and checked.
#pragma once

#include "core/base/result.h"
#include "core/mask/region.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io {

struct CocoRle {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint32_t> counts;
    friend bool operator==(const CocoRle&, const CocoRle&) = default;
};

// The string form: "61X13mN000`0". An error's offset is the position in `text`; counts must sum to height * width.
Result<CocoRle> parse_rle(std::string_view text, std::int64_t height, std::int64_t width);
Result<CocoRle> checked_rle(std::vector<std::uint32_t> counts, std::int64_t height, std::int64_t width);
std::string rle_text(const CocoRle& rle);

CocoRle rle_of(const mask::Region& region, std::int64_t height, std::int64_t width);
mask::Region region_of(const CocoRle& rle);
std::int64_t area(const CocoRle& rle);

// pycocotools' raster of a polygon (x, y, x, y, ...): 5 times up, integer edge walk. Fewer than three points have no
// area. Refused: an odd number of coordinates, one that is not finite or beyond 10^8, outlines without end.
Result<CocoRle> rle_of_polygon(const std::vector<double>& xy, std::int64_t height, std::int64_t width);
// Several parts, united: an inner ring cuts no hole.
Result<CocoRle> rle_of_polygons(const std::vector<std::vector<double>>& parts, std::int64_t height, std::int64_t width);
// All of one size.
CocoRle unite(const std::vector<CocoRle>& parts);

}  // namespace maskscope::io
