// SPDX-License-Identifier: Apache-2.0
// A mask's two-dimensional plane while it is edited: tiles of 64 x 64 cells that copies share until one writes. A copy
// of a Plane is a snapshot; it costs a pointer a tile. Any dtype whose elements take 1, 2, 4 or 8 bytes.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/rect.h"
#include "core/mask/region.h"
#include "core/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope::mask {

inline constexpr int kTileSide = 64;
inline constexpr int kTileCells = kTileSide * kTileSide;
inline constexpr std::int64_t kMaxSide = std::int64_t{1} << 31;  // rows and cols stay below it

// One element: its bytes in memory order, the rest zero. Compared as bits.
struct Cell {
    std::uint64_t bits = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};
// An error that names the value when the dtype cannot hold it exactly (labels are never rounded); floating dtypes
// round.
Result<Cell> cell_of(double value, DType dtype);
double value_of(Cell cell, DType dtype);

struct Tile;  // core/mask/tile.h

class Plane {
public:
    // All zero; no tile takes memory. rows and cols below 2^31.
    Plane(std::int64_t rows, std::int64_t cols, DType dtype);
    // From a tensor of rank 2, any strides. A tile whose cells are all equal takes no memory.
    static Result<Plane> of(const Tensor& tensor, const JobContext& context = {});
    // Contiguous [rows, cols].
    Result<Tensor> tensor() const;

    std::int64_t rows() const { return rows_; }
    std::int64_t cols() const { return cols_; }
    Rect bounds() const { return {0, 0, rows_, cols_}; }
    DType dtype() const { return dtype_; }
    std::size_t cell_bytes() const { return size_of(dtype_); }

    Cell at(std::int64_t row, std::int64_t col) const;
    double value_at(std::int64_t row, std::int64_t col) const { return value_of(at(row, col), dtype_); }
    // Row-major into `out`, rows `stride` bytes apart. The rectangle lies inside the bounds.
    void copy_rect(const Rect& rect, std::byte* out, std::size_t stride) const;

    // The cells that hold exactly `cell`, or anything but zero bits.
    Region where(Cell cell) const;
    Region where_not_zero() const;
    // How many cells hold each value, by ascending value; for integers and bool. At most 2^20 different ones.
    struct Count {
        Cell cell;
        std::int64_t cells = 0;
        Rect bounds;
    };
    std::vector<Count> counts() const;

    // --- tiles, for those who draw and those who store. Row-major; the tiles at the right and bottom edge are whole,
    // with zeros beyond the bounds.
    std::int64_t tile_rows() const { return (rows_ + kTileSide - 1) / kTileSide; }
    std::int64_t tile_cols() const { return (cols_ + kTileSide - 1) / kTileSide; }
    struct TileView {
        const std::byte* cells = nullptr;  // kTileCells of them; null: every cell is `uniform`
        Cell uniform;
    };
    TileView tile(std::int64_t index) const;
    // Differs between two planes, or between two times, wherever the cells may differ; equal means equal cells. What is
    // computed of a tile is cached by it. 0 for an all-zero tile.
    std::uint64_t tile_stamp(std::int64_t index) const;
    // Memory of the tiles, shared ones counted whole.
    std::size_t bytes() const;

private:
    friend class MaskEdit;
    friend class MaskDelta;
    std::int64_t rows_;
    std::int64_t cols_;
    DType dtype_;
    std::vector<std::shared_ptr<const Tile>> tiles_;  // null: all zero
};

}  // namespace maskscope::mask
