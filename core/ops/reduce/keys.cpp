// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/keys.h"

#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace maskscope::ops {
namespace {

// The bits of a floating number count upwards with it, and downwards below zero. Adding 0 makes 0 of -0.
std::int64_t key_of(double value) {
    const auto bits = std::bit_cast<std::int64_t>(value + 0.0);
    // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
    return value != value ? kNanKey : bits ^ ((bits >> 63) & INT64_MAX);
}

std::int64_t key_of(float value) {
    const auto bits = std::bit_cast<std::int32_t>(value + 0.0F);
    // NOLINTNEXTLINE(misc-redundant-expression): NaN differs from itself
    return value != value ? kNanKey : bits ^ ((bits >> 31) & INT32_MAX);
}

std::int64_t key_of(std::int64_t value) {
    return value;
}

// Calls `put(i, key)` for each element.
template <class T, class Put>
void each_key_as(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, Put put) {
    constexpr std::int64_t kAtOnce = 256;
    std::array<T, kAtOnce> block;
    for (std::int64_t done = 0; done < count; done += kAtOnce) {
        const std::int64_t now = std::min(kAtOnce, count - done);
        load_block(first + done * step, dtype, step, now, block.data());
        for (std::int64_t i = 0; i < now; ++i) put(done + i, key_of(block[static_cast<std::size_t>(i)]));
    }
}

template <class Put>
void each_key(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, Put put) {
    switch (compute_of(dtype)) {
        case Compute::f32:
            return each_key_as<float>(first, dtype, step, count, put);
        case Compute::f64:
            return each_key_as<double>(first, dtype, step, count, put);
        case Compute::i64:
            return each_key_as<std::int64_t>(first, dtype, step, count, put);
    }
}

}  // namespace

void load_keys(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::int64_t* dst) {
    each_key(first, dtype, step, count, [&](std::int64_t i, std::int64_t key) { dst[i] = key; });
}

void load_ranked(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, bool descending,
                 Ranked* dst) {
    const std::int64_t turn = descending ? -1 : 0;
    each_key(first, dtype, step, count, [&](std::int64_t i, std::int64_t key) { dst[i] = {key ^ turn, i}; });
}

}  // namespace maskscope::ops
