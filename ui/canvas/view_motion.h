// SPDX-License-Identifier: GPL-3.0-or-later
// How a viewport moves: zoom about a point, pan by whole device pixels, bring a cell into view. No widget, no state.
#pragma once

#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/viewport.h"

#include <cstdint>
#include <optional>

namespace maskscope::ui {

struct PlaneSize {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

// The pitch `steps` wheel notches away: about a fifth a step, and never the same one again.
double steppedPitch(double pitch, int steps);
// Between half of what shows the whole plane and a cell of `largest` device pixels.
double boundedPitch(double pitch, const PlaneSize& plane, const render::Viewport& viewport, double largest);

// The cell coordinate under (x, y) in device pixels stays there, to half a pixel: the picture's edges keep to whole
// pixels.
render::Viewport zoomed(const render::Viewport& viewport, double pitch, double x, double y);
// The picture moves by whole device pixels to the right and down.
render::Viewport panned(const render::Viewport& viewport, int dx, int dy);
// The middle of the view stays on the plane.
render::Viewport kept(const render::Viewport& viewport, const PlaneSize& plane);
// The nearest viewport of the same pitch that shows the whole cell; the same one when it already does. A far cell comes
// to the middle.
render::Viewport showing(const render::Viewport& viewport, const render::CellIndex& cell);

// The cursor moved by keys, kept on the plane; without one yet, the first cell in view.
render::CellIndex steppedCursor(const std::optional<render::CellIndex>& cursor, const render::Viewport& viewport,
                                const PlaneSize& plane, std::int64_t rows, std::int64_t cols);

// The same picture in other pixels: every pixel of `to` takes what lies under it in `from`. Stands in until the exact
// picture is there; to.pitch is below 1.
render::Pooled resampled(const render::Pooled& pooled, const render::Viewport& from, const render::Viewport& to);

}  // namespace maskscope::ui
