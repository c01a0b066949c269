// SPDX-License-Identifier: Apache-2.0
// The pass of attention between its two products: scores of a block of keys become weights.
#pragma once

#include <cstdint>

namespace maskscope::ops {

// `width` queries side by side; one row for each key.
template <class T>
struct ScorePanel {
    T* scores = nullptr;          // [keys, width], becomes exp(score - largest)
    const T* additive = nullptr;  // [keys, width] or null: added to the scaled scores
    std::int64_t keys = 0;
    std::int64_t width = 0;  // a multiple of 64 bytes
    T scale{1};
    // Of key 0, minus the index of the first query: query i sees key k when k + first_key <= i.
    std::int64_t first_key = 0;
    bool is_causal = false;
    bool hides_all = false;        // whatever the scores are
    bool replaces_hidden = false;  // by -inf; otherwise -inf is added
    // The running state, [width] each, and the unfinished output, [out_rows, width], which is brought to the new
    // largest.
    T* largest = nullptr;
    T* sums = nullptr;
    T* out = nullptr;
    std::int64_t out_rows = 0;
};

template <class T>
void soften(const ScorePanel<T>& panel);

}  // namespace maskscope::ops
