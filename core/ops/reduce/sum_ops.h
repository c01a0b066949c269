// SPDX-License-Identifier: Apache-2.0
// The inner loops of sums and products.
#pragma once

#include "core/ops/reduce/pack.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

namespace maskscope::ops {

// Sums of float and double (float16 and bfloat16 come as float): short sums in the type itself, by halves, and those
// together in double, so that they are as exact as torch's pairwise ones or better.
template <class T, class Map>
struct FloatSum {
    using Value = T;
    using State = double;
    static constexpr std::int64_t kLanes = kPack<T>;

    State start() const { return 0; }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        std::array<double, kLanes> lanes{};
        std::int64_t i = add_row<16>(lanes, values, 0, count);
        i = add_row<2>(lanes, values, i, count);
        for (const double lane : lanes) state += lane;
        for (; i < count; ++i) state += Map::of(values[i]);
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        // Many rows at a time, so that the states are loaded and stored the less often.
        const std::int64_t row = add_columns<16>(states, values, row_step, 0, rows, count);
        add_columns<1>(states, values, row_step, row, rows, count);
    }
    void merge(State& state, const State& later) const { state += later; }

private:
    template <int kPacks>
    static std::int64_t add_row(std::array<double, kLanes>& lanes, const T* values, std::int64_t i,
                                std::int64_t count) {
        for (; count - i >= kPacks * kLanes; i += kPacks * kLanes) {
            const Pack<T> sum = sum_of_packs<kPacks, Map>(values + i, kLanes);
            for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[static_cast<std::size_t>(lane)] += sum[lane];
        }
        return i;
    }
    template <int kRows>
    static std::int64_t add_columns(State* states, const T* values, std::int64_t row_step, std::int64_t row,
                                    std::int64_t rows, std::int64_t count) {
        for (; rows - row >= kRows; row += kRows) {
            const T* first = values + row * row_step;
            std::int64_t i = 0;
            for (; count - i >= kLanes; i += kLanes) {
                const Pack<T> sum = sum_of_packs<kRows, Map>(first + i, row_step);
                for (std::int64_t lane = 0; lane < kLanes; ++lane) states[i + lane] += sum[lane];
            }
            for (; i < count; ++i)
                for (std::int64_t r = 0; r < kRows; ++r) states[i] += Map::of(first[r * row_step + i]);
        }
        return row;
    }
};

template <class T, class Map = Itself>
struct Sum : FloatSum<T, Map> {
    using Result = T;
    Result finish(const double& state) const { return static_cast<T>(state); }
};

// The sum is rounded before it is divided: the mean of float32 numbers whose sum overflows is inf, as in torch.
template <class T>
struct Mean : FloatSum<T, Itself> {
    using Result = T;
    explicit Mean(std::int64_t count) : divisor(static_cast<T>(count)) {}
    Result finish(const double& state) const { return static_cast<T>(state) / divisor; }
    T divisor;
};

// Wraps, as torch's sums of int64 do.
struct IntegerSum {
    using Value = std::int64_t;
    using State = std::uint64_t;
    using Result = std::int64_t;

    State start() const { return 0; }
    void row(State& state, const Value* values, std::int64_t count, std::int64_t /*position*/) const {
        State sum = 0;
        for (std::int64_t i = 0; i < count; ++i) sum += static_cast<State>(values[i]);
        state += sum;
    }
    void columns(State* states, const Value* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) states[i] += static_cast<State>(values[row * row_step + i]);
    }
    void merge(State& state, const State& later) const { state += later; }
    Result finish(const State& state) const { return static_cast<Result>(state); }
};

// How many are not zero.
struct TruthCount {
    using Value = std::uint8_t;
    using State = std::int64_t;
    using Result = std::int64_t;

    State start() const { return 0; }
    void row(State& state, const Value* values, std::int64_t count, std::int64_t /*position*/) const {
        constexpr std::int64_t kBytes = 16;
        std::int64_t i = 0;
        while (i + kBytes <= count) {
            // A byte counts to 255.
            std::array<std::uint8_t, kBytes> lanes{};
            const std::int64_t end = std::min(count - kBytes, i + 254 * kBytes);
            for (; i <= end; i += kBytes)
                for (std::int64_t lane = 0; lane < kBytes; ++lane)
                    lanes[static_cast<std::size_t>(lane)] += values[i + lane] != 0 ? 1U : 0U;
            for (const auto lane : lanes) state += lane;
        }
        for (; i < count; ++i) state += values[i] != 0 ? 1 : 0;
    }
    void columns(State* states, const Value* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        constexpr std::int64_t kWide = 256;
        std::array<std::uint8_t, kWide> lanes;
        for (std::int64_t from = 0; from < count; from += kWide) {
            const std::int64_t width = std::min(kWide, count - from);
            for (std::int64_t row = 0; row < rows;) {
                lanes.fill(0);
                for (const std::int64_t end = std::min(rows, row + 255); row < end; ++row) {
                    const Value* line = values + row * row_step + from;
                    for (std::int64_t i = 0; i < width; ++i)
                        lanes[static_cast<std::size_t>(i)] += line[i] != 0 ? 1U : 0U;
                }
                for (std::int64_t i = 0; i < width; ++i) states[from + i] += lanes[static_cast<std::size_t>(i)];
            }
        }
    }
    void merge(State& state, const State& later) const { state += later; }
    Result finish(const State& state) const { return state; }
};

// In the type of the elements, since torch overflows and underflows there too; integers wrap.
template <class T>
struct Product {
    using Value = T;
    using State = std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>;
    using Result = T;
    // Several products side by side, as vectors.
    static constexpr std::int64_t kLanes = 32;

    State start() const { return 1; }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        std::int64_t i = 0;
        if (count >= 2 * kLanes) {
            std::array<State, kLanes> lanes;
            lanes.fill(1);
            for (; i + kLanes <= count; i += kLanes)
                for (std::int64_t lane = 0; lane < kLanes; ++lane)
                    lanes[static_cast<std::size_t>(lane)] *= static_cast<State>(values[i + lane]);
            for (const auto lane : lanes) state *= lane;
        }
        for (; i < count; ++i) state *= static_cast<State>(values[i]);
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < count; ++i) states[i] *= static_cast<State>(values[row * row_step + i]);
    }
    void merge(State& state, const State& later) const { state *= later; }
    Result finish(const State& state) const { return static_cast<Result>(state); }
};

}  // namespace maskscope::ops
