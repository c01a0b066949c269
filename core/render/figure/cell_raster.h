// SPDX-License-Identifier: Apache-2.0
// The data area as device pixels: cells, gaps, the glyphs of the states, the mask's outline.
#pragma once

#include "core/render/figure/cell_grid.h"
#include "core/render/pool/colour.h"
#include "core/render/pool/heatmap_data.h"

#include <vector>

namespace maskscope::render {

// What is painted in a cell under its glyph. Masked cells follow the look's style: hatch (the state's fill), dim (the
// value's colour, most of the way to the view's background), hide (the background); less opacity lets more of the value
// through. A cell that is masked by its value has no value to show and keeps the state's fill.
Rgb cell_fill(CellState state, float value, double s, const Plane& plane, const Look& look);

// True when the look lets the values of masked cells be seen. Pooling does not give them, so they are read from the
// plane, which works for single cells only: where several share a pixel, masked is one flat colour.
bool shows_masked_values(const Look& look);
void add_masked_values(const Plane& plane, Pooled& cells);

// One entry for each device pixel of the viewport; `cells` is its pooled grid, is_cells.
std::vector<Rgb> raster_cells(const HeatmapData& data, const Pooled& cells, const Viewport& viewport, const Look& look,
                              double device_ratio, bool mask_outline);

}  // namespace maskscope::render
