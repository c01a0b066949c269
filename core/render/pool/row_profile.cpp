// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/row_profile.h"

#include "core/tensor/convert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace maskscope::render {

namespace {

bool is_number(CellState state) {
    return state == CellState::value || state == CellState::true_zero || state == CellState::subnormal ||
           state == CellState::underflow;
}

}  // namespace

RowProfile row_profile(const Plane& plane, const MaskPlane* mask, std::int64_t row) {
    RowProfile out;
    out.row = row;
    const auto cols = plane.cols();
    out.values.resize(static_cast<std::size_t>(cols));
    out.states.resize(static_cast<std::size_t>(cols));
    if (cols == 0) return out;
    const auto line = plane.tensor.select(0, row);
    convert_to_f64(line.data(), line.dtype(), line.strides()[0], cols, out.values.data());

    bool distribution = true;
    for (std::int64_t col = 0; col < cols; ++col) {
        const auto i = static_cast<std::size_t>(col);
        const auto state = state_of(plane, mask, row, col);
        out.states[i] = state;
        if (state == CellState::masked) continue;
        const double value = out.values[i];
        ++out.visible;
        out.sum += value;
        if (!is_number(state) || value < 0) distribution = false;
        if (std::isfinite(value) && (!out.max || value > *out.max)) {
            out.max = value;
            out.argmax = col;
        }
    }
    if (!distribution || !(out.sum > 0) || !std::isfinite(out.sum)) return out;
    double bits = 0;
    for (std::size_t i = 0; i < out.values.size(); ++i) {
        if (out.states[i] == CellState::masked || out.values[i] <= 0) continue;
        const double share = out.values[i] / out.sum;
        bits -= share * std::log2(share);
    }
    out.entropy_bits = std::max(bits, 0.0);  // a single key gives -0
    return out;
}

std::vector<double> mean_over_slices(const Tensor& stack, std::optional<double> masked_value,
                                     std::span<const CellState> states) {
    const auto slices = stack.size(0);
    const auto cols = stack.size(1);
    std::vector<double> sum(static_cast<std::size_t>(cols), 0.0);
    std::vector<std::int64_t> count(static_cast<std::size_t>(cols), 0);
    std::vector<double> line(static_cast<std::size_t>(cols));
    for (std::int64_t slice = 0; slice < slices && cols > 0; ++slice) {
        const auto row = stack.select(0, slice);
        convert_to_f64(row.data(), row.dtype(), row.strides()[0], cols, line.data());
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i < states.size() && states[i] == CellState::masked) continue;
            if (masked_value && line[i] == *masked_value) continue;
            sum[i] += line[i];
            ++count[i];
        }
    }
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = count[i] > 0 ? sum[i] / static_cast<double>(count[i]) : std::numeric_limits<double>::quiet_NaN();
    }
    return sum;
}

std::optional<double> mean_entropy_bits(const Plane& plane, const MaskPlane* mask) {
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < plane.rows(); ++row) {
        const auto profile = row_profile(plane, mask, row);
        if (!profile.entropy_bits) continue;
        sum += *profile.entropy_bits;
        ++count;
    }
    if (count == 0) return std::nullopt;
    return sum / static_cast<double>(count);
}

PooledRow pool_row(const RowProfile& profile, std::int64_t buckets) {
    PooledRow out;
    const auto cols = static_cast<std::int64_t>(profile.values.size());
    buckets = std::clamp<std::int64_t>(buckets, 0, cols);
    out.values.reserve(static_cast<std::size_t>(buckets));
    out.states.reserve(static_cast<std::size_t>(buckets));
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        const auto begin = bucket * cols / buckets;
        const auto end = (bucket + 1) * cols / buckets;
        StateCounts counts{};
        double largest = -std::numeric_limits<double>::infinity();
        for (auto col = begin; col < end; ++col) {
            const auto i = static_cast<std::size_t>(col);
            ++counts[static_cast<std::size_t>(profile.states[i])];
            if (is_number(profile.states[i])) largest = std::max(largest, profile.values[i]);
        }
        auto winner = CellState::value;
        for (const auto state : {CellState::underflow, CellState::true_zero, CellState::masked}) {
            if (2 * counts[static_cast<std::size_t>(state)] > end - begin) winner = state;
        }
        for (const auto state : {CellState::neginf, CellState::posinf, CellState::nan}) {
            if (counts[static_cast<std::size_t>(state)] > 0) winner = state;
        }
        // No value is left among states of which none has the majority: the most frequent stands.
        if (winner == CellState::value && !std::isfinite(largest)) {
            for (const auto state : {CellState::underflow, CellState::true_zero, CellState::masked}) {
                if (counts[static_cast<std::size_t>(state)] > counts[static_cast<std::size_t>(winner)]) winner = state;
            }
        }
        if (winner == CellState::value && end - begin == 1) winner = profile.states[static_cast<std::size_t>(begin)];
        out.states.push_back(winner);
        out.values.push_back(end - begin == 1 ? profile.values[static_cast<std::size_t>(begin)] : largest);
    }
    return out;
}

}  // namespace maskscope::render
