// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/covered_blocks.h"

#include <algorithm>

namespace maskscope::render {
namespace {

constexpr std::size_t kLaneRoom = kBlock + kLanePad;

template <class T>
BlockSum fold(const Lanes& lanes, std::int64_t cols, BlockSum sum) {
    const auto at = [](const void* lane, std::int64_t i) -> std::int64_t { return static_cast<const T*>(lane)[i]; };
    for (std::int64_t i = 0; i < cols; ++i) {
        sum.max = std::max(sum.max, at(lanes.max, i));
        sum.min = std::min(sum.min, at(lanes.min, i));
        sum.zero += at(lanes.zero, i);
        sum.masked += at(lanes.masked, i);
    }
    return sum;
}

}  // namespace

CoveredBlocks::CoveredBlocks(const Plane& plane, const MaskPlane& mask, const Pyramid& pyramid,
                             const MaskPyramid& coverage, bool guess)
    : plane_(plane),
      pyramid_(pyramid),
      coverage_(coverage),
      guess_(guess),
      cells_(plane.tensor),
      hidden_(mask),
      lanes_(4 * kLaneRoom) {}

BlockSum CoveredBlocks::sum(int level, std::int64_t row, std::int64_t col) {
    const KeyFormat& format = pyramid_.format();
    const PyramidLevel& blocks = pyramid_.level(level);
    const std::int64_t at = row * blocks.cols + col;
    BlockSum out{pyramid_.max_key(level, row, col), pyramid_.min_key(level, row, col), blocks.zero.at(at),
                 format.masked ? blocks.masked.at(at) : 0};
    const Coverage coverage = coverage_.coverage(level, row, col);
    if (coverage == Coverage::visible) return out;
    const std::int64_t hidden = coverage_.hidden_cells(level, row, col);
    if (coverage == Coverage::hidden) {
        // NaN and the infinities are seen through any mask.
        if (!format.is_special(out.max)) out.max = format.lowest;
        if (!format.is_special(out.min)) out.min = format.highest;
        return {out.max, out.min, 0, hidden};
    }
    if (guess_) {
        out.masked = std::max(out.masked, hidden);
        return out;
    }
    return level == 0 ? of_cells(row, col) : of_children(level, row, col);
}

BlockSum CoveredBlocks::of_children(int level, std::int64_t row, std::int64_t col) {
    const PyramidLevel& children = pyramid_.level(level - 1);
    BlockSum out{pyramid_.format().lowest, pyramid_.format().highest};
    for (std::int64_t r = 2 * row; r < std::min(2 * row + 2, children.rows); ++r) {
        for (std::int64_t c = 2 * col; c < std::min(2 * col + 2, children.cols); ++c) {
            const BlockSum child = sum(level - 1, r, c);
            out.max = std::max(out.max, child.max);
            out.min = std::min(out.min, child.min);
            out.zero += child.zero;
            out.masked += child.masked;
        }
    }
    return out;
}

BlockSum CoveredBlocks::of_cells(std::int64_t row, std::int64_t col) {
    const KeyFormat& format = pyramid_.format();
    const CellRect rect{row * kBlock, col * kBlock, std::min(kBlock, plane_.rows() - row * kBlock),
                        std::min(kBlock, plane_.cols() - col * kBlock)};
    CellRows cells = cells_.fetch(rect, gathered_);
    hidden_.fetch(rect, hidden_bytes_, cells);
    std::int64_t* room = lanes_.data();
    const Lanes lanes{room, room + kLaneRoom, room + 2 * kLaneRoom, room + 3 * kLaneRoom, nullptr, nullptr};
    fold_columns(format, cells, lanes, false);
    const BlockSum none{format.lowest, format.highest};
    switch (format.width) {
        case 1:
            return fold<std::int8_t>(lanes, rect.cols, none);
        case 2:
            return fold<std::int16_t>(lanes, rect.cols, none);
        case 4:
            return fold<std::int32_t>(lanes, rect.cols, none);
        default:
            return fold<std::int64_t>(lanes, rect.cols, none);
    }
}

}  // namespace maskscope::render
