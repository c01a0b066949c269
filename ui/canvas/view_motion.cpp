// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/view_motion.h"

#include <algorithm>
#include <cmath>

namespace maskscope::ui {

namespace {

// The edge of cell 0 on a whole device pixel: only then do cells of a whole pitch lie on whole pixels.
double snapped(double first, double pitch) {
    return std::round(first * pitch) / pitch;
}

double keptAxis(double first, double pitch, int pixels, std::int64_t cells) {
    const double half = pixels / pitch / 2;
    return snapped(std::clamp(first, -half, std::max(static_cast<double>(cells) - half, -half)), pitch);
}

double showingAxis(double first, double pitch, int pixels, std::int64_t cell) {
    const double seen = pixels / pitch;
    const auto begin = static_cast<double>(cell);
    if (begin >= first && begin + 1 <= first + seen) return first;
    const double end = begin + 1;
    const bool distant = end < first - seen || begin > first + 2 * seen;
    if (distant || seen < 2) return snapped(begin + 0.5 - seen / 2, pitch);
    return begin < first ? snapped(begin, pitch) : std::ceil((begin + 1 - seen) * pitch - 1e-6) / pitch;
}

}  // namespace

double steppedPitch(double pitch, int steps) {
    constexpr double kStep = 1.19;
    for (; steps > 0; --steps) {
        const double next = render::allowed_pitch(pitch * kStep);
        pitch = pitch >= 1 && next <= pitch ? pitch + 1 : next;
    }
    for (; steps < 0; ++steps) {
        const double next = render::allowed_pitch(pitch / kStep);
        pitch = pitch > 1 && next >= pitch ? pitch - 1 : next;
    }
    return pitch;
}

double boundedPitch(double pitch, const PlaneSize& plane, const render::Viewport& viewport, double largest) {
    const double whole = render::fitting_pitch(plane.rows, plane.cols, viewport.width, viewport.height);
    return render::allowed_pitch(std::clamp(pitch, std::min(1.0, whole / 2), largest));
}

render::Viewport zoomed(const render::Viewport& viewport, double pitch, double x, double y) {
    auto out = viewport;
    out.pitch = pitch;
    out.col0 = snapped(viewport.cell_from_pixel_x(x) - x / pitch, pitch);
    out.row0 = snapped(viewport.cell_from_pixel_y(y) - y / pitch, pitch);
    return out;
}

render::Viewport panned(const render::Viewport& viewport, int dx, int dy) {
    auto out = viewport;
    out.col0 = (std::round(viewport.col0 * viewport.pitch) - dx) / viewport.pitch;
    out.row0 = (std::round(viewport.row0 * viewport.pitch) - dy) / viewport.pitch;
    return out;
}

render::Viewport kept(const render::Viewport& viewport, const PlaneSize& plane) {
    auto out = viewport;
    out.col0 = keptAxis(viewport.col0, viewport.pitch, viewport.width, plane.cols);
    out.row0 = keptAxis(viewport.row0, viewport.pitch, viewport.height, plane.rows);
    return out;
}

render::Viewport showing(const render::Viewport& viewport, const render::CellIndex& cell) {
    auto out = viewport;
    out.col0 = showingAxis(viewport.col0, viewport.pitch, viewport.width, cell.col);
    out.row0 = showingAxis(viewport.row0, viewport.pitch, viewport.height, cell.row);
    return out;
}

render::CellIndex steppedCursor(const std::optional<render::CellIndex>& cursor, const render::Viewport& viewport,
                                const PlaneSize& plane, std::int64_t rows, std::int64_t cols) {
    render::CellIndex cell;
    if (cursor) {
        cell = {cursor->row + rows, cursor->col + cols};
    } else {
        cell = {static_cast<std::int64_t>(std::ceil(viewport.row0)),
                static_cast<std::int64_t>(std::ceil(viewport.col0))};
    }
    return {std::clamp<std::int64_t>(cell.row, 0, plane.rows - 1),
            std::clamp<std::int64_t>(cell.col, 0, plane.cols - 1)};
}

render::Pooled resampled(const render::Pooled& pooled, const render::Viewport& from, const render::Viewport& to) {
    render::Pooled out;
    out.width = to.width;
    out.height = to.height;
    out.exact = false;
    const auto size = static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height);
    out.value.assign(size, 0.0F);
    out.state.assign(size, render::CellState::outside);

    const auto gridX = [&](double col) {
        return static_cast<std::int64_t>(
            std::floor(pooled.is_cells ? col - static_cast<double>(pooled.first_col) : from.pixel_from_cell_x(col)));
    };
    const auto gridY = [&](double row) {
        return static_cast<std::int64_t>(
            std::floor(pooled.is_cells ? row - static_cast<double>(pooled.first_row) : from.pixel_from_cell_y(row)));
    };
    std::vector<std::int64_t> columns(static_cast<std::size_t>(to.width));
    for (int x = 0; x < to.width; ++x) {
        const auto column = gridX(to.cell_from_pixel_x(x + 0.5));
        columns[static_cast<std::size_t>(x)] = column >= 0 && column < pooled.width ? column : -1;
    }
    for (int y = 0; y < to.height; ++y) {
        const auto line = gridY(to.cell_from_pixel_y(y + 0.5));
        if (line < 0 || line >= pooled.height) continue;
        const auto source = static_cast<std::size_t>(line) * static_cast<std::size_t>(pooled.width);
        const auto target = static_cast<std::size_t>(y) * static_cast<std::size_t>(to.width);
        for (std::size_t x = 0; x < columns.size(); ++x) {
            if (columns[x] < 0) continue;
            out.value[target + x] = pooled.value[source + static_cast<std::size_t>(columns[x])];
            out.state[target + x] = pooled.state[source + static_cast<std::size_t>(columns[x])];
        }
    }
    return out;
}

}  // namespace maskscope::ui
