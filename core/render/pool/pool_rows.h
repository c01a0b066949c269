// SPDX-License-Identifier: Apache-2.0
// The loops that all pooling spends its time in, chosen at run time for the processor (AVX-512, AVX2, SSE2).
// They work on keys (see cell_keys.h). "Lanes" are arrays with one entry a column, `width` bytes an entry, that may be
// written up to kLanePad entries beyond the last column.
#pragma once

#include "core/render/pool/cell_keys.h"

#include <cstddef>
#include <cstdint>

namespace maskscope::render {

inline constexpr std::int64_t kBlock = 8;
inline constexpr std::int64_t kLanePad = 192;
inline constexpr int kMostRows = 64;  // of one fold: a count must fit a signed byte

// Stored cells, contiguous along a row.
struct CellRows {
    const std::byte* first = nullptr;
    std::int64_t row_stride = 0;  // bytes
    int rows = 0;
    std::int64_t cols = 0;
    const std::uint8_t* hidden = nullptr;  // 1 where the mask hides the cell; null when it hides none
    std::int64_t hidden_stride = 0;        // bytes; 0: the same for all rows
};

struct Lanes {
    void* max = nullptr;  // of unmasked cells; the format's lowest where there are none
    void* min = nullptr;
    void* zero = nullptr;  // counts
    void* masked = nullptr;
    // Only when statistics are wanted:
    void* positive = nullptr;  // the smallest key above zero, less (zero + 1); unsigned, its highest if there is none
    void* tiny = nullptr;      // count of zeros and subnormals, floats only
};

struct Found {
    bool special = false;  // a NaN or an infinity
    bool zero = false;
    bool masked = false;
};

// Folds rows into one entry a column.
Found fold_columns(const KeyFormat& format, const CellRows& cells, const Lanes& lanes, bool statistics);

// What is rarely needed: exact counts of the special states, and which rows and columns hold them.
inline constexpr std::uint8_t kFlagNan = 1;
inline constexpr std::uint8_t kFlagPosinf = 2;
inline constexpr std::uint8_t kFlagNeginf = 4;
inline constexpr std::uint8_t kFlagZero = 16;
struct Details {
    std::int64_t nan = 0;
    std::int64_t posinf = 0;
    std::int64_t neginf = 0;
    std::int64_t max = 0;  // keys of finite unmasked cells; max < min when there are none
    std::int64_t min = 0;
    std::uint8_t row_flags[kBlock] = {};
};
Details fold_details(const KeyFormat& format, const CellRows& cells, std::uint8_t* column_flags);

}  // namespace maskscope::render
