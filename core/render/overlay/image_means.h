// SPDX-License-Identifier: Apache-2.0
// Means of the image pixels under a line of device pixels, from the image or from a level of block means.
#pragma once

#include "core/render/overlay/image_levels.h"
#include "core/render/overlay/image_source.h"
#include "core/render/overlay/view_cells.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

// The blocks of `unit` cells that a device pixel touches along a side, and how many of its cells lie in each: `unit` in
// all but the first and the last.
struct UnitSpan {
    std::int64_t first = 0;
    std::int32_t count = 0;
    std::int32_t first_cells = 0;
    std::int32_t last_cells = 0;  // equal to first_cells where there is one block
};
std::vector<UnitSpan> unit_spans(const SideCells& side, std::int64_t unit);

// One thread's room and work. `level` null: the image itself.
class MeanRows {
public:
    MeanRows(const ImageSource& source, const ImageLevel* level, const SideCells& across);

    // Whole numbers 0 to 255, `shown` a pixel, rounded half up. For plain sources.
    void plain(std::int64_t row_begin, std::int64_t row_end, std::uint8_t* out);
    // Any source; colours stay multiplied by alpha. Not rounded.
    void any(std::int64_t row_begin, std::int64_t row_end, double* out);

private:
    struct Lines {
        std::int64_t first;
        std::int64_t last;
    };
    std::int32_t cells_in(std::int64_t line, std::int64_t row_begin, std::int64_t row_end) const;
    const std::uint8_t* plain_line(std::int64_t line) const;
    const float* any_line(std::int64_t line);
    template <class Acc>
    const Acc* add_plain_lines(std::vector<Acc>& sums, std::int64_t row_begin, std::int64_t row_end);

    const ImageSource& source_;
    const ImageLevel* level_;
    std::int64_t unit_;
    std::vector<UnitSpan> spans_;
    std::int64_t first_ = 0;   // of the units along the line
    std::int64_t count_ = 0;   // units along the line
    std::int64_t widest_ = 0;  // cells of the widest pixel
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint32_t> wide_;
    std::vector<float> line_;
    std::vector<double> sums_;
};

}  // namespace maskscope::render
