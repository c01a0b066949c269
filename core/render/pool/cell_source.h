// SPDX-License-Identifier: Apache-2.0
// Cells and masks as rows of contiguous elements, whatever the strides.
#pragma once

#include "core/render/pool/cell_state.h"
#include "core/render/pool/pool_rows.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope::render {

// A part of a plane.
struct CellRect {
    std::int64_t row = 0;
    std::int64_t col = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

class CellSource {
public:
    explicit CellSource(const Tensor& tensor);
    // Rows are contiguous in memory, so that fetch() copies nothing.
    bool direct() const { return direct_; }
    // Rows lie side by side in memory (a transposed view): tall rectangles are cheap, flat ones are not.
    bool transposed() const { return transposed_; }
    // The rectangle's cells; they live in `scratch` when they had to be copied. At most kMostRows rows.
    CellRows fetch(const CellRect& rect, std::vector<std::byte>& scratch) const;
    // One row of the cells in some columns.
    CellRows pick(std::int64_t row, std::span<const std::int64_t> cols, std::vector<std::byte>& scratch) const;

private:
    const std::byte* data_;
    std::int64_t row_stride_;  // bytes
    std::int64_t col_stride_;
    int width_;
    bool direct_;
    bool transposed_;
};

// What a mask hides, as bytes.
class HiddenSource {
public:
    explicit HiddenSource(const MaskPlane& mask);
    bool same_in_all_rows() const { return same_rows_; }
    bool same_in_all_cols() const { return same_cols_; }
    // Fills cells.hidden for the rectangle that `cells` shows.
    void fetch(const CellRect& rect, std::vector<std::uint8_t>& scratch, CellRows& cells) const;
    void pick(std::int64_t row, std::span<const std::int64_t> cols, std::vector<std::uint8_t>& scratch,
              CellRows& cells) const;
    // One row into out[0 .. cols).
    void row(std::int64_t row, std::int64_t col, std::int64_t cols, std::uint8_t* out) const;

private:
    KeyFormat format_;
    KeyRange range_;  // of keys that hide, or with invert_ of keys that do not
    bool invert_ = false;
    bool never_ = false;
    const std::byte* data_;
    std::int64_t row_stride_;  // bytes
    std::int64_t col_stride_;
    bool same_rows_;
    bool same_cols_;
};

}  // namespace maskscope::render
