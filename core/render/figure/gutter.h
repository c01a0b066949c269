// SPDX-License-Identifier: Apache-2.0
// Two lanes beside the data area that repeat the two most severe states of every row and column, so that a lone NaN
// is found at any zoom.
#pragma once

#include "core/render/look/theme.h"
#include "core/render/pool/heatmap_data.h"

#include <span>
#include <vector>

namespace maskscope::render {

inline constexpr double kLane = 2;  // logical pixels
inline constexpr double kLaneGap = 1;
inline constexpr double kGutterWidth = 2 * kLane + kLaneGap;

// A state that stands in every entry of an axis tells nothing about where it is: one NaN row puts NaN into all columns.
// It is taken out, and the other axis shows it. A single entry stays.
std::vector<GutterLane> telling_lanes(std::span<const GutterLane> lanes);

// For each of `length` device pixels along the axis the worst lanes of the cells in it; the gap between cells is empty.
// `origin` is the device pixel of cell 0's edge, `painted` a cell's painted pixels (ignored below pitch 1).
std::vector<GutterLane> lanes_by_pixel(std::span<const GutterLane> lanes, double origin, double pitch, int painted,
                                       int length);

}  // namespace maskscope::render
