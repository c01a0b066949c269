// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_walk.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr int kSkipLevel = 4;  // blocks of 128 cells are ruled out first

class Walk {
public:
    Walk(const WalkSource& source, CellState state)
        : source_(source),
          state_(state),
          format_(key_format(source.plane->tensor.dtype(), source.plane->masked_value)) {}

    std::optional<std::int64_t> in_row(std::int64_t row, std::int64_t col, std::int64_t end) const {
        if (!row_may_hold(row)) return std::nullopt;
        while (col < end) {
            const std::int64_t skipped = skip(row, col);
            if (skipped > 0) {
                col += skipped;
                continue;
            }
            const std::int64_t last = std::min(end, (col / kBlock + 1) * kBlock);
            for (; col < last; ++col) {
                if (matches(row, col)) return col;
            }
        }
        return std::nullopt;
    }

private:
    bool matches(std::int64_t row, std::int64_t col) const {
        const CellState stored = state_of(*source_.plane, source_.mask, row, col);
        if (state_ != CellState::subnormal) return stored == state_;
        if (stored != CellState::value) return false;
        const std::array<std::int64_t, 2> index = {row, col};
        const double value = to_double(source_.plane->tensor.at(index));
        return std::abs(value) < smallest_normal(source_.plane->tensor.dtype());
    }

    bool row_may_hold(std::int64_t row) const {
        if (source_.survey == nullptr) return true;
        const std::uint8_t flags = source_.survey->row_flags[static_cast<std::size_t>(row)];
        switch (state_) {
            case CellState::nan:
                return (flags & kFlagNan) != 0;
            case CellState::posinf:
                return (flags & kFlagPosinf) != 0;
            case CellState::neginf:
                return (flags & kFlagNeginf) != 0;
            case CellState::true_zero:
                return (flags & kFlagZero) != 0;
            default:
                return true;
        }
    }

    // How many cells from (row, col) on certainly do not have the state.
    std::int64_t skip(std::int64_t row, std::int64_t col) const {
        if (source_.survey == nullptr) return 0;
        const Pyramid& pyramid = source_.survey->pyramid;
        for (int level = std::min(kSkipLevel, pyramid.level_count() - 1); level >= 0; --level) {
            const std::int64_t size = kBlock << level;
            if (!block_may_hold(level, row / size, col / size)) return size - col % size;
        }
        return 0;
    }

    bool block_may_hold(int level, std::int64_t row, std::int64_t col) const {
        const Pyramid& pyramid = source_.survey->pyramid;
        const std::int64_t at = row * pyramid.level(level).cols + col;
        const std::int64_t max = pyramid.max_key(level, row, col);
        const std::int64_t min = pyramid.min_key(level, row, col);
        switch (state_) {
            case CellState::nan:
            case CellState::posinf:
            case CellState::neginf:
                return format_.is_float && (max >= format_.special_from || min <= ~format_.special_from);
            case CellState::true_zero:
                return pyramid.level(level).zero.at(at) > 0;
            case CellState::masked:
                return (format_.masked && pyramid.level(level).masked.at(at) > 0) ||
                       (source_.coverage != nullptr &&
                        source_.coverage->coverage(level, row, col) != Coverage::visible);
            case CellState::subnormal:
                return format_.is_float && max >= format_.tiny.lo &&
                       min <= format_.tiny.lo + static_cast<std::int64_t>(format_.tiny.span);
            default:
                return true;
        }
    }

    const WalkSource& source_;
    CellState state_;
    KeyFormat format_;
};

}  // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> next_cell(const WalkSource& source, CellState state,
                                                               std::int64_t row, std::int64_t col) {
    const std::int64_t rows = source.plane->rows();
    const std::int64_t cols = source.plane->cols();
    if (rows == 0 || cols == 0 || state == CellState::outside || state == CellState::underflow) return std::nullopt;
    if (source.survey != nullptr) {
        const PlaneStats& stats = source.survey->stats;
        const std::int64_t count =
            state == CellState::subnormal ? stats.subnormal : stats.counts[static_cast<std::size_t>(state)];
        if (count == 0) return std::nullopt;
    }
    row = std::clamp<std::int64_t>(row, 0, rows - 1);
    col = std::clamp<std::int64_t>(col, -1, cols - 1);
    const Walk walk(source, state);
    for (std::int64_t i = 0; i <= rows; ++i) {
        const std::int64_t r = (row + i) % rows;
        // The first row from behind the start, and at the very end the same row up to the start.
        const std::int64_t from = i == 0 ? col + 1 : 0;
        const std::int64_t to = i == rows ? col + 1 : cols;
        if (const auto found = walk.in_row(r, from, to)) return std::pair{r, *found};
    }
    return std::nullopt;
}

}  // namespace maskscope::render
