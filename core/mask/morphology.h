// SPDX-License-Identifier: Apache-2.0
// Regions made of regions. The plane's outside counts as background for all of them but erode, which does not eat from
// the border (as OpenCV's default does).
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/fill.h"
#include "core/mask/region.h"

#include <cstdint>
#include <vector>

namespace maskscope::mask {

enum class Morph : std::uint8_t { dilate, erode, open, close };
// By a disc of that radius in pixels (1: the four neighbours), or a square of side 2 radius + 1.
enum class Element : std::uint8_t { disc, square };
inline constexpr int kMaxMorphRadius = 512;
Result<Region> morph(const Region& region, const Rect& plane, Morph how, int radius, Element element = Element::disc,
                     const JobContext& context = {});
// Holes: background that no path of four neighbours joins to the plane's border. max_cells 0: of any size.
Result<Region> fill_holes(const Region& region, const Rect& plane, std::int64_t max_cells = 0,
                          const JobContext& context = {});
// The connected parts, largest first, ties by first cell.
Result<std::vector<Region>> islands(const Region& region, Neighbours neighbours = Neighbours::eight,
                                    const JobContext& context = {});
// The parts with at least `min_cells`.
Result<Region> without_small_islands(const Region& region, std::int64_t min_cells,
                                     Neighbours neighbours = Neighbours::eight, const JobContext& context = {});

}  // namespace maskscope::mask
