// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/widen_specials.h"

#include <algorithm>
#include <array>
#include <vector>

namespace maskscope::render {
namespace {

int severity(CellState state) {
    switch (state) {
        case CellState::nan:
            return 3;
        case CellState::posinf:
            return 2;
        case CellState::neginf:
            return 1;
        default:
            return 0;
    }
}

}  // namespace

void widen_specials(float* value, CellState* state, int width, int height, std::int64_t stride) {
    std::vector<std::uint8_t> across(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    bool any = false;
    for (int y = 0; y < height; ++y) {
        const CellState* line = state + y * stride;
        any |= std::any_of(line, line + width, [](CellState s) { return severity(s) != 0; });
    }
    if (!any) return;
    const auto at = [&](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    };
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int most = 0;
            for (int i = std::max(x - 1, 0); i <= std::min(x + 1, width - 1); ++i) {
                most = std::max(most, severity(state[y * stride + i]));
            }
            across[at(x, y)] = static_cast<std::uint8_t>(most);
        }
    }
    constexpr std::array<CellState, 4> kBySeverity = {CellState::value, CellState::neginf, CellState::posinf,
                                                      CellState::nan};
    for (int y = 1; y < height - 1; ++y) {
        for (int x = 1; x < width - 1; ++x) {
            const std::uint8_t most = std::max({across[at(x, y - 1)], across[at(x, y)], across[at(x, y + 1)]});
            CellState& here = state[y * stride + x];
            if (here == CellState::outside || most <= severity(here)) continue;
            here = kBySeverity[most];
            value[y * stride + x] = 0;
        }
    }
}

}  // namespace maskscope::render
