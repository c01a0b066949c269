// SPDX-License-Identifier: Apache-2.0
// Blocks of cells in place of the cells: largest and smallest key, and how many cells are zero or masked by value.
// Level 0 has blocks of 8 x 8 cells; a block of each next level is 2 x 2 blocks of the last. Counts are exact.
// A NaN or an infinity shows in the largest or the smallest key (see cell_keys.h); a block whose cells are all masked
// has its smallest key above its largest.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/jobs/parallel.h"
#include "core/render/pool/cell_keys.h"
#include "core/render/pool/pool_lanes.h"
#include "core/render/pool/raw_array.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

// Counts of one kind for every block of a level, in the fewest bytes that hold the largest count.
struct CountPlane {
    int bytes = 1;
    RawArray values;
    std::int64_t at(std::int64_t index) const;
};
// Bytes of a count of `level`.
int count_bytes(int level);
// out row = sums of 2 x 2 counts; `lower` may be null.
void halve_counts(const CountPlane& from, std::int64_t upper, bool has_lower, std::int64_t count, CountPlane& to,
                  std::int64_t out);

struct PyramidLevel {
    std::int64_t rows = 0;  // of blocks
    std::int64_t cols = 0;
    RawArray max;
    RawArray min;
    CountPlane zero;
    CountPlane masked;  // empty when no value means masked
};

class Pyramid {
public:
    static constexpr int kMostLevels = 13;  // a count must fit 32 bits
    // Room for all levels; nothing is filled in.
    static Result<Pyramid> allocate(const KeyFormat& format, std::int64_t rows, std::int64_t cols);

    // Where the first pass writes a row of level 0, from block column `col` on.
    BlockRow block_row(std::int64_t row, std::int64_t col);
    // Fills the levels from 1 up. Error: cancelled.
    Result<void> build_upper(const JobContext& context, Lane lane);

    const KeyFormat& format() const { return format_; }
    int level_count() const { return static_cast<int>(levels_.size()); }
    const PyramidLevel& level(int i) const { return levels_[static_cast<std::size_t>(i)]; }
    std::int64_t max_key(int level, std::int64_t row, std::int64_t col) const;
    std::int64_t min_key(int level, std::int64_t row, std::int64_t col) const;
    // Whether the plane holds a NaN or an infinity that is not masked by value.
    bool has_specials() const;
    std::size_t bytes() const;

private:
    void halve_row(int level, std::int64_t row);
    KeyFormat format_;
    std::vector<PyramidLevel> levels_;
};

}  // namespace maskscope::render
