// SPDX-License-Identifier: Apache-2.0
// The inner loops of largest and smallest: NaN wins over every number, as in PyTorch.
#pragma once

#include "core/ops/reduce/pack.h"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace maskscope::ops {

// Does `a` stay when `b` comes along? For numbers and for packs (a mask then).
template <bool kMax, class V>
inline auto stays(V a, V b) {
    if constexpr (kMax)
        // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
        return (a >= b) | (a != a);
    else
        // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
        return (a <= b) | (a != a);
}

template <bool kMax, class T>
constexpr T weakest() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>)
        return kMax ? -Limits::infinity() : Limits::infinity();
    else
        return kMax ? Limits::lowest() : Limits::max();
}

// The extreme of `count` > 0 numbers, as Map changes them.
template <bool kMax, class Map, class T>
T extreme_of(const T* values, std::int64_t count) {
    T best = Map::of(values[0]);
    std::int64_t i = 1;
    if constexpr (std::is_floating_point_v<T>) {
        constexpr std::int64_t kStep = 4 * kPack<T>;
        if (count >= kStep) {
            // Four at once, so that one comparison need not wait for another.
            Pack<T> packs[4];
            for (int p = 0; p < 4; ++p) packs[p] = Map::of(load_pack(values + p * kPack<T>));
            for (i = kStep; count - i >= kStep; i += kStep)
                for (int p = 0; p < 4; ++p) {
                    const Pack<T> next = Map::of(load_pack(values + i + p * kPack<T>));
                    packs[p] = stays<kMax>(packs[p], next) ? packs[p] : next;
                }
            for (const auto& pack : packs)
                for (std::int64_t lane = 0; lane < kPack<T>; ++lane)
                    best = stays<kMax>(best, static_cast<T>(pack[lane])) ? best : static_cast<T>(pack[lane]);
        }
    }
    for (; i < count; ++i) {
        const T next = Map::of(values[i]);
        best = stays<kMax>(best, next) ? best : next;
    }
    return best;
}

template <class T, bool kMax, class Map = Itself>
struct Extreme {
    using Value = T;
    using State = T;
    using Result = T;

    State start() const { return weakest<kMax, T>(); }
    void row(State& state, const T* values, std::int64_t count, std::int64_t /*position*/) const {
        merge(state, extreme_of<kMax, Map>(values, count));
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t /*position*/) const {
        for (std::int64_t row = 0; row < rows; ++row) {
            const T* line = values + row * row_step;
            std::int64_t i = 0;
            if constexpr (std::is_floating_point_v<T>)
                for (; count - i >= kPack<T>; i += kPack<T>) {
                    const Pack<T> best = load_pack(states + i);
                    const Pack<T> next = Map::of(load_pack(line + i));
                    const Pack<T> kept = stays<kMax>(best, next) ? best : next;
                    std::memcpy(states + i, &kept, sizeof(kept));
                }
            for (; i < count; ++i) merge(states[i], Map::of(line[i]));
        }
    }
    void merge(State& state, const State& later) const { state = stays<kMax>(state, later) ? state : later; }
    Result finish(const State& state) const { return state; }
};

// With the position of the first of several equal ones (the first NaN where there is one).
template <class T, bool kMax>
struct Position {
    using Value = T;
    struct State {
        T value;
        std::int64_t index;  // below 0: nothing seen yet
    };
    static constexpr std::int64_t kSpan = 512;

    State start() const { return {weakest<kMax, T>(), -1}; }
    void row(State& state, const T* values, std::int64_t count, std::int64_t position) const {
        // The extreme of a span is found with vectors; only a span that beats the state is looked through again.
        for (std::int64_t from = 0; from < count; from += kSpan) {
            const std::int64_t size = count - from < kSpan ? count - from : kSpan;
            const T best = extreme_of<kMax, Itself>(values + from, size);
            if (state.index >= 0 && stays<kMax>(state.value, best)) continue;
            const T* place = values + from;
            // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
            while (*place != best && !(best != best && *place != *place)) ++place;
            state = {best, position + (place - values)};
        }
    }
    void columns(State* states, const T* values, std::int64_t row_step, std::int64_t rows, std::int64_t count,
                 std::int64_t position) const {
        for (std::int64_t row = 0; row < rows; ++row) {
            const T* line = values + row * row_step;
            for (std::int64_t i = 0; i < count; ++i)
                if (!stays<kMax>(states[i].value, line[i]) || states[i].index < 0)
                    states[i] = {line[i], position + row};
        }
    }
    void merge(State& state, const State& later) const {
        if (later.index >= 0 && (state.index < 0 || !stays<kMax>(state.value, later.value))) state = later;
    }
};

template <class T, bool kMax>
struct ExtremeAndPosition : Position<T, kMax> {
    using State = typename Position<T, kMax>::State;
    using Result = T;
    using Second = std::int64_t;
    Result finish(const State& state) const { return state.value; }
    Second second(const State& state) const { return state.index; }
};

template <class T, bool kMax>
struct PositionOnly : Position<T, kMax> {
    using State = typename Position<T, kMax>::State;
    using Result = std::int64_t;
    Result finish(const State& state) const { return state.index; }
};

}  // namespace maskscope::ops
