// SPDX-License-Identifier: Apache-2.0
// Lays a heatmap out: data area, axis titles, labels, gutter, cursor, mask outline, legend. The window and the
// command line draw what comes out of here.
#pragma once

#include "core/render/figure/display_list.h"
#include "core/render/pool/colour.h"
#include "core/render/pool/heatmap_data.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::render {

struct AxisLabels {
    std::string title;                // "query"
    std::vector<std::string> tokens;  // empty: indices
    std::int64_t step = 1;            // of the slice shown: label of cell i is start + i * step
    std::int64_t start = 0;
};

struct CellIndex {
    std::int64_t row = 0;
    std::int64_t col = 0;
    friend bool operator==(const CellIndex&, const CellIndex&) = default;
};

// What stands around the cells. Everything in logical pixels.
struct FigureSpec {
    double width = 1280;
    double height = 800;
    double device_ratio = 1;
    AxisLabels rows;
    AxisLabels cols;
    Look look;
    std::string legend_title;  // "weight, log"
    bool legend = true;        // the strip below; the window draws its own clickable one
    bool gutter = true;
    bool mask_outline = true;
    bool crosshair = true;
    bool values_in_cells = true;
    std::optional<CellIndex> cursor;
    std::string title;  // headline above; empty: none (the window has its own header)
    std::string subtitle;
    // For exports. The data area shrinks to the plane at its fitting pitch, in the middle of the picture.
    bool shrink_to_plane = false;
    // Cells and glyphs as shapes instead of pixels, for SVG and PDF. Beyond 10,000 visible cells they stay pixels.
    bool vector_cells = false;
};

// Where things came to lie, for hit tests. Logical pixels.
struct FigureLayout {
    Box data;  // the data area
    Box row_labels;
    Box col_labels;
    Box row_gutter;
    Box col_gutter;
    Box legend;
    std::vector<std::pair<CellState, Box>> legend_states;
};

FigureLayout lay_out(const HeatmapData& data, const FigureSpec& spec);
// The viewport (device pixels) that shows the whole plane in the layout's data area.
Viewport fit(const HeatmapData& data, const FigureLayout& layout, const FigureSpec& spec);

// `pooled` belongs to `viewport`. The viewport's size is the data area's in device pixels.
DisplayList draw(const HeatmapData& data, const Pooled& pooled, const Viewport& viewport, const FigureLayout& layout,
                 const FigureSpec& spec);

}  // namespace maskscope::render
