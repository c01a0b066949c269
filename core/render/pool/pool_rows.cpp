// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/pool_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

// AVX-512, AVX2 and the scalar reference; the steps between them gain little here and cost build time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/render/pool/pool_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/render/pool/pool_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace maskscope::render::HWY_NAMESPACE {

// The format narrowed to a key type, as vectors.
template <class T>
struct Keys {
    using U = std::make_unsigned_t<T>;
    using D = hn::ScalableTag<T>;
    using DU = hn::ScalableTag<U>;
    using V = hn::Vec<D>;
    using VU = hn::Vec<DU>;
    using M = hn::Mask<D>;

    // Membership by one subtraction and one signed comparison: the range is moved to the lowest keys.
    struct Range {
        V lo;
        V end;
    };
    V flip;
    V lowest;
    V highest;
    Range finite;
    Range zero;
    Range tiny;
    Range masked;

    HWY_ATTR static Range range(const KeyRange& r) {
        constexpr auto kTop = static_cast<std::uint64_t>(std::numeric_limits<T>::min());
        return {hn::Set(D(), static_cast<T>(static_cast<std::uint64_t>(r.lo) - kTop)),
                hn::Set(D(), static_cast<T>(r.span + 1 + kTop))};
    }
    HWY_ATTR explicit Keys(const KeyFormat& f)
        : flip(hn::Set(D(), static_cast<T>(f.flip))),
          lowest(hn::Set(D(), std::numeric_limits<T>::min())),
          highest(hn::Set(D(), std::numeric_limits<T>::max())),
          finite(range(f.finite)),
          zero(range(f.zero)),
          tiny(range(f.tiny)),
          masked(range(f.masked.value_or(KeyRange{}))) {}

    HWY_ATTR static M inside(V key, const Range& r) { return hn::Gt(r.end, hn::Sub(key, r.lo)); }
    template <bool kFloat>
    HWY_ATTR V key(V stored) const {
        if constexpr (kFloat) {
            return hn::Xor(stored, hn::And(hn::BroadcastSignBit(stored), highest));
        } else {
            return hn::Xor(stored, flip);
        }
    }
    HWY_ATTR static V plus_one(V count, M where) {
#if HWY_TARGET <= HWY_AVX3
        return hn::IfThenElse(where, hn::Add(count, hn::Set(D(), T{1})), count);
#else
        return hn::Sub(count, hn::VecFromMask(D(), where));
#endif
    }
};

template <class T>
HWY_ATTR hn::Vec<hn::ScalableTag<T>> widen_hidden(const std::uint8_t* hidden) {
    const hn::ScalableTag<T> d;
    if constexpr (sizeof(T) == 1) {
        return hn::BitCast(d, hn::LoadU(hn::ScalableTag<std::uint8_t>(), hidden));
    } else if constexpr (sizeof(T) == 8) {
        const hn::Rebind<std::uint8_t, decltype(d)> narrow;
        const hn::Rebind<std::int32_t, decltype(d)> middle;
        return hn::PromoteTo(d, hn::PromoteTo(middle, hn::LoadU(narrow, hidden)));
    } else {
        const hn::Rebind<std::uint8_t, decltype(d)> narrow;
        return hn::PromoteTo(d, hn::LoadU(narrow, hidden));
    }
}

