// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/mask_pyramid.h"

#include <algorithm>

namespace maskscope::render {
namespace {

// Cells of block `index` along a side of `cells`, at the block size of `level`.
std::int64_t extent(std::int64_t cells, int level, std::int64_t index) {
    const std::int64_t size = kBlock << level;
    return std::min(size, cells - index * size);
}

}  // namespace

Result<MaskPyramid> MaskPyramid::build(const MaskPlane& mask, const JobContext& context, Lane lane) {
    MaskPyramid out;
    const HiddenSource source(mask);
    out.rows_ = mask.tensor.size(0);
    out.cols_ = mask.tensor.size(1);
    out.same_rows_ = source.same_in_all_rows();
    out.same_cols_ = source.same_in_all_cols();
    std::int64_t rows = (out.rows_ + kBlock - 1) / kBlock;
    std::int64_t cols = (out.cols_ + kBlock - 1) / kBlock;
    for (int i = 0; i < Pyramid::kMostLevels; ++i) {
        Level level{rows, cols, out.same_cols_ ? 1 : cols, {}};
        const auto blocks = static_cast<std::size_t>(out.kept_rows(level) * level.kept_cols);
        level.hidden = {count_bytes(i), RawArray(blocks * static_cast<std::size_t>(count_bytes(i)))};
        if (level.hidden.values.data() == nullptr) {
            return make_error(ErrorKind::unavailable, "There is no memory for the overview of a mask of {} x {} cells",
                              out.rows_, out.cols_);
        }
        out.levels_.push_back(std::move(level));
        if (rows <= 1 && cols <= 1) break;
        rows = (rows + 1) / 2;
        cols = (cols + 1) / 2;
    }
    if (out.rows_ == 0 || out.cols_ == 0) return out;
    for (int i = 0; i < out.level_count(); ++i) {
        const std::int64_t count = out.kept_rows(out.levels_[static_cast<std::size_t>(i)]);
        const std::int64_t kept = out.levels_[static_cast<std::size_t>(i)].kept_cols;
        const std::int64_t grain = std::max<std::int64_t>(1, (std::int64_t{1} << 15) / std::max<std::int64_t>(kept, 1));
        parallel_for(lane, count, grain, [&](const Chunk& chunk) {
            if (context.cancelled()) return;
            for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
                if (i == 0) {
                    out.count_row(source, row);
                } else {
                    out.halve(i, row);
                }
            }
        });
        if (context.cancelled()) return cancelled_error();
    }
    return out;
}

void MaskPyramid::count_row(const HiddenSource& source, std::int64_t block_row) {
    Level& level = levels_.front();
    const std::int64_t cells = same_cols_ ? std::min<std::int64_t>(cols_, 1) : cols_;
    const std::int64_t rows = same_rows_ ? 1 : extent(rows_, 0, block_row);
    std::vector<std::uint8_t> hidden(static_cast<std::size_t>(level.kept_cols * kBlock));
    std::vector<std::uint8_t> sums(hidden.size());
    for (std::int64_t r = 0; r < rows; ++r) {
        source.row(block_row * kBlock + r, 0, cells, hidden.data());
        for (std::size_t i = 0; i < hidden.size(); ++i) sums[i] = static_cast<std::uint8_t>(sums[i] + hidden[i]);
    }
    auto* out = level.hidden.values.as<std::uint8_t>() + block_row * level.kept_cols;
    for (std::int64_t b = 0; b < level.kept_cols; ++b) {
        int sum = 0;
        for (std::int64_t i = 0; i < kBlock; ++i) sum += sums[static_cast<std::size_t>(b * kBlock + i)];
        out[b] = static_cast<std::uint8_t>(sum);
    }
}

void MaskPyramid::halve(int i, std::int64_t row) {
    const Level& from = levels_[static_cast<std::size_t>(i - 1)];
    Level& to = levels_[static_cast<std::size_t>(i)];
    const std::int64_t upper = (same_rows_ ? row : 2 * row) * from.kept_cols;
    const bool has_lower = !same_rows_ && 2 * row + 1 < from.rows;
    if (same_cols_) {
        // One column of cells stays one at every level: only rows add up.
        const std::int64_t sum = from.hidden.at(upper) + (has_lower ? from.hidden.at(upper + 1) : 0);
        const std::int64_t at = row;
        switch (to.hidden.bytes) {
            case 2:
                to.hidden.values.as<std::uint16_t>()[at] = static_cast<std::uint16_t>(sum);
                break;
            default:
                to.hidden.values.as<std::uint32_t>()[at] = static_cast<std::uint32_t>(sum);
                break;
        }
        return;
    }
    halve_counts(from.hidden, upper, has_lower, from.kept_cols, to.hidden, row * to.kept_cols);
}

