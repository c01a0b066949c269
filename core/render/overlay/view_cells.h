// SPDX-License-Identifier: Apache-2.0
// Which cells lie under the pixels of a part of the view, along one side: what images and labels agree on.
#pragma once

#include "core/render/pool/viewport.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

struct SideCells {
    // Of the part's pixels those inside the plane: [from, to), counted from the part's first.
    int from = 0;
    int to = 0;
    bool enlarged = true;  // pitch 1 and above
    // Enlarged: the cell of each pixel. Else one more: the pixel from + i owns the cells [cell[i], cell[i + 1]).
    std::vector<std::int64_t> cell;

    int count() const { return to - from; }
    bool empty() const { return to <= from; }
    std::int64_t first_cell() const { return cell.front(); }
    std::int64_t end_cell() const { return enlarged ? cell.back() + 1 : cell.back(); }
};

// Pixels [first, first + count) of a view whose left or top edge lies at the cell coordinate `origin`.
SideCells side_cells(double origin, double pitch, std::int64_t first, int count, std::int64_t cells);

}  // namespace maskscope::render
