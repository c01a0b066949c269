// SPDX-License-Identifier: Apache-2.0
// Random planes, and what they must pool to, written from the definition in heatmap_data.h cell by cell.
#pragma once

#include "core/render/pool/heatmap_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace maskscope::render::reference {

inline constexpr std::array<DType, kDTypeCount> kDTypes = {
    DType::boolean, DType::u8,  DType::i8,  DType::i16, DType::i32, DType::i64,     DType::f16,    DType::bf16,
    DType::f32,     DType::f64, DType::u16, DType::u32, DType::u64, DType::f8_e4m3, DType::f8_e5m2};

enum class Layout { contiguous, transposed, every_second, reversed, repeated_rows, repeated_cols };
inline constexpr std::array<Layout, 6> kLayouts = {Layout::contiguous, Layout::transposed,    Layout::every_second,
                                                   Layout::reversed,   Layout::repeated_rows, Layout::repeated_cols};

// A rows x cols view over new storage of random bits, a share of them replaced by zero bits.
inline Tensor random_plane(DType dtype, std::int64_t rows, std::int64_t cols, Layout layout, double zeros,
                           unsigned seed) {
    const auto width = size_of(dtype);
    const std::int64_t count = std::max<std::int64_t>(4 * rows * cols, 1);
    auto storage = *Storage::allocate(static_cast<std::size_t>(count) * width);
    std::mt19937_64 random(seed);
    for (std::int64_t i = 0; i < count; ++i) {
        std::uint64_t bits = random();
        const double draw = static_cast<double>(random() % 10000) / 10000;
        if (draw < zeros) {
            bits = draw < zeros / 8 && is_floating(dtype) ? std::uint64_t{1} << (width * 8 - 1) : 0;  // some are -0
        } else if (is_floating(dtype) && width >= 2) {
            // Random bits are seldom special; without this the exponents would make NaN too rare or too common.
            const double kind = static_cast<double>(random() % 100000) / 100000;
            const double value =
                std::exp(static_cast<double>(random() % 2000) / 100 - 15) * (random() % 3 == 0 ? -1 : 1);
            const bool special = kind < 0.002;
            if (dtype == DType::f32) {
                float f = static_cast<float>(value);
                std::uint32_t b;
                std::memcpy(&b, &f, 4);
                bits = special ? bits | 0x7f800000U : b;
                if (kind > 0.99) bits &= 0x807fffffU;
            } else if (dtype == DType::f64) {
                std::uint64_t b;
                std::memcpy(&b, &value, 8);
                bits = special ? bits | 0x7ff0000000000000U : b;
                if (kind > 0.99) bits &= 0x800fffffffffffffU;
                if (kind > 0.97 && kind < 0.98) bits = (bits & 0x800fffffffffffffU) | 0x0010000000000000U;  // 1e-308
                if (kind > 0.96 && kind < 0.97) bits = (bits & 0x800fffffffffffffU) | 0x7fd0000000000000U;  // 1e307
            } else if (dtype == DType::f16) {
                bits = special ? bits | 0x7c00U : f16_from_float(static_cast<float>(value));
            } else {
                bits = special ? bits | 0x7f80U : bf16_from_float(static_cast<float>(value));
            }
            if (special && random() % 2 == 0) {  // an infinity of either sign
                const std::uint64_t inf = dtype == DType::f32   ? 0x7f800000U
                                          : dtype == DType::f64 ? 0x7ff0000000000000U
                                          : dtype == DType::f16 ? 0x7c00U
                                                                : 0x7f80U;
                bits = inf | (random() % 2) << (width * 8 - 1);
            }
        }
        std::memcpy(storage->writable_data() + static_cast<std::size_t>(i) * width, &bits, width);
    }
    Strides strides;
    std::int64_t offset = 0;
    switch (layout) {
        case Layout::contiguous:
            strides = {cols, 1};
            break;
        case Layout::transposed:
            strides = {1, rows};
            break;
        case Layout::every_second:
            strides = {2 * cols, 2};
            break;
        case Layout::reversed:
            strides = {-cols, -1};
            offset = std::max<std::int64_t>(rows * cols - 1, 0);
            break;
        case Layout::repeated_rows:
            strides = {0, 1};
            break;
        case Layout::repeated_cols:
            strides = {1, 0};
            break;
    }
    return *Tensor::view_of(storage, dtype, Shape{rows, cols}, strides, offset);
}

// true where the draw is below the share
inline Tensor random_flags(std::int64_t rows, std::int64_t cols, double share, unsigned seed) {
    auto flags = *Tensor::zeros(Shape{rows, cols}, DType::boolean);
    std::mt19937 random(seed);
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        flags.writable_as<std::uint8_t>()[i] = static_cast<double>(random() % 10000) / 10000 < share ? 1 : 0;
    }
    return flags;
}

inline double value_of(const Plane& plane, std::int64_t row, std::int64_t col) {
    const std::array<std::int64_t, 2> index = {row, col};
    return to_double(plane.tensor.at(index));
}