std::int64_t MaskPyramid::hidden_cells(int i, std::int64_t row, std::int64_t col) const {
    const Level& level = levels_[static_cast<std::size_t>(i)];
    const std::int64_t kept = (same_rows_ ? 0 : row) * level.kept_cols + (same_cols_ ? 0 : col);
    std::int64_t count = level.hidden.at(kept);
    if (same_rows_) count *= extent(rows_, i, row);
    if (same_cols_) count *= extent(cols_, i, col);
    return count;
}

Coverage MaskPyramid::coverage(int i, std::int64_t row, std::int64_t col) const {
    const Level& level = levels_[static_cast<std::size_t>(i)];
    const std::int64_t count = level.hidden.at((same_rows_ ? 0 : row) * level.kept_cols + (same_cols_ ? 0 : col));
    if (count == 0) return Coverage::visible;
    const std::int64_t full = (same_rows_ ? 1 : extent(rows_, i, row)) * (same_cols_ ? 1 : extent(cols_, i, col));
    return count == full ? Coverage::hidden : Coverage::split;
}

void MaskPyramid::coverage_row(int i, std::int64_t row, std::int64_t col, std::int64_t count, Coverage* out) const {
    const Level& level = levels_[static_cast<std::size_t>(i)];
    if (same_cols_) {
        std::fill_n(out, count, coverage(i, row, col));
        return;
    }
    const std::int64_t height = same_rows_ ? 1 : extent(rows_, i, row);
    const std::int64_t full = height * (kBlock << i);
    const auto compare = [&](const auto* counts) {
        for (std::int64_t c = 0; c < count; ++c) {
            const auto hidden = static_cast<std::int64_t>(counts[c]);
            out[c] = hidden == 0 ? Coverage::visible : hidden == full ? Coverage::hidden : Coverage::split;
        }
    };
    const std::int64_t at = (same_rows_ ? 0 : row) * level.kept_cols + col;
    switch (level.hidden.bytes) {
        case 1:
            compare(level.hidden.values.as<std::uint8_t>() + at);
            break;
        case 2:
            compare(level.hidden.values.as<std::uint16_t>() + at);
            break;
        default:
            compare(level.hidden.values.as<std::uint32_t>() + at);
            break;
    }
    // The last column of blocks may be narrower.
    if (count > 0 && col + count == level.cols) out[count - 1] = coverage(i, row, level.cols - 1);
}

Coverage MaskPyramid::coverage_of(const CellRect& cells) const {
    constexpr int kLevel = 4;  // 128 x 128 cells: a handful of blocks for a line of pixels
    const int i = std::min(kLevel, level_count() - 1);
    const std::int64_t size = kBlock << i;
    const Coverage first = coverage(i, cells.row / size, cells.col / size);
    for (std::int64_t r = cells.row / size; r * size < cells.row + cells.rows; ++r) {
        for (std::int64_t c = cells.col / size; c * size < cells.col + cells.cols; ++c) {
            if (first == Coverage::split || coverage(i, r, c) != first) return Coverage::split;
        }
    }
    return first;
}

std::int64_t MaskPyramid::split_blocks(const CellRect& cells, std::int64_t most) const {
    constexpr int kLevel = 5;
    const int i = std::min(kLevel, level_count() - 1);
    const std::int64_t size = kBlock << i;
    const std::int64_t row_end = std::min(cells.row + cells.rows, rows_);
    const std::int64_t col_end = std::min(cells.col + cells.cols, cols_);
    std::int64_t count = 0;
    for (std::int64_t r = cells.row / size; r * size < row_end && count < most; ++r) {
        for (std::int64_t c = cells.col / size; c * size < col_end && count < most; ++c) {
            count +=
                split_in_block(i, r, c, {cells.row, cells.col, row_end - cells.row, col_end - cells.col}, most - count);
        }
    }
    return count;
}

std::int64_t MaskPyramid::split_in_block(int i, std::int64_t row, std::int64_t col, const CellRect& cells,
                                         std::int64_t most) const {
    if (coverage(i, row, col) != Coverage::split) return 0;
    if (i == 0) return 1;
    const std::int64_t size = kBlock << (i - 1);
    std::int64_t count = 0;
    for (std::int64_t r = 2 * row; r < 2 * row + 2 && count < most; ++r) {
        if ((r + 1) * size <= cells.row || r * size >= cells.row + cells.rows) continue;
        for (std::int64_t c = 2 * col; c < 2 * col + 2 && count < most; ++c) {
            if ((c + 1) * size <= cells.col || c * size >= cells.col + cells.cols) continue;
            count += split_in_block(i - 1, r, c, cells, most - count);
        }
    }
    return count;
}

std::size_t MaskPyramid::bytes() const {
    std::size_t sum = 0;
    for (const Level& level : levels_) sum += level.hidden.values.size();
    return sum;
}

}  // namespace maskscope::render
