// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/gutter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::render {
namespace {

int severity(CellState state) {
    constexpr std::array kOrder = {CellState::true_zero, CellState::underflow, CellState::neginf, CellState::posinf,
                                   CellState::nan};
    const auto* const found = std::find(kOrder.begin(), kOrder.end(), state);
    return found == kOrder.end() ? 0 : static_cast<int>(found - kOrder.begin()) + 1;
}

void add(GutterLane& lane, CellState state) {
    const int rank = severity(state);
    if (rank == 0 || lane.first == state) return;
    if (rank > severity(lane.first)) {
        lane.second = lane.first;
        lane.first = state;
    } else if (rank > severity(lane.second)) {
        lane.second = state;
    }
}

}  // namespace

std::vector<GutterLane> telling_lanes(std::span<const GutterLane> lanes) {
    std::vector<GutterLane> out(lanes.begin(), lanes.end());
    if (out.size() < 2) return out;
    for (const auto state : {out.front().first, out.front().second}) {
        const bool everywhere = severity(state) > 0 && std::all_of(lanes.begin(), lanes.end(), [&](const auto& lane) {
                                    return lane.first == state || lane.second == state;
                                });
        if (!everywhere) continue;
        for (auto& lane : out) {
            if (lane.first == state)
                lane.first = lane.second;
            else if (lane.second != state)
                continue;
            lane.second = CellState::value;
        }
    }
    return out;
}

std::vector<GutterLane> lanes_by_pixel(std::span<const GutterLane> lanes, double origin, double pitch, int painted,
                                       int length) {
    std::vector<GutterLane> out(static_cast<std::size_t>(std::max(length, 0)));
    const auto count = static_cast<std::int64_t>(lanes.size());
    const double start = std::round(origin);
    for (int i = 0; i < length; ++i) {
        const double from = (i - start) / pitch;
        auto first = static_cast<std::int64_t>(std::floor(from));
        auto last = first + 1;
        if (pitch >= 1) {
            if (i - start - static_cast<double>(first) * pitch >= painted) continue;
        } else {
            last = static_cast<std::int64_t>(std::floor((i + 1 - start) / pitch));
        }
        first = std::max<std::int64_t>(first, 0);
        last = std::min(last, count);
        for (auto cell = first; cell < last; ++cell) {
            const auto& lane = lanes[static_cast<std::size_t>(cell)];
            add(out[static_cast<std::size_t>(i)], lane.first);
            add(out[static_cast<std::size_t>(i)], lane.second);
        }
    }
    if (pitch >= 3) return out;
    // A lone NaN or infinity is as large here as in the data area.
    auto grown = out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        for (const std::size_t near : {i - 1, i + 1}) {
            if (near >= out.size()) continue;
            for (const auto state : {out[near].first, out[near].second}) {
                if (severity(state) >= severity(CellState::neginf)) add(grown[i], state);
            }
        }
    }
    return grown;
}

}  // namespace maskscope::render
