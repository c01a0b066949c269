// SPDX-License-Identifier: Apache-2.0
// The innermost part of every matrix product here: a small block of the result, kept in registers, from packed panels
// (the scheme of Goto and van de Geijn, 2008). The widest vectors that the machine has are chosen at run time.
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace maskscope::ops {

template <class T>
struct Tile {
    std::int64_t rows = 0;     // divides 96 and 48
    std::int64_t columns = 0;  // a multiple of 64 bytes that divides 48 numbers
    // c[rows, columns] (row-major, `c_stride` elements a row) += a b over `depth`; `a` is packed [depth, rows] and `b`
    // [depth, columns].
    void (*multiply)(const T* a, const T* b, std::int64_t depth, T* c, std::int64_t c_stride) = nullptr;
};

// float, double and int64 (which wraps).
template <class T>
const Tile<T>& tile_of_machine();

// A matrix of any dtype in memory; strides in bytes.
struct MatrixView {
    const std::byte* data = nullptr;
    DType dtype = DType::f32;
    std::int64_t row_step = 0;
    std::int64_t column_step = 0;

    MatrixView at(std::int64_t row, std::int64_t column) const {
        return {data + row * row_step + column * column_step, dtype, row_step, column_step};
    }
    MatrixView transposed() const { return {data, dtype, column_step, row_step}; }
};

// The `width` of [depth, width] in panels of `panel` columns, each [depth, panel]; the last one is filled up with
// zeros.
template <class T>
void pack_panels(const MatrixView& from, std::int64_t depth, std::int64_t width, std::int64_t panel, T* to);

// acc[rows, columns] += packed a times packed b; `rows` and `columns` are rounded up to whole tiles, so is `acc`.
template <class T>
void multiply_panels(const T* a, const T* b, std::int64_t rows, std::int64_t columns, std::int64_t depth, T* acc,
                     std::int64_t acc_stride);

// Stored as it is computed with.
template <class T>
constexpr bool is_plain(DType dtype) {
    if constexpr (std::is_same_v<T, float>) return dtype == DType::f32;
    if constexpr (std::is_same_v<T, double>) return dtype == DType::f64;
    return dtype == DType::i64;
}

inline std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

}  // namespace maskscope::ops
