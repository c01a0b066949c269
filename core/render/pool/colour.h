// SPDX-License-Identifier: Apache-2.0
// The second stage of drawing: pooled values and states become pixels by table look-up.
#pragma once

#include "core/render/look/colormap.h"
#include "core/render/look/theme.h"
#include "core/render/pool/heatmap_data.h"

#include <span>

namespace maskscope::render {

// How cells under a mask look.
enum class MaskStyle : std::uint8_t { hatch, dim, hide };
std::string_view name_of(MaskStyle style);

struct Look {
    ThemeId theme = ThemeId::light;
    MapId map = MapId::tide;
    ColourScale scale;
    MaskStyle mask_style = MaskStyle::hatch;
    double mask_opacity = 1;  // of hatch and dim
    friend bool operator==(const Look&, const Look&) = default;
};

// One pixel 0xffRRGGBB per pooled entry; flat colours for the states. `stride` in pixels.
void colour(const Pooled& pooled, const Look& look, std::span<Rgb> pixels, int stride);
// The same for a part: rows [y0, y1).
Rgb flat_colour(CellState state, const Theme& theme);
Rgb colour_of(double value, const Look& look);

}  // namespace maskscope::render
