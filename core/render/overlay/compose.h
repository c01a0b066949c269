// SPDX-License-Identifier: Apache-2.0
// Lays label layers over image pixels: fill, hatch, outline. Colours are blended as stored.
#pragma once

#include "core/render/look/theme.h"
#include "core/render/overlay/label_pool.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace maskscope::render {

// 32 distinct colours, stable by id: (id - 1) mod 32; the first twelve are the theme's.
Rgb label_colour(std::int64_t label, const Theme& theme);

enum class Hatch : std::uint8_t { none, rising, falling };
struct LayerLook {
    double opacity = 0.45;  // of the fill, inside the mask only
    bool fill = true;
    bool outline = true;
    double outline_width = 1.25;  // logical pixels
    Hatch hatch = Hatch::none;
    std::optional<Rgb> colour;               // one for all labels
    std::set<std::int64_t> hidden;           // labels not drawn
    std::optional<std::int64_t> emphasised;  // outline of 2 px
    friend bool operator==(const LayerLook&, const LayerLook&) = default;
};

// Draws onto `pixels` (labels.width x labels.height, rows `stride` apart). (origin_x, origin_y) is the part's place in
// the view, so that hatches of neighbouring parts meet. `ratio` is device pixels a logical one. An outline runs inside
// the label's area along its edge, at most kEdgeReach device pixels wide. A part drawn by itself equals that part of
// the whole.
void lay_over(const LabelPixels& labels, const LayerLook& look, const Theme& theme, double ratio, int origin_x,
              int origin_y, Rgb* pixels, int stride);

}  // namespace maskscope::render
