// SPDX-License-Identifier: Apache-2.0
#include "core/mask/fill.h"

#include "core/mask/flood.h"
#include "core/mask/tile_bits.h"

#include <array>

namespace maskscope::mask {
namespace {

// The cells of one row of a tile that reach the threshold; a comparison with NaN is false.
std::uint64_t reaching(const std::byte* cells, DType dtype, double threshold) {
    std::array<double, kTileSide> values;
    convert_to_f64(cells, dtype, 1, kTileSide, values.data());
    std::uint64_t word = 0;
    for (std::size_t col = 0; col < values.size(); ++col) word |= std::uint64_t{values[col] >= threshold} << col;
    return word;
}

}  // namespace

Result<Region> fill(const Plane& plane, std::int64_t row, std::int64_t col, Neighbours neighbours,
                    const JobContext& context) {
    if (!plane.bounds().contains(row, col))
        return usage_error(MS_TEXT("there is no cell at row {}, column {}: the mask has {} rows and {} columns"), row,
                           col, plane.rows(), plane.cols());
    const Cell wanted = plane.at(row, col);
    return flood(
        {plane.rows(), plane.cols()}, row, col, neighbours,
        [&](std::int64_t tile, TileBits& bits) {
            return cells_equal(plane.tile(tile), plane.cell_bytes(), wanted, bits);
        },
        context);
}

Region threshold(const Plane& plane, double threshold) {
    const auto dtype = plane.dtype();
    const auto row_bytes = kTileSide * plane.cell_bytes();
    return region_of_tiles({plane.rows(), plane.cols()}, [&](std::int64_t index, TileBits& bits) {
        const auto tile = plane.tile(index);
        if (tile.cells == nullptr) return value_of(tile.uniform, dtype) >= threshold ? Coverage::all : Coverage::none;
        for (std::size_t row = 0; row < bits.size(); ++row)
            bits[row] = reaching(tile.cells + row * row_bytes, dtype, threshold);
        return Coverage::some;
    });
}

}  // namespace maskscope::mask
