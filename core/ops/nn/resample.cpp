// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/resample.h"

#include <algorithm>
#include <cmath>

namespace maskscope::ops {
namespace {

std::vector<Tap> empty_taps(std::size_t count, std::int64_t out) {
    Tap tap;
    tap.places.assign(static_cast<std::size_t>(out), 0);
    tap.weights.assign(static_cast<std::size_t>(out), 0);
    tap.counts.assign(static_cast<std::size_t>(out), true);
    return std::vector<Tap>(count, tap);
}

// Input places from one output place to the next.
template <class T>
T spacing(const Resampling& r) {
    if (r.aligns_corners) return r.out > 1 ? static_cast<T>(r.in - 1) / static_cast<T>(r.out - 1) : T{0};
    if (r.scale_factor) return static_cast<T>(1.0 / *r.scale_factor);
    return static_cast<T>(r.in) / static_cast<T>(r.out);
}

template <class T>
std::vector<Tap> nearest(const Resampling& r, bool is_exact) {
    std::vector<Tap> taps = empty_taps(1, r.out);
    const T step = spacing<T>(r);
    for (std::int64_t i = 0; i < r.out; ++i) {
        const T place = is_exact ? (static_cast<T>(i) + T(0.5)) * step : static_cast<T>(i) * step;
        const auto at = static_cast<std::size_t>(i);
        taps[0].places[at] = std::min(static_cast<std::int64_t>(std::floor(place)), r.in - 1);
        taps[0].weights[at] = 1;
    }
    return taps;
}

template <class T>
T source(const Resampling& r, T step, std::int64_t i) {
    return r.aligns_corners ? static_cast<T>(i) * step : (static_cast<T>(i) + T(0.5)) * step - T(0.5);
}

template <class T>
std::vector<Tap> linear(const Resampling& r) {
    std::vector<Tap> taps = empty_taps(2, r.out);
    const T step = spacing<T>(r);
    for (std::int64_t i = 0; i < r.out; ++i) {
        const T place = std::max(source(r, step, i), T{0});
        const std::int64_t low = std::min(static_cast<std::int64_t>(place), r.in - 1);
        const T weight = std::clamp(place - static_cast<T>(low), T{0}, T{1});
        const auto at = static_cast<std::size_t>(i);
        taps[0].places[at] = low;
        taps[1].places[at] = std::min(low + 1, r.in - 1);
        taps[0].weights[at] = static_cast<double>(T{1} - weight);
        taps[1].weights[at] = static_cast<double>(weight);
    }
    return taps;
}

// Keys' kernel (1981) with a = -0.75.
template <class T>
T near_weight(T x) {
    constexpr T a = T(-0.75);
    return ((a + 2) * x - (a + 3)) * x * x + 1;
}
template <class T>
T far_weight(T x) {
    constexpr T a = T(-0.75);
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

template <class T>
std::vector<Tap> cubic(const Resampling& r) {
    std::vector<Tap> taps = empty_taps(4, r.out);
    const T step = spacing<T>(r);
    for (std::int64_t i = 0; i < r.out; ++i) {
        const T place = source(r, step, i);
        const T floor = std::floor(place);
        const T x = place - floor;
        const T weights[] = {far_weight(x + 1), near_weight(x), near_weight(1 - x), far_weight(2 - x)};
        for (std::size_t tap = 0; tap < 4; ++tap) {
            const std::int64_t at = static_cast<std::int64_t>(floor) + static_cast<std::int64_t>(tap) - 1;
            taps[tap].places[static_cast<std::size_t>(i)] = std::clamp<std::int64_t>(at, 0, r.in - 1);
            taps[tap].weights[static_cast<std::size_t>(i)] = static_cast<double>(weights[tap]);
        }
    }
    return taps;
}

std::vector<Tap> area(const Resampling& r) {
    const auto first = [&](std::int64_t i) { return i * r.in / r.out; };
    const auto end = [&](std::int64_t i) { return ((i + 1) * r.in + r.out - 1) / r.out; };
    std::int64_t most = 1;
    for (std::int64_t i = 0; i < r.out; ++i) most = std::max(most, end(i) - first(i));
    std::vector<Tap> taps = empty_taps(static_cast<std::size_t>(most), r.out);
    for (std::int64_t i = 0; i < r.out; ++i) {
        const std::int64_t count = end(i) - first(i);
        for (std::int64_t tap = 0; tap < most; ++tap) {
            Tap& to = taps[static_cast<std::size_t>(tap)];
            const auto at = static_cast<std::size_t>(i);
            to.counts[at] = tap < count;
            to.places[at] = first(i) + std::min(tap, count - 1);
            to.weights[at] = tap < count ? 1.0 / static_cast<double>(count) : 0.0;
        }
    }
    return taps;
}

template <class T>
std::vector<Tap> typed_taps(const Resampling& r) {
    switch (r.filter) {
        case Filter::nearest:
        case Filter::nearest_exact:
            return nearest<T>(r, r.filter == Filter::nearest_exact);
        case Filter::linear:
            return linear<T>(r);
        case Filter::cubic:
            return cubic<T>(r);
        case Filter::area:
            return area(r);
    }
    return {};
}

}  // namespace

std::vector<Tap> taps_of(const Resampling& resampling) {
    return resampling.is_double ? typed_taps<double>(resampling) : typed_taps<float>(resampling);
}

}  // namespace maskscope::ops
