// SPDX-License-Identifier: Apache-2.0
// The drawing of the cell states, as geometry: the only place that knows what a state looks like.
#pragma once

#include "core/render/figure/display_list.h"

#include <vector>

namespace maskscope::render {

// How much of a state a painted cell of s logical pixels can show.
enum class GlyphDetail : std::uint8_t { flat, small, full };  // s < 4, s < 6, from 6
GlyphDetail glyph_detail(double s);

// The fill under the glyph at that detail; `value` and `subnormal` have none (their value's colour).
Rgb fill_of(CellState state, GlyphDetail detail, const Theme& theme);
Rgb ink_of(CellState state, const Theme& theme);
double hatch_spacing(double s);  // horizontal distance of the lines, logical pixels

// Lines, rectangles and polygons in the item's ink, all inside its cell. Empty where the fill says it all.
std::vector<DisplayItem> expand_glyph(const GlyphItem& glyph);

}  // namespace maskscope::render
