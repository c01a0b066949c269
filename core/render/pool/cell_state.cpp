// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_state.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr std::array<std::string_view, kCellStateCount> kStateNames = {
    "value", "true zero", "subnormal", "masked", "underflow", "NaN", "+inf", "-inf", "outside"};
constexpr std::array<std::string_view, 3> kConventionNames = {"keep", "drop", "additive"};

}  // namespace

std::string_view name_of(CellState state) {
    return kStateNames.at(static_cast<std::size_t>(state));
}

std::string_view name_of(MaskConvention convention) {
    return kConventionNames.at(static_cast<std::size_t>(convention));
}

double additive_threshold(DType dtype) {
    // -1e4 is the mildest sentinel in use; a narrow type stores the nearest value it has, or its lowest.
    constexpr double kMildest = -1e4;
    switch (dtype) {
        case DType::bf16:
            return float_from_bf16(bf16_from_float(static_cast<float>(kMildest)));
        case DType::f8_e5m2:
            return -10240;
        default:
            return std::max(kMildest, -largest_finite(dtype));
    }
}

bool hides(const MaskPlane& mask, std::int64_t row, std::int64_t col) {
    const std::array<std::int64_t, 2> index = {row, col};
    const double value = to_double(mask.tensor.at(index));
    switch (mask.convention) {
        case MaskConvention::keep:
            return value == 0;
        case MaskConvention::drop:
            return value != 0;
        case MaskConvention::additive:
            return value <= additive_threshold(mask.tensor.dtype());
    }
    return false;
}

CellState state_of(const Plane& plane, const MaskPlane* mask, std::int64_t row, std::int64_t col) {
    if (row < 0 || col < 0 || row >= plane.rows() || col >= plane.cols()) return CellState::outside;
    const std::array<std::int64_t, 2> index = {row, col};
    const double value = to_double(plane.tensor.at(index));
    if (std::isnan(value)) return CellState::nan;
    if (plane.masked_value && value == *plane.masked_value) return CellState::masked;
    if (std::isinf(value)) return value > 0 ? CellState::posinf : CellState::neginf;
    if (mask != nullptr && hides(*mask, row, col)) return CellState::masked;
    return value == 0 ? CellState::true_zero : CellState::value;
}

}  // namespace maskscope::render
