// SPDX-License-Identifier: Apache-2.0
#include "core/mask/plane.h"

#include "core/jobs/parallel.h"
#include "core/mask/tile.h"
#include "core/mask/tile_bits.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace maskscope::mask {
namespace {

// Where tiles begin and end inside a rectangle: body(tile index, the common part).
template <class Body>
void each_tile(const Plane& plane, const Rect& rect, Body body) {
    for (auto tile_row = rect.row / kTileSide; tile_row * kTileSide < rect.bottom(); ++tile_row) {
        for (auto tile_col = rect.col / kTileSide; tile_col * kTileSide < rect.right(); ++tile_col) {
            const Rect tile{tile_row * kTileSide, tile_col * kTileSide, kTileSide, kTileSide};
            body(tile_row * plane.tile_cols() + tile_col, tile, intersection(tile, rect));
        }
    }
}

void copy_part(const Plane::TileView& tile, std::size_t cell_bytes, const Rect& from, std::byte* out,
               std::size_t stride) {
    for (std::int64_t row = 0; row < from.rows; ++row, out += stride) {
        if (tile.cells == nullptr) {
            fill_cells(out, cell_bytes, from.cols, tile.uniform);
            continue;
        }
        const auto first = static_cast<std::size_t>((from.row + row) * kTileSide + from.col);
        std::memcpy(out, tile.cells + first * cell_bytes, static_cast<std::size_t>(from.cols) * cell_bytes);
    }
}

// One tile's cells out of a tensor, with zeros beyond its edges.
void gather(const Tensor& tensor, const Rect& part, std::byte* cells) {
    const std::size_t size = size_of(tensor.dtype());
    if (part.rows < kTileSide || part.cols < kTileSide) std::memset(cells, 0, size * kTileCells);
    const auto row_step = tensor.strides()[0] * static_cast<std::int64_t>(size);
    const auto col_step = tensor.strides()[1] * static_cast<std::int64_t>(size);
    const std::byte* source = tensor.data() + part.row * row_step + part.col * col_step;
    for (std::int64_t row = 0; row < part.rows; ++row, source += row_step, cells += kTileSide * size) {
        if (tensor.strides()[1] == 1) {
            std::memcpy(cells, source, static_cast<std::size_t>(part.cols) * size);
            continue;
        }
        with_cell_type(size, [&]<class T>(T) {
            for (std::int64_t col = 0; col < part.cols; ++col)
                std::memcpy(cells + static_cast<std::size_t>(col) * sizeof(T), source + col * col_step, sizeof(T));
        });
    }
}

}  // namespace

Plane::Plane(std::int64_t rows, std::int64_t cols, DType dtype) : rows_(rows), cols_(cols), dtype_(dtype) {
    assert(rows >= 0 && cols >= 0 && rows < kMaxSide && cols < kMaxSide);
    tiles_.resize(static_cast<std::size_t>(tile_rows() * tile_cols()));
}

Result<Plane> Plane::of(const Tensor& tensor, const JobContext& context) {
    if (!tensor.defined() || !tensor.has_data())
        return input_error(MS_TEXT("the mask's values are not there to be edited; load it first"));
    if (tensor.rank() != 2)
        return usage_error(MS_TEXT("a plane has 2 dims, and this mask has {}: {}"), tensor.rank(),
                           text_of(tensor.shape()));
    if (tensor.size(0) >= kMaxSide || tensor.size(1) >= kMaxSide)
        return input_error(MS_TEXT("a mask of {} cells is too large to be edited: a side has to stay below 2^31"),
                           text_of(tensor.shape()));
    Plane plane(tensor.size(0), tensor.size(1), tensor.dtype());
    const std::size_t size = plane.cell_bytes();
    context.expect(plane.tile_rows());
    parallel_for(Lane::ui, plane.tile_rows(), 1, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        const auto cells = std::make_unique_for_overwrite<std::byte[]>(size * kTileCells);
        const Rect strip = intersection({chunk.begin * kTileSide, 0, kTileSide, plane.cols_}, plane.bounds());
        each_tile(plane, strip, [&](std::int64_t index, const Rect&, const Rect& part) {
            gather(tensor, part, cells.get());
            plane.tiles_[static_cast<std::size_t>(index)] = tile_of(cells.get(), size);
        });
        context.advance(1);
    });
    if (context.cancelled()) return cancelled_error();
    return plane;
}

Result<Tensor> Plane::tensor() const {
    MS_TRY(out, Tensor::uninitialised({rows_, cols_}, dtype_));
    copy_rect(bounds(), out.writable_data(), static_cast<std::size_t>(cols_) * cell_bytes());
    return std::move(out);
}

Cell Plane::at(std::int64_t row, std::int64_t col) const {
    assert(bounds().contains(row, col));
    const auto view = tile(row / kTileSide * tile_cols() + col / kTileSide);
    if (view.cells == nullptr) return view.uniform;
    const auto position = static_cast<std::size_t>(row % kTileSide * kTileSide + col % kTileSide);
    return load_cell(view.cells + position * cell_bytes(), cell_bytes());
}

void Plane::copy_rect(const Rect& rect, std::byte* out, std::size_t stride) const {
    assert(rect.empty() || intersection(rect, bounds()) == rect);
    if (rect.empty()) return;
    const auto first = rect.row / kTileSide;
    const auto strips = (rect.bottom() - 1) / kTileSide - first + 1;
    parallel_for(Lane::ui, strips, 4, [&](const Chunk& chunk) {
        const auto top = (first + chunk.begin) * kTileSide;
        const Rect strip = intersection({top, rect.col, (chunk.end - chunk.begin) * kTileSide, rect.cols}, rect);
        each_tile(*this, strip, [&](std::int64_t index, const Rect& place, const Rect& part) {
            std::byte* target = out + static_cast<std::size_t>(part.row - rect.row) * stride +
                                static_cast<std::size_t>(part.col - rect.col) * cell_bytes();
            const Rect inside{part.row - place.row, part.col - place.col, part.rows, part.cols};
            copy_part(tile(index), cell_bytes(), inside, target, stride);
        });
    });
}

Region Plane::where(Cell cell) const {
    return region_of_tiles({rows_, cols_}, [&](std::int64_t index, TileBits& bits) {
        return cells_equal(tile(index), cell_bytes(), cell, bits);
    });
}

Region Plane::where_not_zero() const {
    return region_of_tiles({rows_, cols_}, [&](std::int64_t index, TileBits& bits) {
        const auto zero = cells_equal(tile(index), cell_bytes(), {}, bits);
        if (zero == Coverage::all) return Coverage::none;
        if (zero == Coverage::none) return Coverage::all;
        for (auto& word : bits) word = ~word;
        return Coverage::some;
    });
}

Plane::TileView Plane::tile(std::int64_t index) const {
    return view_of(tiles_[static_cast<std::size_t>(index)]);
}

std::uint64_t Plane::tile_stamp(std::int64_t index) const {
    const auto& tile = tiles_[static_cast<std::size_t>(index)];
    return tile ? tile->stamp : 0;
}

std::size_t Plane::bytes() const {
    std::size_t sum = tiles_.size() * sizeof(tiles_.front());
    for (const auto& tile : tiles_) {
        if (!tile) continue;
        sum += sizeof(Tile);
        if (tile->cells) sum += cell_bytes() * kTileCells;
    }
    return sum;
}

}  // namespace maskscope::mask
