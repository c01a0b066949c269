// SPDX-License-Identifier: Apache-2.0
#include "core/mask/shapes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope::mask {
namespace {

constexpr double kFarthest = 0x1p40;  // positions beyond are as good as this one

bool is_finite(Position at) {
    return std::isfinite(at.x) && std::isfinite(at.y);
}

// A run of whole numbers from real ones, inside the columns of a rectangle.
void add_run(std::vector<Run>& runs, std::int64_t row, double begin, double end, const Rect& within) {
    const auto first = std::clamp(begin, static_cast<double>(within.col), static_cast<double>(within.right()));
    const auto last = std::clamp(end, static_cast<double>(within.col), static_cast<double>(within.right()));
    if (first < last)
        runs.push_back(
            {static_cast<std::int32_t>(row), static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)});
}

// The pixels of both corners, and all between.
Rect between(Position corner, Position opposite) {
    const auto pixel = [](double at) {
        return static_cast<std::int64_t>(std::floor(std::clamp(at, -kFarthest, kFarthest)));
    };
    const auto [left, right] = std::minmax({pixel(corner.x), pixel(opposite.x)});
    const auto [top, bottom] = std::minmax({pixel(corner.y), pixel(opposite.y)});
    return {top, left, bottom - top + 1, right - left + 1};
}

struct Edge {
    std::int64_t first = 0;  // rows whose centre it passes
    std::int64_t end = 0;
    Position upper;
    Position lower;

    // From the same end in any direction, so that two areas that share an edge share no pixel and leave none out.
    double x_at(double y) const { return upper.x + (lower.x - upper.x) * ((y - upper.y) / (lower.y - upper.y)); }
};

void add_edge(std::vector<Edge>& edges, Position from, Position to, const Rect& within) {
    for (auto* at : {&from, &to}) {
        at->x = std::clamp(at->x, -kFarthest, kFarthest);
        at->y = std::clamp(at->y, -kFarthest, kFarthest);
    }
    if (from.y > to.y) std::swap(from, to);
    // Centres from the upper end, which belongs, to the lower one, which does not.
    const auto first = std::max(static_cast<std::int64_t>(std::ceil(from.y - 0.5)), within.row);
    const auto end = std::min(static_cast<std::int64_t>(std::ceil(to.y - 0.5)), within.bottom());
    if (first < end) edges.push_back({first, end, from, to});
}

std::vector<Edge> edges_of(std::span<const std::vector<Position>> rings, const Rect& within) {
    std::vector<Edge> edges;
    for (const auto& ring : rings) {
        if (!std::all_of(ring.begin(), ring.end(), is_finite)) continue;
        for (std::size_t i = 0; i < ring.size(); ++i) add_edge(edges, ring[i], ring[(i + 1) % ring.size()], within);
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.first < b.first; });
    return edges;
}

}  // namespace

Region line(Position from, Position to, const Brush& brush, const Rect& within) {
    return stroke(brush, from, to, within);
}

Region rectangle(Position corner, Position opposite, const Rect& within) {
    if (!is_finite(corner) || !is_finite(opposite)) return {};
    return Region::of_rect(intersection(between(corner, opposite), within));
}

Region ellipse(Position corner, Position opposite, const Rect& within) {
    if (!is_finite(corner) || !is_finite(opposite)) return {};
    const Rect around = between(corner, opposite);
    const Rect inside = intersection(around, within);
    const double radius_x = static_cast<double>(around.cols) / 2;
    const double radius_y = static_cast<double>(around.rows) / 2;
    const double centre_x = static_cast<double>(around.col) + radius_x;
    const double centre_y = static_cast<double>(around.row) + radius_y;
    std::vector<Run> runs;
    for (auto row = inside.row; row < inside.bottom(); ++row) {
        const double away = (static_cast<double>(row) + 0.5 - centre_y) / radius_y;
        const double half = radius_x * std::sqrt(std::max(0.0, 1 - away * away));
        add_run(runs, row, std::ceil(centre_x - half - 0.5), std::floor(centre_x + half - 0.5) + 1, inside);
    }
    return Region::of_sorted(std::move(runs));
}

Region polygon(std::span<const std::vector<Position>> rings, const Rect& within) {
    const auto edges = edges_of(rings, within);
    std::vector<Run> runs;
    std::vector<const Edge*> active;
    std::vector<double> crossings;
    auto next = edges.begin();
    for (auto row = within.row; row < within.bottom(); ++row) {
        std::erase_if(active, [&](const Edge* edge) { return edge->end <= row; });
        if (active.empty()) {
            if (next == edges.end()) break;
            row = std::max(row, next->first);
        }
        for (; next != edges.end() && next->first == row; ++next) active.push_back(&*next);
        crossings.clear();
        for (const auto* edge : active) crossings.push_back(edge->x_at(static_cast<double>(row) + 0.5));
        std::sort(crossings.begin(), crossings.end());
        for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
            add_run(runs, row, std::ceil(crossings[i] - 0.5), std::ceil(crossings[i + 1] - 0.5), within);
    }
    return Region::of(std::move(runs));
}

}  // namespace maskscope::mask
