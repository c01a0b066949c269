// SPDX-License-Identifier: Apache-2.0
// Areas that attention masks are made of; query is the row, key the column.
#pragma once

#include "core/mask/region.h"

#include <cstdint>

namespace maskscope::mask {

// Whole rows [first, last], whole columns [first, last] of a plane.
Region rows_of(const Rect& plane, std::int64_t first, std::int64_t last);
Region columns_of(const Rect& plane, std::int64_t first, std::int64_t last);
// lower <= col - row <= upper: a band along the diagonal.
Region band(const Rect& plane, std::int64_t lower, std::int64_t upper);
// What a causal mask lets through: col <= row + offset, where offset is 0 or, aligned at the bottom right, cols - rows.
Region causal(const Rect& plane, std::int64_t offset);
// A sliding window of `size` keys up to and with the query: causal, and row - col < size.
Region window(const Rect& plane, std::int64_t size, std::int64_t offset);

}  // namespace maskscope::mask
