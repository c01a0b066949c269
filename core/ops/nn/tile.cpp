// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/tile.h"

#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

namespace maskscope::ops {
namespace {

// Inlined into functions compiled for one machine each, so that the same text becomes SSE2, AVX2 or AVX-512.
template <class T, int kLanes, int kRows, int kVectors>
[[gnu::always_inline]] inline void multiply_tile(const T* a, const T* b, std::int64_t depth, T* c,
                                                 std::int64_t c_stride) {
    // Unsigned for integers: they wrap.
    using Element =
        typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;
    typedef Element Vector __attribute__((vector_size(sizeof(Element) * kLanes)));
    Vector sums[kRows][kVectors] = {};
    for (std::int64_t k = 0; k < depth; ++k, a += kRows, b += kLanes * kVectors) {
        // Copied one by one: compilers keep an array that is copied whole in memory.
        Vector row[kVectors];
        for (int j = 0; j < kVectors; ++j) std::memcpy(&row[j], b + j * kLanes, sizeof(Vector));
        for (int i = 0; i < kRows; ++i) {
            const Vector factor = static_cast<Element>(a[i]) - Vector{};
            for (int j = 0; j < kVectors; ++j) sums[i][j] += factor * row[j];
        }
    }
    for (int i = 0; i < kRows; ++i, c += c_stride) {
        for (int j = 0; j < kVectors; ++j) {
            Vector out;
            std::memcpy(&out, c + j * kLanes, sizeof(Vector));
            out += sums[i][j];
            std::memcpy(c + j * kLanes, &out, sizeof(Vector));
        }
    }
}

template <class T>
void multiply_base(const T* a, const T* b, std::int64_t depth, T* c, std::int64_t c_stride) {
    multiply_tile<T, 16 / sizeof(T), 2, 4>(a, b, depth, c, c_stride);
}
template <class T>
constexpr Tile<T> kBase{2, 64 / sizeof(T), multiply_base<T>};

#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2,fma"))) void multiply_avx2(const T* a, const T* b, std::int64_t depth, T* c,
                                                       std::int64_t c_stride) {
    multiply_tile<T, 32 / sizeof(T), 6, 2>(a, b, depth, c, c_stride);
}
template <class T>
__attribute__((target("avx512f,fma"))) void multiply_avx512(const T* a, const T* b, std::int64_t depth, T* c,
                                                            std::int64_t c_stride) {
    multiply_tile<T, 64 / sizeof(T), 8, 3>(a, b, depth, c, c_stride);
}
template <class T>
constexpr Tile<T> kAvx2{6, 64 / sizeof(T), multiply_avx2<T>};
template <class T>
constexpr Tile<T> kAvx512{8, 192 / sizeof(T), multiply_avx512<T>};
#endif

template <class T>
Tile<T> choose_tile() {
#if defined(__x86_64__)
    if constexpr (std::is_floating_point_v<T>) {
        if (__builtin_cpu_supports("avx512f")) return kAvx512<T>;
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2<T>;
    }
#endif
    return kBase<T>;
}

// Rows follow each other in the panel as they do in memory.
template <class T>
void pack_along_rows(const MatrixView& from, std::int64_t depth, std::int64_t width, std::int64_t panel, T* to) {
    const bool copies = is_plain<T>(from.dtype) && from.column_step == sizeof(T);
    for (std::int64_t k = 0; k < depth; ++k, to += panel) {
        const std::byte* row = from.data + k * from.row_step;
        if (copies) {
            std::memcpy(to, row, static_cast<std::size_t>(width) * sizeof(T));
        } else {
            load_block(row, from.dtype, from.column_step, width, to);
        }
        std::fill(to + width, to + panel, T{});
    }
}

// Memory runs along the depth: columns are read whole and laid across the panel.
template <class T>
void pack_along_columns(const MatrixView& from, std::int64_t depth, std::int64_t width, std::int64_t panel, T* to) {
    constexpr std::int64_t kPiece = 64;
    T piece[kPiece];
    for (std::int64_t k = 0; k < depth; k += kPiece) {
        const std::int64_t count = std::min(kPiece, depth - k);
        for (std::int64_t j = 0; j < panel; ++j) {
            const T* values = piece;
            const std::byte* column = from.data + k * from.row_step + j * from.column_step;
            if (j >= width) {
                std::fill(piece, piece + count, T{});
            } else if (is_plain<T>(from.dtype) && from.row_step == sizeof(T)) {
                values = reinterpret_cast<const T*>(column);
            } else {
                load_block(column, from.dtype, from.row_step, count, piece);
            }
            for (std::int64_t i = 0; i < count; ++i) to[(k + i) * panel + j] = values[i];
        }
    }
}

}  // namespace

template <class T>
const Tile<T>& tile_of_machine() {
    static const Tile<T> tile = choose_tile<T>();
    return tile;
}

template <class T>
void pack_panels(const MatrixView& from, std::int64_t depth, std::int64_t width, std::int64_t panel, T* to) {
    for (std::int64_t j = 0; j < width; j += panel, to += depth * panel) {
        const std::int64_t count = std::min(panel, width - j);
        const MatrixView part = from.at(0, j);
        if (std::abs(from.row_step) < std::abs(from.column_step)) {
            pack_along_columns(part, depth, count, panel, to);
        } else {
            pack_along_rows(part, depth, count, panel, to);
        }
    }
}

template <class T>
void multiply_panels(const T* a, const T* b, std::int64_t rows, std::int64_t columns, std::int64_t depth, T* acc,
                     std::int64_t acc_stride) {
    const Tile<T>& tile = tile_of_machine<T>();
    for (std::int64_t j = 0; j < columns; j += tile.columns) {
        for (std::int64_t i = 0; i < rows; i += tile.rows) {
            tile.multiply(a + i * depth, b + j * depth, depth, acc + i * acc_stride + j, acc_stride);
        }
    }
}

template const Tile<float>& tile_of_machine();
template const Tile<double>& tile_of_machine();
template const Tile<std::int64_t>& tile_of_machine();
template void pack_panels(const MatrixView&, std::int64_t, std::int64_t, std::int64_t, float*);
template void pack_panels(const MatrixView&, std::int64_t, std::int64_t, std::int64_t, double*);
template void pack_panels(const MatrixView&, std::int64_t, std::int64_t, std::int64_t, std::int64_t*);
template void multiply_panels(const float*, const float*, std::int64_t, std::int64_t, std::int64_t, float*,
                              std::int64_t);
template void multiply_panels(const double*, const double*, std::int64_t, std::int64_t, std::int64_t, double*,
                              std::int64_t);
template void multiply_panels(const std::int64_t*, const std::int64_t*, std::int64_t, std::int64_t, std::int64_t,
                              std::int64_t*, std::int64_t);

}  // namespace maskscope::ops
