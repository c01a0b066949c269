// SPDX-License-Identifier: Apache-2.0
// Values and states to pixels, chosen at run time for the processor.
#pragma once

#include "core/render/look/colormap.h"
#include "core/render/pool/cell_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace maskscope::render {

inline constexpr int kMapEntries = 256;
// The map's colours, then one for each state: a single look-up makes a pixel of either.
using Palette = std::array<Rgb, kMapEntries + 16>;

// entry = (value - lo) * factor, cut off and clamped to the map.
struct LinearEntries {
    float lo = 0;
    float factor = 1;
};
void colour_linear(const LinearEntries& entries, const Palette& palette, const float* value, const CellState* state,
                   std::int64_t count, Rgb* out);

// Any monotonic scale: the upper half of a value's key tells the least entry, and comparing with the values at which
// the next entries begin tells the right one.
struct SearchedEntries {
    std::vector<std::int32_t> by_half_key;  // 65536, in the order of the values
    std::array<float, kMapEntries + 1>
        begins{};   // the least value of each entry; the last one is NaN, which none reaches
    int steps = 0;  // comparisons that always suffice
};
void colour_searched(const SearchedEntries& entries, const Palette& palette, const float* value, const CellState* state,
                     std::int64_t count, Rgb* out);

}  // namespace maskscope::render
