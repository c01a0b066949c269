// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/pool_lanes.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

// AVX-512, AVX2 and the scalar reference; the steps between them gain little here and cost build time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/render/pool/pool_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/render/pool/pool_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace maskscope::render::HWY_NAMESPACE {

// op of neighbours, as one vector, from two vectors that follow each other.
template <class D, class V, class Op>
HWY_ATTR V neighbours(D d, V a, V b, Op op) {
#if HWY_TARGET == HWY_SCALAR
    (void)d;
    return op(a, b);
#else
    return op(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
#endif
}

// out[i] = op(in[2 i], in[2 i + 1]); may run in place. Writes whole vectors.
template <class T, class Op>
HWY_ATTR void fold_pairs(const T* in, std::int64_t count, Op op, T* out) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < count; i += lanes) {
        const auto a = hn::LoadU(d, in + 2 * i);
        const auto b = hn::LoadU(d, in + 2 * i + lanes);
        hn::StoreU(neighbours(d, a, b, op), d, out + i);
    }
}

template <class T, class Op>
HWY_ATTR void fold_eights(T* lanes, std::int64_t cols, T neutral, Op op) {
    const std::int64_t blocks = (cols + kBlock - 1) / kBlock;
    for (std::int64_t i = cols; i < blocks * kBlock; ++i) lanes[i] = neutral;
    fold_pairs(lanes, blocks * 4, op, lanes);
    fold_pairs(lanes, blocks * 2, op, lanes);
    fold_pairs(lanes, blocks, op, lanes);
}

template <class T>
HWY_ATTR void narrow_counts(const T* from, std::int64_t count, std::uint8_t* to) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
}

void FoldBlocks(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, const BlockRow& out) {
    by_width(format.width, [&]<class T>(T) {
        const std::int64_t blocks = (cols + kBlock - 1) / kBlock;
        const std::size_t bytes = static_cast<std::size_t>(blocks) * sizeof(T);
        fold_eights(static_cast<T*>(lanes.max), cols, std::numeric_limits<T>::min(), MaxOp());
        std::memcpy(out.max, lanes.max, bytes);
        fold_eights(static_cast<T*>(lanes.min), cols, std::numeric_limits<T>::max(), MinOp());
        std::memcpy(out.min, lanes.min, bytes);
        fold_eights(static_cast<T*>(lanes.zero), cols, T{0}, AddOp());
        narrow_counts(static_cast<const T*>(lanes.zero), blocks, out.zero);
        if (out.masked == nullptr) return;
        fold_eights(static_cast<T*>(lanes.masked), cols, T{0}, AddOp());
        narrow_counts(static_cast<const T*>(lanes.masked), blocks, out.masked);
    });
}

template <class T>
HWY_ATTR LaneTotals total(const KeyFormat& format, const Lanes& lanes, std::int64_t cols) {
    using U = std::make_unsigned_t<T>;
    LaneTotals out;
    U least = std::numeric_limits<U>::max();
    const U* positive = static_cast<const U*>(lanes.positive);
    for (std::int64_t i = 0; i < cols; ++i) least = std::min(least, positive[i]);
    if (least != std::numeric_limits<U>::max()) out.positive = least;
    if (format.is_float) {
        const T* tiny = static_cast<const T*>(lanes.tiny);
        std::int32_t sum = 0;
        for (std::int64_t i = 0; i < cols; ++i) sum += static_cast<std::int32_t>(tiny[i]);
        out.tiny = sum;
    }
    return out;
}

LaneTotals TotalLanes(const KeyFormat& format, const Lanes& lanes, std::int64_t cols) {
    return by_width(format.width, [&]<class T>(T) { return total<T>(format, lanes, cols); });
}

template <class T>
HWY_ATTR void flag_columns(const T* counts, std::int64_t cols, std::uint8_t flag, std::uint8_t* flags) {
    for (std::int64_t i = 0; i < cols; ++i) {
        flags[i] = static_cast<std::uint8_t>(flags[i] | (counts[i] != 0 ? flag : std::uint8_t{0}));
    }
}

void FlagZeroColumns(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, std::uint8_t flag,
                     std::uint8_t* flags) {
    by_width(format.width, [&]<class T>(T) { flag_columns(static_cast<const T*>(lanes.zero), cols, flag, flags); });
}

template <class T, class Op>
HWY_ATTR void halve(const T* upper, const T* lower, std::int64_t count, Op op, T* out) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; 2 * (i + lanes) <= count; i += lanes) {
        const auto a = op(hn::LoadU(d, upper + 2 * i), hn::LoadU(d, lower + 2 * i));
        const auto b = op(hn::LoadU(d, upper + 2 * i + lanes), hn::LoadU(d, lower + 2 * i + lanes));
        hn::StoreU(neighbours(d, a, b, op), d, out + i);
    }
    const hn::CappedTag<T, 1> one;
    for (; 2 * i < count; ++i) {
        const std::int64_t right = std::min(2 * i + 1, count - 1);
        const auto a = op(hn::LoadU(one, upper + 2 * i), hn::LoadU(one, lower + 2 * i));
        const auto b = op(hn::LoadU(one, upper + right), hn::LoadU(one, lower + right));
        hn::StoreU(op(a, b), one, out + i);
    }
}

