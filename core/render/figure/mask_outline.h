// SPDX-License-Identifier: Apache-2.0
// The boundary between the cells that the mask hides and those it shows: a staircase along the cell edges.
#pragma once

#include "core/base/function_ref.h"
#include "core/render/figure/cell_grid.h"
#include "core/render/pool/heatmap_data.h"

namespace maskscope::render {

struct PixelRect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

// Calls `edge` with line-thick device pixel rectangles that lie on the last pixels before a cell (the gap, where there
// is one).
void trace_mask_outline(const HeatmapData& data, const Pooled& cells, const CellGrid& grid,
                        FunctionRef<void(const PixelRect&)> edge);

}  // namespace maskscope::render
