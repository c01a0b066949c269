// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/pixel_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace maskscope::render {

std::int64_t PixelGrid::edge(std::int64_t pixel) const {
    if (pitch >= 1) return pixel;
    return static_cast<std::int64_t>(std::floor(static_cast<double>(pixel) / pitch));
}

std::int64_t PixelGrid::count(std::int64_t cells) const {
    if (pitch >= 1) return cells;
    auto pixels = static_cast<std::int64_t>(std::ceil(static_cast<double>(cells) * pitch));
    // The division in edge() may have rounded the other way.
    while (pixels > 0 && edge(pixels - 1) >= cells) --pixels;
    while (edge(pixels) < cells) ++pixels;
    return pixels;
}

PixelSpans pixel_spans(const PixelGrid& grid, std::int64_t from, std::int64_t to, std::int64_t cells,
                       std::int64_t unit) {
    PixelSpans out;
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(to - from, 0));
    out.first.resize(count);
    out.length.resize(count);
    out.cells.resize(count);
    const std::int64_t units = (cells + unit - 1) / unit;
    const bool has_last = to > from && grid.edge(to) >= cells;
    out.shortest = std::numeric_limits<std::int32_t>::max();
    std::int64_t edge = grid.edge(from);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t next = std::min(grid.edge(from + static_cast<std::int64_t>(i) + 1), cells);
        std::int64_t first = (edge + unit - 1) / unit;
        std::int64_t end = std::min((next + unit - 1) / unit, units);
        if (first >= end) {
            first = edge / unit;
            end = first + 1;
        }
        out.first[i] = first;
        out.length[i] = static_cast<std::int32_t>(end - first);
        out.cells[i] = std::min(end * unit, cells) - first * unit;
        if (i + 1 < count || !has_last || count == 1) out.shortest = std::min(out.shortest, out.length[i]);
        edge = next;
    }
    return out;
}

std::vector<PixelSegment> cut_segments(const PixelSpans& spans, std::int64_t most) {
    std::vector<PixelSegment> out;
    const std::size_t count = spans.first.size();
    for (std::size_t from = 0; from < count;) {
        PixelSegment segment;
        segment.from = from;
        segment.first = spans.first[from];
        std::size_t to = from;
        std::int64_t end = segment.first;
        while (to < count && (to == from || spans.first[to] + spans.length[to] - segment.first <= most)) {
            end = spans.first[to] + spans.length[to];
            const std::int32_t length = std::max(spans.length[to], spans.shortest);
            segment.start.push_back(static_cast<std::int32_t>(spans.first[to] - segment.first));
            segment.length.push_back(length);
            segment.padded = std::max<std::int64_t>(segment.padded, segment.start.back() + length);
            ++to;
        }
        segment.to = to;
        segment.cols = end - segment.first;
        out.push_back(std::move(segment));
        from = to;
    }
    return out;
}

}  // namespace maskscope::render
