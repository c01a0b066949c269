// SPDX-License-Identifier: Apache-2.0
// Cells as display items: the numbers in large cells, and whole cells as shapes for vector files.
#pragma once

#include "core/render/figure/cell_grid.h"
#include "core/render/figure/heatmap_figure.h"

#include <vector>

namespace maskscope::render {

// From s = 32. Values, and underflow above its triangle; other states speak by their glyph.
void add_cell_numbers(const HeatmapData& data, const Pooled& cells, const CellGrid& grid, const Box& area,
                      const FigureSpec& spec, std::vector<DisplayItem>& out);
// Fill, glyph and frame of every cell, and the mask's outline, clipped to `area`.
void add_cell_items(const HeatmapData& data, const Pooled& cells, const CellGrid& grid, const Box& area,
                    const FigureSpec& spec, std::vector<DisplayItem>& out);

}  // namespace maskscope::render