void HalveKeys(const KeyFormat& format, const void* upper, const void* lower, std::int64_t count, bool want_max,
               void* out) {
    by_width(format.width, [&]<class T>(T) {
        const T* a = static_cast<const T*>(upper);
        const T* b = lower != nullptr ? static_cast<const T*>(lower) : a;
        if (want_max) {
            halve(a, b, count, MaxOp(), static_cast<T*>(out));
        } else {
            halve(a, b, count, MinOp(), static_cast<T*>(out));
        }
    });
}

template <class T, class Op>
HWY_ATTR void accumulate(const T* from, std::int64_t count, Op op, T* into) {
    const hn::ScalableTag<T> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) hn::StoreU(op(hn::LoadU(d, into + i), hn::LoadU(d, from + i)), d, into + i);
    const hn::CappedTag<T, 1> one;
    for (; i < count; ++i) hn::StoreU(op(hn::LoadU(one, into + i), hn::LoadU(one, from + i)), one, into + i);
}

void FoldKeys(const KeyFormat& format, const void* max, const void* min, std::int64_t count, const Lanes& lanes) {
    by_width(format.width, [&]<class T>(T) {
        accumulate(static_cast<const T*>(max), count, MaxOp(), static_cast<T*>(lanes.max));
        accumulate(static_cast<const T*>(min), count, MinOp(), static_cast<T*>(lanes.min));
    });
}

template <class T>
HWY_ATTR bool special_in(const T* max, const T* min, std::int64_t count, T from) {
    bool found = false;
    for (std::int64_t i = 0; i < count; ++i) found |= (max[i] >= from) | (min[i] <= static_cast<T>(~from));
    return found;
}

bool AnySpecial(const KeyFormat& format, const Lanes& lanes, std::int64_t count) {
    if (!format.is_float) return false;
    return by_width(format.width, [&]<class T>(T) {
        return special_in(static_cast<const T*>(lanes.max), static_cast<const T*>(lanes.min), count,
                          static_cast<T>(format.special_from));
    });
}

template <class T>
HWY_ATTR void add_all(const T* counts, std::int64_t count, std::int32_t* sums) {
    for (std::int64_t i = 0; i < count; ++i) sums[i] += static_cast<std::int32_t>(counts[i]);
}

void AddCounts(const void* counts, int bytes, std::int64_t count, std::int32_t* sums) {
    switch (bytes) {
        case 1:
            return add_all(static_cast<const std::uint8_t*>(counts), count, sums);
        case 2:
            return add_all(static_cast<const std::uint16_t*>(counts), count, sums);
        default:
            return add_all(static_cast<const std::uint32_t*>(counts), count, sums);
    }
}

template <class T>
HWY_ATTR void widen(const T* counts, std::int64_t count, std::int32_t* sums) {
    for (std::int64_t i = 0; i < count; ++i) sums[i] = static_cast<std::int32_t>(counts[i]);
}

void WidenCounts(const KeyFormat& format, const void* lane_counts, std::int64_t count, std::int32_t* sums) {
    by_width(format.width, [&]<class T>(T) { widen(static_cast<const T*>(lane_counts), count, sums); });
}

// lanes[i] = op(lanes[i], lanes[i + step]) for all i from which the step stays inside.
template <class T, class Op>
HWY_ATTR void fold_ahead(T* lanes, std::int64_t count, std::int64_t step, Op op) {
    const hn::ScalableTag<T> d;
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + step + width <= count; i += width) {
        hn::StoreU(op(hn::LoadU(d, lanes + i), hn::LoadU(d, lanes + i + step)), d, lanes + i);
    }
    const hn::CappedTag<T, 1> one;
    for (; i + step < count; ++i) {
        hn::StoreU(op(hn::LoadU(one, lanes + i), hn::LoadU(one, lanes + i + step)), one, lanes + i);
    }
}

