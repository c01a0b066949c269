// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/colour_rows.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/render/pool/colour_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace maskscope::render::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// entry_of takes a vector of values to a vector of map entries.
template <class D, class EntryOf>
HWY_ATTR void colour_lanes(D d, const Palette& palette, const float* value, const CellState* state, EntryOf entry_of,
                           Rgb* out) {
    const hn::RebindToFloat<D> df;
    const hn::Rebind<std::uint8_t, D> db;
    const auto* colours = reinterpret_cast<const std::int32_t*>(palette.data());
    const auto kind = hn::PromoteTo(d, hn::LoadU(db, reinterpret_cast<const std::uint8_t*>(state)));
    const auto entry = entry_of(d, df, hn::LoadU(df, value));
    const auto is_value = hn::Eq(kind, hn::Zero(d));
    const auto at = hn::IfThenElse(is_value, entry, hn::Add(kind, hn::Set(d, kMapEntries)));
    hn::StoreU(hn::GatherIndex(d, colours, at), d, reinterpret_cast<std::int32_t*>(out));
}

template <class EntryOf>
HWY_ATTR void colour_all(const Palette& palette, const float* value, const CellState* state, std::int64_t count,
                         EntryOf entry_of, Rgb* out) {
    const hn::ScalableTag<std::int32_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) colour_lanes(d, palette, value + i, state + i, entry_of, out + i);
    const hn::CappedTag<std::int32_t, 1> one;
    for (; i < count; ++i) colour_lanes(one, palette, value + i, state + i, entry_of, out + i);
}

void ColourLinear(const LinearEntries& entries, const Palette& palette, const float* value, const CellState* state,
                  std::int64_t count, Rgb* out) {
    colour_all(
        palette, value, state, count,
        [&](auto d, auto df, auto v) HWY_ATTR {
            const auto place = hn::Mul(hn::Sub(v, hn::Set(df, entries.lo)), hn::Set(df, entries.factor));
            const auto top = hn::Set(df, static_cast<float>(kMapEntries - 1));
            return hn::ConvertTo(d, hn::Min(hn::Max(place, hn::Zero(df)), top));
        },
        out);
}

void ColourSearched(const SearchedEntries& entries, const Palette& palette, const float* value, const CellState* state,
                    std::int64_t count, Rgb* out) {
    colour_all(
        palette, value, state, count,
        [&](auto d, auto df, auto v) HWY_ATTR {
            const auto bits = hn::BitCast(d, v);
            const auto key = hn::Xor(bits, hn::And(hn::BroadcastSignBit(bits), hn::Set(d, 0x7fffffff)));
            const auto half = hn::And(hn::ShiftRight<16>(key), hn::Set(d, 0xffff));
            auto entry = hn::GatherIndex(d, entries.by_half_key.data(), hn::Xor(half, hn::Set(d, 0x8000)));
            const auto one = hn::Set(d, 1);
            for (int step = 0; step < entries.steps; ++step) {
                const auto next = hn::GatherIndex(df, entries.begins.data(), hn::Add(entry, one));
                entry = hn::IfThenElse(hn::RebindMask(d, hn::Ge(v, next)), hn::Add(entry, one), entry);
            }
            return entry;
        },
        out);
}

}  // namespace maskscope::render::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maskscope::render {

HWY_EXPORT(ColourLinear);
HWY_EXPORT(ColourSearched);

void colour_linear(const LinearEntries& entries, const Palette& palette, const float* value, const CellState* state,
                   std::int64_t count, Rgb* out) {
    HWY_DYNAMIC_DISPATCH(ColourLinear)(entries, palette, value, state, count, out);
}
void colour_searched(const SearchedEntries& entries, const Palette& palette, const float* value, const CellState* state,
                     std::int64_t count, Rgb* out) {
    HWY_DYNAMIC_DISPATCH(ColourSearched)(entries, palette, value, state, count, out);
}

}  // namespace maskscope::render
#endif
