// SPDX-License-Identifier: Apache-2.0
// The strip below a heatmap: colour bar with ticks, then all states with their counts.
#pragma once

#include "core/render/figure/heatmap_figure.h"

#include <vector>

namespace maskscope::render {

struct LegendEntry {
    CellState state = CellState::value;
    Box box;  // from the swatch to the end of the count
};

struct LegendLayout {
    double height = 40;
    Box bar;
    std::vector<LegendEntry> entries;
};

// One row where the width allows it, else the swatches go to rows of their own below the bar. `top` and the boxes are
// in logical pixels.
LegendLayout lay_out_legend(const HeatmapData& data, const FigureSpec& spec, double width, double top);
void draw_legend(const HeatmapData& data, const FigureSpec& spec, const Box& strip, std::vector<DisplayItem>& out);
// One state's drawing in a box, as a heatmap paints a cell of that size.
void draw_swatch(CellState state, const Box& box, const Theme& theme, std::vector<DisplayItem>& out);

}  // namespace maskscope::render
