// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/viewport.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {

double fitting_pitch(std::int64_t rows, std::int64_t cols, int width, int height, double largest) {
    const double across = static_cast<double>(width) / static_cast<double>(std::max<std::int64_t>(cols, 1));
    const double down = static_cast<double>(height) / static_cast<double>(std::max<std::int64_t>(rows, 1));
    const double pitch = std::min({across, down, largest});
    if (pitch >= 1) return std::floor(pitch);
    // A view without an area yet must still have a pitch that can be divided by.
    return pitch > 0 ? pitch : 1.0 / static_cast<double>(std::max<std::int64_t>({rows, cols, 1}));
}

double allowed_pitch(double wished) {
    return wished >= 1 ? std::round(wished) : wished;
}

Viewport snapped(const Viewport& viewport) {
    if (viewport.pitch >= 1) return viewport;
    Viewport out = viewport;
    out.col0 = std::round(viewport.col0 * viewport.pitch) / viewport.pitch;
    out.row0 = std::round(viewport.row0 * viewport.pitch) / viewport.pitch;
    return out;
}

}  // namespace maskscope::render
