// SPDX-License-Identifier: Apache-2.0
// Pools cells into device pixels.
#pragma once

#include "core/render/pool/cell_source.h"
#include "core/render/pool/heatmap_data.h"
#include "core/render/pool/mask_pyramid.h"
#include "core/render/pool/pixel_grid.h"
#include "core/render/pool/pyramid.h"

#include <cstdint>
#include <optional>

namespace maskscope::render {

struct PoolSource {
    const Plane* plane = nullptr;
    const MaskPlane* mask = nullptr;
    const Pyramid* pyramid = nullptr;       // null until it is built
    const MaskPyramid* coverage = nullptr;  // null without a mask and until it is built
};

// Pixels [x, x + width) x [y, y + height) of a grid.
struct GridRect {
    std::int64_t x = 0;
    std::int64_t y = 0;
    int width = 0;
    int height = 0;
};

enum class PoolQuality : std::uint8_t {
    exact,
    quick,    // split blocks under a mask are guessed from the pyramid
    sampled,  // some cells stand for all; needs no pyramid
};

// The level of the pyramid that a grid uses; nullopt: the cells themselves.
std::optional<int> level_for(const PoolSource& source, const PixelGrid& grid);
// True when pixels are pooled from the cells, so that no pyramid is needed.
bool pools_cells(const Plane& plane, const PixelGrid& grid);
// Blocks of level 0 under the pixels that the mask splits; counts to `most` at the most.
std::int64_t split_blocks(const PoolSource& source, const PixelGrid& grid, const GridRect& rect, std::int64_t most);

// Fills value and state, `stride` entries a line; pixels outside the plane get CellState::outside. No widening.
void pool_pixels(const PoolSource& source, const PixelGrid& grid, const GridRect& rect, PoolRule rule,
                 PoolQuality quality, float* value, CellState* state, std::int64_t stride);

}  // namespace maskscope::render
