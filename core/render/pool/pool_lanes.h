// SPDX-License-Identifier: Apache-2.0
// What becomes of lanes: blocks of 8 columns, levels of the pyramid, pixels. Chosen at run time for the processor.
#pragma once

#include "core/render/pool/pool_rows.h"

#include <cstdint>

namespace maskscope::render {

// Folds the lanes of `cols` columns into blocks of 8 columns. Counts of at most 64 rows. Uses the lanes up.
struct BlockRow {
    void* max = nullptr;
    void* min = nullptr;
    std::uint8_t* zero = nullptr;
    std::uint8_t* masked = nullptr;  // may be null
};
void fold_blocks(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, const BlockRow& out);

struct LaneTotals {
    std::uint64_t positive = ~std::uint64_t{0};
    std::int64_t tiny = 0;
};
LaneTotals total_lanes(const KeyFormat& format, const Lanes& lanes, std::int64_t cols);
// or-s `flag` into flags[c] where the count of zeros is not 0.
void flag_zero_columns(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, std::uint8_t flag,
                       std::uint8_t* flags);

// Levels of the pyramid: a row of blocks folded from two rows (the second may be null) of twice as many blocks.
void halve_keys(const KeyFormat& format, const void* upper, const void* lower, std::int64_t count, bool want_max,
                void* out);

// Folds rows of keys (of blocks) into lanes; the second array is the minimum.
void fold_keys(const KeyFormat& format, const void* max, const void* min, std::int64_t count, const Lanes& lanes);
bool any_special(const KeyFormat& format, const Lanes& lanes, std::int64_t count);
// Adds counts of a row of blocks to `sums`.
void add_counts(const void* counts, int bytes, std::int64_t count, std::int32_t* sums);
// Counts of the lanes' width as 32-bit ones.
void widen_counts(const KeyFormat& format, const void* lane_counts, std::int64_t count, std::int32_t* sums);

// Windows of columns, one a pixel: start[i] is the first column and length[i] is `shortest` or one more. Columns up to
// the longest window's end beyond the last start must be there (neutral ones do). Folds lanes.max and lanes.min
// (uses them up) into one key a pixel.
struct Windows {
    const std::int32_t* start = nullptr;
    const std::int32_t* length = nullptr;
    std::int64_t count = 0;
    std::int32_t shortest = 1;
    std::int64_t cols = 0;  // of the lanes, with the neutral ones
};
void fold_windows(const KeyFormat& format, void* lane_keys, const Windows& windows, bool want_max, void* out);
void sum_windows(std::int32_t* counts, std::int32_t* scratch, const Windows& windows, std::int32_t* out);

}  // namespace maskscope::render