// Runs body(pointer to the first row's cells, row stride in elements, hidden, hidden stride, first column) for whole
// vectors, and for the rest from a padded copy, so that nothing is read beyond a row's end.
template <class T, class Body>
HWY_ATTR void for_columns(const CellRows& cells, Body body) {
    constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<T>()));
    std::int64_t col = 0;
    for (; col + lanes <= cells.cols; col += lanes) {
        body(cells.first + col * static_cast<std::int64_t>(sizeof(T)), cells.row_stride,
             cells.hidden != nullptr ? cells.hidden + col : nullptr, cells.hidden_stride, col);
    }
    const std::int64_t rest = cells.cols - col;
    if (rest == 0) return;
    alignas(64) std::array<T, kLanes * kMostRows> copy;
    alignas(64) std::array<std::uint8_t, kLanes * kMostRows> hidden_copy;
    for (int row = 0; row < cells.rows; ++row) {
        T* to = copy.data() + row * lanes;
        std::memcpy(to, cells.first + row * cells.row_stride + col * static_cast<std::int64_t>(sizeof(T)),
                    static_cast<std::size_t>(rest) * sizeof(T));
        std::fill(to + rest, to + lanes, to[rest - 1]);
        if (cells.hidden == nullptr) continue;
        std::uint8_t* hidden_to = hidden_copy.data() + row * lanes;
        std::memcpy(hidden_to, cells.hidden + row * cells.hidden_stride + col, static_cast<std::size_t>(rest));
        std::fill(hidden_to + rest, hidden_to + lanes, hidden_to[rest - 1]);
    }
    body(reinterpret_cast<const std::byte*>(copy.data()), lanes * static_cast<std::int64_t>(sizeof(T)),
         cells.hidden != nullptr ? hidden_copy.data() : nullptr, lanes, col);
}

template <class T>
HWY_ATTR hn::Vec<hn::ScalableTag<T>> load_cells(const std::byte* from) {
    return hn::LoadU(hn::ScalableTag<T>(), reinterpret_cast<const T*>(from));
}

template <class T, bool kFloat, bool kValue, bool kHidden, bool kStatistics>
HWY_ATTR Found fold(const KeyFormat& format, const CellRows& cells, const Lanes& out) {
    using K = Keys<T>;
    const typename K::D d;
    const typename K::DU du;
    const K k(format);
    const auto above_zero =
        hn::Set(d, static_cast<T>(static_cast<std::uint64_t>(format.zero.lo) + format.zero.span + 1));
    auto all_max = k.lowest;
    auto all_min = k.highest;
    auto all_zero = hn::Zero(d);
    auto all_masked = hn::Zero(d);
    for_columns<T>(cells, [&](const std::byte* first, std::int64_t stride, const std::uint8_t* hidden,
                              std::int64_t hidden_stride, std::int64_t col) HWY_ATTR {
        auto max = k.lowest;
        auto min = k.highest;
        auto zero = hn::Zero(d);
        auto masked = hn::Zero(d);
        auto tiny = hn::Zero(d);
        auto positive = hn::Set(du, std::numeric_limits<typename K::U>::max());
        for (int row = 0; row < cells.rows; ++row) {
            const auto key = k.template key<kFloat>(load_cells<T>(first + row * stride));
            auto is_zero = K::inside(key, k.zero);
            if constexpr (kValue || kHidden) {
                auto is_masked = hn::MaskFromVec(hn::Zero(d));
                if constexpr (kHidden) {
                    is_masked = hn::Ne(widen_hidden<T>(hidden + row * hidden_stride), hn::Zero(d));
                    if constexpr (kFloat) is_masked = hn::And(is_masked, K::inside(key, k.finite));
                }
                if constexpr (kValue) is_masked = hn::Or(is_masked, K::inside(key, k.masked));
                max = hn::Max(max, hn::IfThenElse(is_masked, k.lowest, key));
                min = hn::Min(min, hn::IfThenElse(is_masked, k.highest, key));
                masked = K::plus_one(masked, is_masked);
                is_zero = hn::AndNot(is_masked, is_zero);
                if constexpr (kStatistics) {
                    positive = hn::IfThenElse(hn::RebindMask(du, is_masked), positive,
                                              hn::Min(positive, hn::BitCast(du, hn::Sub(key, above_zero))));
                    if constexpr (kFloat) {
                        tiny = K::plus_one(tiny, hn::AndNot(is_masked, K::inside(key, k.tiny)));
                    }
                }
            } else {
                max = hn::Max(max, key);
                min = hn::Min(min, key);
                if constexpr (kStatistics) {
                    positive = hn::Min(positive, hn::BitCast(du, hn::Sub(key, above_zero)));
                    if constexpr (kFloat) tiny = K::plus_one(tiny, K::inside(key, k.tiny));
                }
            }
            zero = K::plus_one(zero, is_zero);
        }
        hn::StoreU(max, d, static_cast<T*>(out.max) + col);
        hn::StoreU(min, d, static_cast<T*>(out.min) + col);
        hn::StoreU(zero, d, static_cast<T*>(out.zero) + col);
        if constexpr (kValue || kHidden) hn::StoreU(masked, d, static_cast<T*>(out.masked) + col);
        if constexpr (kStatistics) {
            hn::StoreU(positive, du, static_cast<typename K::U*>(out.positive) + col);
            if constexpr (kFloat) hn::StoreU(tiny, d, static_cast<T*>(out.tiny) + col);
        }
        all_max = hn::Max(all_max, max);
        all_min = hn::Min(all_min, min);
        all_zero = hn::Or(all_zero, zero);
        all_masked = hn::Or(all_masked, masked);
    });
    Found found;
    if constexpr (kFloat) {
        const auto high = hn::Gt(all_max, hn::Set(d, static_cast<T>(format.special_from - 1)));
        const auto low = hn::Lt(all_min, hn::Set(d, static_cast<T>(-format.special_from)));
        found.special = !hn::AllFalse(d, hn::Or(high, low));
    }
    found.zero = !hn::AllTrue(d, hn::Eq(all_zero, hn::Zero(d)));
    found.masked = !hn::AllTrue(d, hn::Eq(all_masked, hn::Zero(d)));
    return found;
}

