// SPDX-License-Identifier: Apache-2.0
// Which cells of a plane lie under which device pixels.
#pragma once

#include <cstdint>

namespace maskscope::render {

// pitch = device pixels per cell, along rows and columns alike. At 1 and above it is a whole number, and col0, row0
// may be any real number; below 1 it is free.
struct Viewport {
    double col0 = 0;  // cell coordinate at the left edge of the data area
    double row0 = 0;  // at its top edge
    double pitch = 1;
    int width = 0;  // device pixels
    int height = 0;

    double cell_from_pixel_x(double x) const { return col0 + x / pitch; }
    double cell_from_pixel_y(double y) const { return row0 + y / pitch; }
    double pixel_from_cell_x(double col) const { return (col - col0) * pitch; }
    double pixel_from_cell_y(double row) const { return (row - row0) * pitch; }
    friend bool operator==(const Viewport&, const Viewport&) = default;
};

// The largest allowed pitch that shows the whole plane: whole from 1 up, free below; at most `largest`.
double fitting_pitch(std::int64_t rows, std::int64_t cols, int width, int height, double largest = 64);
// The next allowed pitch from a wished one.
double allowed_pitch(double wished);
// The viewport with its origin on the device pixel grid that starts at cell (0, 0): what pooling really shows below
// pitch 1, where a pan moves by whole device pixels. Unchanged from pitch 1 up.
Viewport snapped(const Viewport& viewport);

}  // namespace maskscope::render
