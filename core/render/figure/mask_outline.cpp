// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/mask_outline.h"

namespace maskscope::render {
namespace {

// NaN and infinities outrank "masked" as a state, but the boundary is the mask's own.
std::vector<char> hidden_cells(const HeatmapData& data, const Pooled& cells) {
    std::vector<char> hidden(cells.state.size());
    const auto width = static_cast<std::size_t>(cells.width);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        const CellState state = cells.state[i];
        hidden[i] = state == CellState::masked;
        if (data.mask() != nullptr &&
            (state == CellState::nan || state == CellState::posinf || state == CellState::neginf)) {
            hidden[i] = hides(*data.mask(), cells.first_row + static_cast<std::int64_t>(i / width),
                              cells.first_col + static_cast<std::int64_t>(i % width));
        }
    }
    return hidden;
}

}  // namespace

void trace_mask_outline(const HeatmapData& data, const Pooled& cells, const CellGrid& grid,
                        FunctionRef<void(const PixelRect&)> edge) {
    const auto hidden = hidden_cells(data, cells);
    const auto at = [&](int row, int col) {
        return hidden[static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.width) +
                      static_cast<std::size_t>(col)];
    };
    // Every edge covers the lattice points at both of its ends, so that corners close.
    for (int row = 0; row < cells.height; ++row) {
        const int y = grid.pixel_from_row(cells.first_row + row);
        for (int col = 1; col < cells.width; ++col) {
            if (at(row, col - 1) == at(row, col)) continue;
            const int x = grid.pixel_from_col(cells.first_col + col);
            edge({x - grid.line, y - grid.line, grid.line, grid.pitch + grid.line});
        }
        if (row == 0) continue;
        for (int col = 0; col < cells.width;) {
            int end = col;
            while (end < cells.width && at(row - 1, end) != at(row, end)) ++end;
            if (end > col) {
                const int x = grid.pixel_from_col(cells.first_col + col);
                edge({x - grid.line, y - grid.line, (end - col) * grid.pitch + grid.line, grid.line});
            }
            col = end + 1;
        }
    }
}

}  // namespace maskscope::render
