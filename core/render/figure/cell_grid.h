// SPDX-License-Identifier: Apache-2.0
// Where the cells of a viewport are painted, in device pixels from the data area's corner. From pitch 1 up.
#pragma once

#include "core/render/figure/display_list.h"
#include "core/render/pool/viewport.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {

struct CellGrid {
    int pitch = 1;
    int line = 1;  // one logical pixel
    int gap = 0;   // from one painted cell to the next: one logical pixel from a logical pitch of 10 up
    double ratio = 1;
    double origin_x = 0;
    double origin_y = 0;

    CellGrid(const Viewport& viewport, double device_ratio)
        : pitch(std::max(1, static_cast<int>(std::lround(viewport.pitch)))),
          line(std::max(1, static_cast<int>(std::lround(device_ratio)))),
          gap(pitch >= 10 * device_ratio ? line : 0),
          ratio(device_ratio),
          origin_x(viewport.pixel_from_cell_x(0)),
          origin_y(viewport.pixel_from_cell_y(0)) {}

    int painted() const { return pitch - gap; }
    // Of a painted cell, logical pixels: what decides the drawing of its state.
    double s() const { return painted() / ratio; }
    int pixel_from_col(std::int64_t col) const { return pixel(origin_x, col); }
    int pixel_from_row(std::int64_t row) const { return pixel(origin_y, row); }
    // The painted cell in logical pixels of the list.
    Box cell_box(const Box& data, std::int64_t row, std::int64_t col) const {
        return {data.x + pixel_from_col(col) / ratio, data.y + pixel_from_row(row) / ratio, s(), s()};
    }

private:
    // Rounded once for all cells, so that every cell is equally wide.
    int pixel(double origin, std::int64_t cell) const {
        const double at = std::round(origin) + static_cast<double>(cell) * pitch;
        return static_cast<int>(std::clamp(at, -1e9, 1e9));
    }
};

}  // namespace maskscope::render
