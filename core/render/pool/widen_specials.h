// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/render/pool/cell_state.h"

#include <cstdint>

namespace maskscope::render {

// NaN and the infinities, seen as 3 x 3 pixels: grows them by one pixel in [1, width - 1) x [1, height - 1), over what
// is less severe and inside the plane. Their values become 0.
void widen_specials(float* value, CellState* state, int width, int height, std::int64_t stride);

}  // namespace maskscope::render
