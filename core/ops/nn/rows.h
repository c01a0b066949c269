// SPDX-License-Identifier: Apache-2.0
// The passes of a softmax over one row in memory, for the widest vectors that the machine has. Sums are kept in as
// many parts on every machine.
#pragma once

#include <cstdint>

namespace maskscope::ops {

template <class T>
struct RowPasses {
    // -inf of nothing; a NaN may or may not come through.
    T (*largest)(const T* x, std::int64_t count) = nullptr;
    // out = exp(x - shift), which may be x itself; returns their sum.
    T (*exponentials)(const T* x, T shift, T* out, std::int64_t count) = nullptr;
    // The sum alone; nothing is written.
    T (*exponential_sum)(const T* x, T shift, T* unused, std::int64_t count) = nullptr;
    // out = x * factor + term.
    void (*affine)(const T* x, T factor, T term, T* out, std::int64_t count) = nullptr;
};

// float and double.
template <class T>
const RowPasses<T>& row_passes();

}  // namespace maskscope::ops