// Calls f with the template arguments that the format and the cells ask for.
template <class T, class F>
auto choose(const KeyFormat& format, const CellRows& cells, F f) {
    const auto with_hidden = [&](auto is_float, auto by_value) {
        return cells.hidden != nullptr ? f(is_float, by_value, std::true_type{})
                                       : f(is_float, by_value, std::false_type{});
    };
    const auto with_value = [&](auto is_float) {
        return format.masked ? with_hidden(is_float, std::true_type{}) : with_hidden(is_float, std::false_type{});
    };
    return format.is_float ? with_value(std::true_type{}) : with_value(std::false_type{});
}

Found FoldColumns(const KeyFormat& format, const CellRows& cells, const Lanes& lanes, bool statistics) {
    return by_width(format.width, [&]<class T>(T) {
        return choose<T>(format, cells, [&](auto is_float, auto by_value, auto by_mask) {
            constexpr bool kFloat = decltype(is_float)::value;
            constexpr bool kValue = decltype(by_value)::value;
            constexpr bool kHidden = decltype(by_mask)::value;
            return statistics ? fold<T, kFloat, kValue, kHidden, true>(format, cells, lanes)
                              : fold<T, kFloat, kValue, kHidden, false>(format, cells, lanes);
        });
    });
}

template <class T, bool kFloat, bool kValue, bool kHidden>
HWY_ATTR Details details(const KeyFormat& format, const CellRows& cells, std::uint8_t* column_flags) {
    using K = Keys<T>;
    const typename K::D d;
    const K k(format);
    const auto posinf = hn::Set(d, static_cast<T>(format.special_from));
    const auto neginf = hn::Set(d, static_cast<T>(~format.special_from));
    const auto flag_of = [&](std::uint8_t flag) HWY_ATTR { return hn::Set(d, static_cast<T>(flag)); };
    auto max = k.lowest;
    auto min = k.highest;
    std::int64_t nans = 0;
    std::int64_t posinfs = 0;
    std::int64_t neginfs = 0;
    constexpr std::size_t kLanes = hn::MaxLanes(hn::ScalableTag<T>());
    alignas(64) std::array<T, kLanes * kBlock> row_flags{};
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for_columns<T>(cells, [&](const std::byte* first, std::int64_t stride, const std::uint8_t* hidden,
                              std::int64_t hidden_stride, std::int64_t col) HWY_ATTR {
        auto flags = hn::Zero(d);
        // The padding of a last, partial vector repeats a cell and must not be counted again.
        const auto real = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, cells.cols - col)));
        for (int row = 0; row < cells.rows; ++row) {
            const auto key = k.template key<kFloat>(load_cells<T>(first + row * stride));
            auto is_masked = hn::MaskFromVec(hn::Zero(d));
            if constexpr (kHidden) {
                is_masked = hn::Ne(widen_hidden<T>(hidden + row * hidden_stride), hn::Zero(d));
                if constexpr (kFloat) is_masked = hn::And(is_masked, K::inside(key, k.finite));
            }
            if constexpr (kValue) is_masked = hn::Or(is_masked, K::inside(key, k.masked));
            auto here = hn::IfThenElseZero(hn::AndNot(is_masked, K::inside(key, k.zero)), flag_of(kFlagZero));
            auto skip = is_masked;
            if constexpr (kFloat) {
                const auto is_special = hn::AndNot(is_masked, hn::Not(K::inside(key, k.finite)));
                skip = hn::Or(skip, is_special);
                auto is_nan = is_special;
                if (format.has_inf) {
                    const auto is_posinf = hn::And(is_special, hn::Eq(key, posinf));
                    const auto is_neginf = hn::And(is_special, hn::Eq(key, neginf));
                    is_nan = hn::AndNot(hn::Or(is_posinf, is_neginf), is_special);
                    posinfs += static_cast<std::int64_t>(hn::CountTrue(d, hn::And(is_posinf, real)));
                    neginfs += static_cast<std::int64_t>(hn::CountTrue(d, hn::And(is_neginf, real)));
                    here = hn::Or(here, hn::IfThenElseZero(is_posinf, flag_of(kFlagPosinf)));
                    here = hn::Or(here, hn::IfThenElseZero(is_neginf, flag_of(kFlagNeginf)));
                }
                nans += static_cast<std::int64_t>(hn::CountTrue(d, hn::And(is_nan, real)));
                here = hn::Or(here, hn::IfThenElseZero(is_nan, flag_of(kFlagNan)));
            }
            max = hn::Max(max, hn::IfThenElse(skip, k.lowest, key));
            min = hn::Min(min, hn::IfThenElse(skip, k.highest, key));
            T* row_flag = row_flags.data() + row * lanes;
            hn::StoreU(hn::Or(here, hn::LoadU(d, row_flag)), d, row_flag);
            flags = hn::Or(flags, here);
        }
        alignas(64) std::array<T, kLanes> column;
        hn::StoreU(flags, d, column.data());
        const std::int64_t end = std::min(cells.cols, col + lanes);
        for (std::int64_t c = col; c < end; ++c) {
            column_flags[c] = static_cast<std::uint8_t>(
                column_flags[c] | static_cast<std::uint8_t>(column[static_cast<std::size_t>(c - col)]));
        }
    });
    Details out;
    out.nan = nans;
    out.posinf = posinfs;
    out.neginf = neginfs;
    alignas(64) std::array<T, kLanes> ends;
    hn::StoreU(max, d, ends.data());
    out.max = *std::max_element(ends.begin(), ends.begin() + lanes);
    hn::StoreU(min, d, ends.data());
    out.min = *std::min_element(ends.begin(), ends.begin() + lanes);
    for (int row = 0; row < cells.rows; ++row) {
        T flags = 0;
        for (std::int64_t i = 0; i < lanes; ++i) {
            flags = static_cast<T>(flags | row_flags[static_cast<std::size_t>(row * lanes + i)]);
        }
        out.row_flags[row] = static_cast<std::uint8_t>(flags);
    }
    return out;
}

Details FoldDetails(const KeyFormat& format, const CellRows& cells, std::uint8_t* column_flags) {
    return by_width(format.width, [&]<class T>(T) {
        return choose<T>(format, cells, [&](auto is_float, auto by_value, auto by_mask) {
            return details<T, decltype(is_float)::value, decltype(by_value)::value, decltype(by_mask)::value>(
                format, cells, column_flags);
        });
    });
}

}  // namespace maskscope::render::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maskscope::render {

HWY_EXPORT(FoldColumns);
HWY_EXPORT(FoldDetails);

Found fold_columns(const KeyFormat& format, const CellRows& cells, const Lanes& lanes, bool statistics) {
    return HWY_DYNAMIC_DISPATCH(FoldColumns)(format, cells, lanes, statistics);
}
Details fold_details(const KeyFormat& format, const CellRows& cells, std::uint8_t* column_flags) {
    return HWY_DYNAMIC_DISPATCH(FoldDetails)(format, cells, column_flags);
}

}  // namespace maskscope::render
#endif
