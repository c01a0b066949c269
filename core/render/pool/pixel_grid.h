// SPDX-License-Identifier: Apache-2.0
// Which cells, or blocks of cells, each device pixel of a line owns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace maskscope::render {

// Device pixels that begin at cell 0. From pitch 1 up the grid is the cells themselves (pitch 1).
struct PixelGrid {
    double pitch = 1;
    // The first cell of a pixel; pixel i owns [edge(i), edge(i + 1)).
    std::int64_t edge(std::int64_t pixel) const;
    // Pixels that own a cell of `cells`: [0, count).
    std::int64_t count(std::int64_t cells) const;
};

// The pixels [from, to) of a line, all inside the plane, in units of cells (unit 1) or of blocks of `unit` cells. A
// block belongs to the pixel that its first cell falls into; the plane's last pixel may own no first cell, and then
// shows the block that its own first cell lies in.
struct PixelSpans {
    std::vector<std::int64_t> first;   // unit index
    std::vector<std::int32_t> length;  // units
    std::vector<std::int64_t> cells;   // how many cells that is along this side
    std::int32_t shortest = 1;         // length, but for the plane's last pixel
};
PixelSpans pixel_spans(const PixelGrid& grid, std::int64_t from, std::int64_t to, std::int64_t cells,
                       std::int64_t unit);

// Pixels [from, to) of a line with their units [first, first + cols).
struct PixelSegment {
    std::size_t from = 0;
    std::size_t to = 0;
    std::int64_t first = 0;
    std::int64_t cols = 0;             // that exist
    std::int64_t padded = 0;           // with the neutral ones that the plane's last pixel reaches into
    std::vector<std::int32_t> start;   // of each pixel, from `first` on
    std::vector<std::int32_t> length;  // at least spans.shortest
};
// Cuts a line where it has more than `most` units, but not inside a pixel.
std::vector<PixelSegment> cut_segments(const PixelSpans& spans, std::int64_t most);

}  // namespace maskscope::render