template <class T, class Op>
HWY_ATTR void windows_of(T* lanes, const Windows& windows, Op op, T* out) {
    // Two overlapping runs of a power of two cover every window, and overlap does not change a maximum.
    std::int32_t run = 1;
    for (; 2 * run <= windows.shortest; run *= 2) fold_ahead(lanes, windows.cols, run, op);
    std::int64_t i = 0;
    if constexpr (sizeof(T) == 4) {
        const hn::ScalableTag<T> d;
        const auto width = static_cast<std::int64_t>(hn::Lanes(d));
        const auto back = hn::Set(d, run);
        for (; i + width <= windows.count; i += width) {
            const auto start = hn::LoadU(d, windows.start + i);
            const auto second = hn::Sub(hn::Add(start, hn::LoadU(d, windows.length + i)), back);
            hn::StoreU(op(hn::GatherIndex(d, lanes, start), hn::GatherIndex(d, lanes, second)), d, out + i);
        }
    }
    const hn::CappedTag<T, 1> one;
    for (; i < windows.count; ++i) {
        const T* first = lanes + windows.start[i];
        hn::StoreU(op(hn::LoadU(one, first), hn::LoadU(one, first + windows.length[i] - run)), one, out + i);
    }
}

void FoldWindows(const KeyFormat& format, void* lane_keys, const Windows& windows, bool want_max, void* out) {
    by_width(format.width, [&]<class T>(T) {
        if (want_max) {
            windows_of(static_cast<T*>(lane_keys), windows, MaxOp(), static_cast<T*>(out));
        } else {
            windows_of(static_cast<T*>(lane_keys), windows, MinOp(), static_cast<T*>(out));
        }
    });
}

// scratch[i] = the sum of `shortest` counts from i on, put together from runs of powers of two; then one more count
// where a window is longer.
void SumWindows(std::int32_t* counts, std::int32_t* scratch, const Windows& windows, std::int32_t* out) {
    for (std::int64_t i = 0; i < windows.count; ++i) {
        const std::int64_t last = windows.start[i] + windows.length[i] - 1;
        out[i] = windows.length[i] > windows.shortest ? counts[last] : 0;
    }
    std::fill(scratch, scratch + windows.cols, 0);
    std::int64_t done = 0;
    for (std::int32_t run = 1; run <= windows.shortest; run *= 2) {
        if ((windows.shortest & run) != 0) {
            accumulate(counts + done, windows.cols - done, AddOp(), scratch);
            done += run;
        }
        if (2 * run <= windows.shortest) fold_ahead(counts, windows.cols, run, AddOp());
    }
    for (std::int64_t i = 0; i < windows.count; ++i) out[i] += scratch[windows.start[i]];
}

}  // namespace maskscope::render::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maskscope::render {

HWY_EXPORT(FoldBlocks);
HWY_EXPORT(TotalLanes);
HWY_EXPORT(FlagZeroColumns);
HWY_EXPORT(HalveKeys);
HWY_EXPORT(FoldKeys);
HWY_EXPORT(AnySpecial);
HWY_EXPORT(AddCounts);
HWY_EXPORT(WidenCounts);
HWY_EXPORT(FoldWindows);
HWY_EXPORT(SumWindows);

void fold_blocks(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, const BlockRow& out) {
    HWY_DYNAMIC_DISPATCH(FoldBlocks)(format, lanes, cols, out);
}
LaneTotals total_lanes(const KeyFormat& format, const Lanes& lanes, std::int64_t cols) {
    return HWY_DYNAMIC_DISPATCH(TotalLanes)(format, lanes, cols);
}
void flag_zero_columns(const KeyFormat& format, const Lanes& lanes, std::int64_t cols, std::uint8_t flag,
                       std::uint8_t* flags) {
    HWY_DYNAMIC_DISPATCH(FlagZeroColumns)(format, lanes, cols, flag, flags);
}
void halve_keys(const KeyFormat& format, const void* upper, const void* lower, std::int64_t count, bool want_max,
                void* out) {
    HWY_DYNAMIC_DISPATCH(HalveKeys)(format, upper, lower, count, want_max, out);
}
void fold_keys(const KeyFormat& format, const void* max, const void* min, std::int64_t count, const Lanes& lanes) {
    HWY_DYNAMIC_DISPATCH(FoldKeys)(format, max, min, count, lanes);
}
bool any_special(const KeyFormat& format, const Lanes& lanes, std::int64_t count) {
    return HWY_DYNAMIC_DISPATCH(AnySpecial)(format, lanes, count);
}
void add_counts(const void* counts, int bytes, std::int64_t count, std::int32_t* sums) {
    HWY_DYNAMIC_DISPATCH(AddCounts)(counts, bytes, count, sums);
}
void widen_counts(const KeyFormat& format, const void* lane_counts, std::int64_t count, std::int32_t* sums) {
    HWY_DYNAMIC_DISPATCH(WidenCounts)(format, lane_counts, count, sums);
}
void fold_windows(const KeyFormat& format, void* lane_keys, const Windows& windows, bool want_max, void* out) {
    HWY_DYNAMIC_DISPATCH(FoldWindows)(format, lane_keys, windows, want_max, out);
}
void sum_windows(std::int32_t* counts, std::int32_t* scratch, const Windows& windows, std::int32_t* out) {
    HWY_DYNAMIC_DISPATCH(SumWindows)(counts, scratch, windows, out);
}

}  // namespace maskscope::render
#endif
