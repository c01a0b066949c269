// SPDX-License-Identifier: Apache-2.0
// What one cell of a heatmap is: a value, or one of the states that must never be taken for a value.
#pragma once

#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace maskscope::render {

enum class CellState : std::uint8_t { value, true_zero, subnormal, masked, underflow, nan, posinf, neginf, outside };
inline constexpr int kCellStateCount = 9;  // `outside` is beyond the tensor's edge

std::string_view name_of(CellState state);  // "true zero", "+inf"

// True in a keep mask lets a cell through; True in a drop mask hides it; an additive mask hides where it is -inf or
// at a sentinel (finfo.min, -1e9, -1e4 ...).
enum class MaskConvention : std::uint8_t { keep, drop, additive };
std::string_view name_of(MaskConvention convention);  // "keep"

// Two dimensions of a tensor; rows x cols, any strides.
struct Plane {
    Tensor tensor;  // rank 2
    // A value that means "masked" by itself: -inf of an additive mask, or an exactly repeated sentinel.
    std::optional<double> masked_value;

    std::int64_t rows() const { return tensor.size(0); }
    std::int64_t cols() const { return tensor.size(1); }
};

struct MaskPlane {
    Tensor tensor;  // rank 2, already expanded to the plane's shape (stride 0 where it repeats)
    MaskConvention convention = MaskConvention::keep;
};

// A value at or below which an additive mask hides the cell, for its dtype.
double additive_threshold(DType dtype);
bool hides(const MaskPlane& mask, std::int64_t row, std::int64_t col);

// The reference for everything that pools and draws: NaN, +-inf, masked, zero, value; the first match wins.
// masked_value counts as masked before -inf does.
CellState state_of(const Plane& plane, const MaskPlane* mask, std::int64_t row, std::int64_t col);

using StateCounts = std::array<std::int64_t, kCellStateCount>;

}  // namespace maskscope::render