inline float shown(double value) {
    constexpr double kMax = std::numeric_limits<float>::max();
    const auto f = static_cast<float>(std::clamp(value, -kMax, kMax));
    if (f != 0 || value == 0) return f;
    return value > 0 ? std::numeric_limits<float>::denorm_min() : -std::numeric_limits<float>::denorm_min();
}

struct PixelResult {
    CellState state = CellState::outside;
    float value = 0;
};

inline PixelResult pool_cells(const Plane& plane, const MaskPlane* mask, PoolRule rule, std::int64_t r0,
                              std::int64_t r1, std::int64_t c0, std::int64_t c1) {
    StateCounts counts{};
    double best = 0;
    bool any = false;
    for (std::int64_t r = r0; r < r1; ++r) {
        for (std::int64_t c = c0; c < c1; ++c) {
            const CellState state = state_of(plane, mask, r, c);
            ++counts[static_cast<std::size_t>(state)];
            if (state != CellState::value && state != CellState::true_zero) continue;
            const double value = value_of(plane, r, c);
            const bool wins = rule == PoolRule::largest ? value > best
                                                        : std::abs(value) > std::abs(best) ||
                                                              (std::abs(value) == std::abs(best) && value > best);
            if (!any || wins) best = value;
            any = true;
        }
    }
    const auto count = [&](CellState state) { return counts[static_cast<std::size_t>(state)]; };
    const std::int64_t total = (r1 - r0) * (c1 - c0);
    if (total <= 0) return {CellState::outside, 0};
    for (const CellState state : {CellState::nan, CellState::posinf, CellState::neginf}) {
        if (count(state) > 0) return {state, 0};
    }
    if (2 * count(CellState::masked) > total) return {CellState::masked, 0};
    if (2 * count(CellState::true_zero) > total || count(CellState::value) == 0) return {CellState::true_zero, 0};
    return {CellState::value, shown(best)};
}

// The cells [first, end) of pixel i along a side of `cells`; empty outside.
struct Span {
    std::int64_t first = 0;
    std::int64_t end = 0;
};
inline Span cells_of_pixel(std::int64_t pixel, double pitch, std::int64_t cells, bool small_plane) {
    const auto edge = [&](std::int64_t i) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(i) / pitch));
    };
    const std::int64_t first = edge(pixel);
    const std::int64_t end = std::min(edge(pixel + 1), cells);
    if (first < 0 || first >= cells) return {};
    const double side = 1 / pitch;
    if (side < (small_plane ? 16 : 8)) return {first, end};
    std::int64_t block = 8;
    while (4 * static_cast<double>(block) <= side && block < cells) block *= 2;
    std::int64_t b0 = (first + block - 1) / block;
    std::int64_t b1 = (end + block - 1) / block;
    if (b0 >= b1) {
        b0 = first / block;
        b1 = b0 + 1;
    }
    return {b0 * block, std::min(b1 * block, cells)};
}

inline int severity(CellState state) {
    return state == CellState::nan ? 3 : state == CellState::posinf ? 2 : state == CellState::neginf ? 1 : 0;
}

inline Pooled pool(const Plane& plane, const MaskPlane* mask, const Viewport& viewport, PoolRule rule) {
    Pooled out;
    out.width = viewport.width;
    out.height = viewport.height;
    const auto x0 = static_cast<std::int64_t>(std::round(viewport.col0 * viewport.pitch));
    const auto y0 = static_cast<std::int64_t>(std::round(viewport.row0 * viewport.pitch));
    const auto pixel = [&](std::int64_t x, std::int64_t y) -> PixelResult {
        const Span rows = cells_of_pixel(y, viewport.pitch, plane.rows(), true);
        const Span cols = cells_of_pixel(x, viewport.pitch, plane.cols(), true);
        return pool_cells(plane, mask, rule, rows.first, rows.end, cols.first, cols.end);
    };
    std::vector<PixelResult> grid;  // with a border of one pixel
    for (std::int64_t y = -1; y <= out.height; ++y) {
        for (std::int64_t x = -1; x <= out.width; ++x) grid.push_back(pixel(x0 + x, y0 + y));
    }
    const auto at = [&](int x, int y) -> const PixelResult& {
        return grid[static_cast<std::size_t>(y + 1) * static_cast<std::size_t>(out.width + 2) +
                    static_cast<std::size_t>(x + 1)];
    };
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) {
            PixelResult result = at(x, y);
            if (result.state != CellState::outside) {
                for (int dy = -1; dy <= 1; ++dy) {
                    for (int dx = -1; dx <= 1; ++dx) {
                        const CellState other = at(x + dx, y + dy).state;
                        if (severity(other) > severity(result.state)) result = {other, 0};
                    }
                }
            }
            out.state.push_back(result.state);
            out.value.push_back(result.value);
        }
    }
    return out;
}

}  // namespace maskscope::render::reference
