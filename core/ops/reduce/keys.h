// SPDX-License-Identifier: Apache-2.0
// Elements of any dtype as integers in the same order, NaN last and equal to each other, so that sorting and selecting
// are written once.
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>

namespace maskscope::ops {

// No number has it among floating dtypes.
inline constexpr std::int64_t kNanKey = INT64_MAX;

// `count` elements, `step` bytes apart. -0 and 0 are equal.
void load_keys(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::int64_t* dst);

// An element of a line and where it was.
struct Ranked {
    std::int64_t key;
    std::int64_t index;
};
// As sorted by key alone: equal ones in any order.
inline bool by_key(const Ranked& a, const Ranked& b) {
    return a.key < b.key;
}
// As a stable sort leaves them.
inline bool by_key_and_index(const Ranked& a, const Ranked& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
}

// A line of `count` elements with their indices; `descending` turns the order around, NaN first then.
void load_ranked(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, bool descending,
                 Ranked* dst);

}  // namespace maskscope::ops
