// SPDX-License-Identifier: Apache-2.0
// How much of each block a mask hides. A mask that repeats along rows or columns (stride 0) is kept once.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/jobs/parallel.h"
#include "core/render/pool/cell_source.h"
#include "core/render/pool/pyramid.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

enum class Coverage : std::uint8_t { visible, hidden, split };

class MaskPyramid {
public:
    // A pass over the mask. Error: cancelled.
    static Result<MaskPyramid> build(const MaskPlane& mask, const JobContext& context, Lane lane);

    // Blocks as in Pyramid.
    std::int64_t hidden_cells(int level, std::int64_t row, std::int64_t col) const;
    Coverage coverage(int level, std::int64_t row, std::int64_t col) const;
    // coverage() of `count` blocks of a row, from column `col` on.
    void coverage_row(int level, std::int64_t row, std::int64_t col, std::int64_t count, Coverage* out) const;
    // What all cells of a rectangle have in common; split also where telling would take a closer look.
    Coverage coverage_of(const CellRect& cells) const;
    // Split blocks of level 0 that have a cell in the rectangle; stops counting at `most`.
    std::int64_t split_blocks(const CellRect& cells, std::int64_t most) const;
    int level_count() const { return static_cast<int>(levels_.size()); }
    std::size_t bytes() const;

private:
    struct Level {
        std::int64_t rows = 0;  // of blocks, as in Pyramid
        std::int64_t cols = 0;
        std::int64_t kept_cols = 0;
        CountPlane hidden;
    };
    std::int64_t rows_ = 0;  // cells
    std::int64_t cols_ = 0;
    bool same_rows_ = false;  // hidden counts one row of cells
    bool same_cols_ = false;  // hidden counts one column of cells
    std::vector<Level> levels_;

    void count_row(const HiddenSource& source, std::int64_t block_row);
    void halve(int level, std::int64_t row);
    std::int64_t split_in_block(int level, std::int64_t row, std::int64_t col, const CellRect& cells,
                                std::int64_t most) const;
    std::int64_t kept_rows(const Level& level) const { return same_rows_ ? 1 : level.rows; }
};

}  // namespace maskscope::render
