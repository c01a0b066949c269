// SPDX-License-Identifier: Apache-2.0
// Blocks of cells that a mask hides in whole or in part.
#pragma once

#include "core/render/pool/cell_source.h"
#include "core/render/pool/mask_pyramid.h"
#include "core/render/pool/pyramid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace maskscope::render {

// What is known of several cells together; keys of the cells that are not masked.
struct BlockSum {
    std::int64_t max;
    std::int64_t min;
    std::int64_t zero = 0;
    std::int64_t masked = 0;
};

// Not safe from several threads: it keeps scratch memory.
class CoveredBlocks {
public:
    // The arguments must outlive it. With `guess`, split blocks are taken from the pyramid as if nothing were hidden
    // but the count of hidden cells; otherwise from their cells.
    CoveredBlocks(const Plane& plane, const MaskPlane& mask, const Pyramid& pyramid, const MaskPyramid& coverage,
                  bool guess);
    BlockSum sum(int level, std::int64_t row, std::int64_t col);

private:
    BlockSum of_children(int level, std::int64_t row, std::int64_t col);
    BlockSum of_cells(std::int64_t row, std::int64_t col);

    const Plane& plane_;
    const Pyramid& pyramid_;
    const MaskPyramid& coverage_;
    bool guess_;
    CellSource cells_;
    HiddenSource hidden_;
    std::vector<std::byte> gathered_;
    std::vector<std::uint8_t> hidden_bytes_;
    std::vector<std::int64_t> lanes_;  // room for four arrays of any key width
};

}  // namespace maskscope::render
