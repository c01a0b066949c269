// SPDX-License-Identifier: Apache-2.0
// One row of a heatmap in numbers: what a query gives to each key.
#pragma once

#include "core/render/pool/cell_state.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace maskscope::render {

// Visible cells are those that no mask hides. Everything is in double precision.
struct RowProfile {
    std::int64_t row = 0;
    std::vector<double> values;     // as stored, one per column
    std::vector<CellState> states;  // one per column
    std::int64_t visible = 0;
    double sum = 0;  // over visible cells: NaN when one of them is
    // -sum p log2 p with p = value / sum. Nothing when the visible values are no distribution: a NaN, an infinity,
    // a negative value or a sum of zero.
    std::optional<double> entropy_bits;
    std::optional<double> max;  // the largest finite visible value
    std::int64_t argmax = -1;   // its first column
};

// `row` is in range.
RowProfile row_profile(const Plane& plane, const MaskPlane* mask, std::int64_t row);

// For each column the mean of the visible values of one row over several slices: `stack` is [slice, column]. NaN where
// no slice has a visible value, or where one has a NaN. `masked_value` as in Plane.
std::vector<double> mean_over_slices(const Tensor& stack, std::optional<double> masked_value,
                                     std::span<const CellState> states);

// The mean of the rows' entropies; nothing when no row is a distribution.
std::optional<double> mean_entropy_bits(const Plane& plane, const MaskPlane* mask);

// A row drawn on fewer pixels than it has cells. NaN and the infinities win, masked, zero and underflow win by
// majority, else the largest value stands for its bucket. Bucket b holds the columns [b * n / buckets, (b + 1) * n /
// buckets); there are at most as many buckets as columns.
struct PooledRow {
    std::vector<double> values;
    std::vector<CellState> states;
};
PooledRow pool_row(const RowProfile& profile, std::int64_t buckets);

}  // namespace maskscope::render
