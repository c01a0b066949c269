// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/view_cells.h"

#include "core/render/pool/pixel_grid.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

// Far beyond every plane, and still exact in a double.
constexpr double kFar = 1e15;

std::int64_t whole(double value) {
    return std::isnan(value) ? 0 : std::llround(std::clamp(value, -kFar, kFar));
}

SideCells clipped(std::int64_t begin, int count, std::int64_t pixels) {
    SideCells out;
    out.from = static_cast<int>(std::clamp<std::int64_t>(-begin, 0, count));
    out.to = static_cast<int>(std::clamp<std::int64_t>(pixels - begin, out.from, count));
    return out;
}

}  // namespace

SideCells side_cells(double origin, double pitch, std::int64_t first, int count, std::int64_t cells) {
    // The pixel of the plane, counted from its cell 0, that the part begins with.
    const std::int64_t begin = first + whole(origin * pitch);
    if (pitch >= 1) {
        const std::int64_t size = std::max<std::int64_t>(whole(std::min(pitch, 1e6)), 1);
        SideCells out = clipped(begin, count, cells * size);
        out.cell.resize(static_cast<std::size_t>(out.count()));
        for (int i = 0; i < out.count(); ++i) out.cell[static_cast<std::size_t>(i)] = (begin + out.from + i) / size;
        return out;
    }
    const PixelGrid grid{pitch};
    SideCells out = clipped(begin, count, pitch > 0 ? grid.count(cells) : 0);
    out.enlarged = false;
    out.cell.resize(static_cast<std::size_t>(out.count()) + 1);
    for (int i = 0; i <= out.count(); ++i) {
        const std::int64_t edge = out.empty() ? 0 : grid.edge(begin + out.from + i);
        out.cell[static_cast<std::size_t>(i)] = std::min(edge, cells);
    }
    return out;
}

}  // namespace maskscope::render
