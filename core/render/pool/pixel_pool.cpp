// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/pixel_pool.h"

#include "core/render/pool/covered_blocks.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace maskscope::render {
namespace {

// Columns that are pooled at once, so that the lanes stay in the nearest cache.
constexpr std::int64_t kSegment = 1024;
// A plane this small is pooled from its cells up to 16 cells a pixel side; a larger one up to 8.
constexpr std::int64_t kSmallPlaneBytes = std::int64_t{288} << 20;
// A sampled picture reads whole rows while it is no more than this.
constexpr std::int64_t kMostSampled = std::int64_t{48} << 20;

template <class T>
class RegionPool {
public:
    RegionPool(const PoolSource& source, const PixelGrid& grid, const GridRect& rect, PoolRule rule,
               PoolQuality quality)
        : source_(source),
          grid_(grid),
          rect_(rect),
          rule_(rule),
          quality_(quality),
          format_(key_format(source.plane->tensor.dtype(), source.plane->masked_value)),
          cells_(source.plane->tensor) {
        if (source.mask != nullptr) hidden_.emplace(*source.mask);
        if (quality != PoolQuality::sampled) level_ = level_for(source, grid);
        unit_ = level_ ? kBlock << *level_ : 1;
        specials_ = source.pyramid == nullptr || source.pyramid->has_specials();
        if (source.pyramid != nullptr && source.coverage != nullptr) {
            covered_.emplace(*source.plane, *source.mask, *source.pyramid, *source.coverage,
                             quality == PoolQuality::quick);
        }
    }

    void run(float* value, CellState* state, std::int64_t stride) {
        const std::int64_t rows = source_.plane->rows();
        const std::int64_t cols = source_.plane->cols();
        const std::int64_t x0 = std::clamp<std::int64_t>(rect_.x, 0, grid_.count(cols));
        const std::int64_t x1 = std::clamp<std::int64_t>(rect_.x + rect_.width, x0, grid_.count(cols));
        const std::int64_t y0 = std::clamp<std::int64_t>(rect_.y, 0, grid_.count(rows));
        const std::int64_t y1 = std::clamp<std::int64_t>(rect_.y + rect_.height, y0, grid_.count(rows));
        for (int line = 0; line < rect_.height; ++line) {
            std::fill_n(value + line * stride, rect_.width, 0.0F);
            std::fill_n(state + line * stride, rect_.width, CellState::outside);
        }
        if (x0 == x1 || y0 == y1) return;
        across_ = pixel_spans(grid_, x0, x1, cols, unit_);
        const PixelSpans down = pixel_spans(grid_, y0, y1, rows, unit_);
        picks_ = quality_ == PoolQuality::sampled &&
                 (!cells_.direct() || (y1 - y0) * (across_.first.back() + 1 - across_.first.front()) > kMostSampled);
        if (picks_) pick_middles();
        segments_ = cut_segments(across_, kSegment);
        make_room();
        for (std::int64_t y = y0; y < y1; ++y) {
            const auto line = static_cast<std::size_t>(y - y0);
            const std::int64_t to = (y - rect_.y) * stride + (x0 - rect_.x);
            for (const PixelSegment& segment : segments_) {
                const Found found = fill(segment, down.first[line], down.length[line]);
                const bool samples = quality_ == PoolQuality::sampled;
                finish(segment, samples ? 1 : down.cells[line], found,
                       value + to + static_cast<std::int64_t>(segment.from),
                       state + to + static_cast<std::int64_t>(segment.from));
            }
        }
    }

private:
    // One cell a pixel.
    void pick_middles() {
        picked_.resize(across_.first.size());
        for (std::size_t i = 0; i < picked_.size(); ++i) {
            picked_[i] = across_.first[i] + across_.length[i] / 2;
            across_.first[i] = static_cast<std::int64_t>(i);
            across_.length[i] = 1;
            across_.cells[i] = 1;
        }
        across_.shortest = 1;
    }

    void make_room() {
        std::int64_t widest = 0;
        std::size_t pixels = 0;
        for (const PixelSegment& segment : segments_) {
            widest = std::max(widest, segment.padded);
            pixels = std::max(pixels, segment.to - segment.from);
        }
        const auto size = static_cast<std::size_t>(widest + kLanePad);
        for (auto* lane : {&max_, &min_, &zero_lane_, &masked_lane_}) lane->resize(size);
        for (auto* counts : {&zero_, &masked_, &counts_scratch_}) counts->resize(size);
        for (auto* keys : {&pixel_max_, &pixel_min_, &pixel_best_}) keys->resize(pixels);
        for (auto* counts : {&pixel_zero_, &pixel_masked_}) counts->resize(pixels);
    }

    Lanes lanes() { return {max_.data(), min_.data(), zero_lane_.data(), masked_lane_.data(), nullptr, nullptr}; }

    // Everything of the lines' units [row, row + rows) under the segment into the lanes.
    Found fill(const PixelSegment& segment, std::int64_t row, std::int64_t rows) {
        return level_ ? fill_from_blocks(segment, row, rows) : fill_from_cells(segment, row, rows);
    }

    Found fill_from_cells(const PixelSegment& segment, std::int64_t row, std::int64_t rows) {
        CellRows cells;
        if (picks_) {
            const std::span<const std::int64_t> cols(picked_.data() + segment.from, segment.to - segment.from);
            cells = cells_.pick(row + rows / 2, cols, gathered_);
            if (hidden_) hidden_->pick(row + rows / 2, cols, hidden_bytes_, cells);
        } else {
            const bool samples = quality_ == PoolQuality::sampled;
            const CellRect rect{samples ? row + rows / 2 : row, segment.first, samples ? 1 : rows, segment.cols};
            const Coverage coverage = coverage_of(rect);
            if (coverage == Coverage::hidden && !specials_) return all_hidden(segment, rect.rows);
            cells = cells_.fetch(rect, gathered_);
            if (coverage != Coverage::visible) hidden_->fetch(rect, hidden_bytes_, cells);
        }
        const Found found = fold_columns(format_, cells, lanes(), false);
        pad_keys(segment);
        const auto counts = [&](const std::vector<T>& lane, std::vector<std::int32_t>& sums) {
            widen_counts(format_, lane.data(), segment.cols, sums.data());
            std::fill(sums.begin() + segment.cols, sums.begin() + segment.padded, 0);
        };
        if (found.zero) counts(zero_lane_, zero_);
        if (found.masked) counts(masked_lane_, masked_);
        return found;
    }

    Coverage coverage_of(const CellRect& rect) const {
        if (!hidden_) return Coverage::visible;
        return source_.coverage != nullptr ? source_.coverage->coverage_of(rect) : Coverage::split;
    }

    Found all_hidden(const PixelSegment& segment, std::int64_t rows) {
        std::fill_n(max_.begin(), segment.padded, std::numeric_limits<T>::min());
        std::fill_n(min_.begin(), segment.padded, std::numeric_limits<T>::max());
        std::fill_n(masked_.begin(), segment.cols, static_cast<std::int32_t>(rows));
        std::fill(masked_.begin() + segment.cols, masked_.begin() + segment.padded, 0);
        return {false, false, true};
    }

    void pad_keys(const PixelSegment& segment) {
        std::fill(max_.begin() + segment.cols, max_.begin() + segment.padded, std::numeric_limits<T>::min());
        std::fill(min_.begin() + segment.cols, min_.begin() + segment.padded, std::numeric_limits<T>::max());
    }

    Found fill_from_blocks(const PixelSegment& segment, std::int64_t row, std::int64_t rows) {
        std::fill_n(max_.begin(), segment.padded, std::numeric_limits<T>::min());
        std::fill_n(min_.begin(), segment.padded, std::numeric_limits<T>::max());
        std::fill_n(zero_.begin(), segment.padded, 0);
        std::fill_n(masked_.begin(), segment.padded, 0);
        for (std::int64_t r = row; r < row + rows; ++r) {
            if (source_.coverage == nullptr) {
                fold_visible(r, segment.first, segment.cols, 0);
            } else {
                fold_covered(segment, r);
            }
        }
        const auto any = [&](const std::vector<std::int32_t>& counts) {
            return std::any_of(counts.begin(), counts.begin() + segment.cols, [](std::int32_t n) { return n != 0; });
        };
        return {any_special(format_, lanes(), segment.cols), any(zero_), any(masked_)};
    }

    // Blocks that the mask leaves alone.
    void fold_visible(std::int64_t row, std::int64_t col, std::int64_t count, std::int64_t to) {
        const PyramidLevel& level = source_.pyramid->level(*level_);
        const std::int64_t at = row * level.cols + col;
        const Lanes target{max_.data() + to, min_.data() + to, nullptr, nullptr, nullptr, nullptr};
        fold_keys(format_, level.max.template as<T>() + at, level.min.template as<T>() + at, count, target);
        add_counts(level.zero.values.data() + at * level.zero.bytes, level.zero.bytes, count, zero_.data() + to);
        if (format_.masked) {
            add_counts(level.masked.values.data() + at * level.masked.bytes, level.masked.bytes, count,
                       masked_.data() + to);
        }
    }

    void fold_covered(const PixelSegment& segment, std::int64_t row) {
        coverage_.resize(static_cast<std::size_t>(segment.cols));
        source_.coverage->coverage_row(*level_, row, segment.first, segment.cols, coverage_.data());
        for (std::int64_t i = 0; i < segment.cols;) {
            const Coverage coverage = coverage_[static_cast<std::size_t>(i)];
            std::int64_t end = i + 1;
            while (end < segment.cols && coverage_[static_cast<std::size_t>(end)] == coverage) ++end;
            if (coverage == Coverage::visible) {
                fold_visible(row, segment.first + i, end - i, i);
            } else if (coverage == Coverage::hidden && !specials_) {
                add_hidden(row, segment.first + i, end - i, i);
            } else {
                for (; i < end; ++i) add_covered(row, segment.first + i, static_cast<std::size_t>(i));
            }
            i = end;
        }
    }

    // Hidden blocks of a plane without NaN and infinities count, and that is all.
    void add_hidden(std::int64_t row, std::int64_t col, std::int64_t count, std::int64_t to) {
        const std::int64_t rows = std::min(unit_, source_.plane->rows() - row * unit_);
        const auto cells = static_cast<std::int32_t>(rows * unit_);
        for (std::int64_t i = to; i < to + count; ++i) masked_[static_cast<std::size_t>(i)] += cells;
        const std::int64_t missing = std::max<std::int64_t>((col + count) * unit_ - source_.plane->cols(), 0);
        masked_[static_cast<std::size_t>(to + count - 1)] -= static_cast<std::int32_t>(rows * missing);
    }

    void add_covered(std::int64_t row, std::int64_t col, std::size_t to) {
        const BlockSum sum = covered_->sum(*level_, row, col);
        max_[to] = std::max(max_[to], static_cast<T>(sum.max));
        min_[to] = std::min(min_[to], static_cast<T>(sum.min));
        zero_[to] += static_cast<std::int32_t>(sum.zero);
        masked_[to] += static_cast<std::int32_t>(sum.masked);
    }

    // The lanes to values and states of the segment's pixels.
    void finish(const PixelSegment& segment, std::int64_t row_cells, const Found& found, float* value,
                CellState* state) {
        const auto count = static_cast<std::int64_t>(segment.to - segment.from);
        const Windows windows{segment.start.data(), segment.length.data(), count, across_.shortest, segment.padded};
        fold_windows(format_, max_.data(), windows, true, pixel_max_.data());
        const bool clean = !found.special && !found.zero && !found.masked;
        if (!clean || rule_ == PoolRule::magnitude)
            fold_windows(format_, min_.data(), windows, false, pixel_min_.data());
        if (rule_ == PoolRule::magnitude) {
            for (std::size_t i = 0; i < segment.to - segment.from; ++i) {
                pixel_best_[i] = lower_is_larger(pixel_min_[i], pixel_max_[i]) ? pixel_min_[i] : pixel_max_[i];
            }
            floats_from_keys(format_, pixel_best_.data(), count, value);
        } else {
            floats_from_keys(format_, pixel_max_.data(), count, value);
        }
        if (clean) {
            std::fill_n(state, count, CellState::value);
            return;
        }
        const auto sums = [&](bool wanted, std::vector<std::int32_t>& counts, std::vector<std::int32_t>& out) {
            if (wanted) {
                sum_windows(counts.data(), counts_scratch_.data(), windows, out.data());
            } else {
                std::fill_n(out.begin(), count, 0);
            }
        };
        sums(found.zero, zero_, pixel_zero_);
        sums(found.masked, masked_, pixel_masked_);
        for (std::int64_t i = 0; i < count; ++i) {
            state[i] = state_of_pixel(static_cast<std::size_t>(i),
                                      row_cells * across_.cells[segment.from + static_cast<std::size_t>(i)]);
            if (state[i] != CellState::value) value[i] = 0;
        }
    }

    // Whether the smallest key stands for the value of larger magnitude.
    bool lower_is_larger(T low, T high) const {
        if (format_.is_float) return (low < 0 ? ~low : low) > (high < 0 ? ~high : high);
        if (format_.flip != 0) return false;
        return high < 0 ? low < high : low < -high;
    }

    CellState state_of_pixel(std::size_t i, std::int64_t total) const {
        const std::int64_t high = pixel_max_[i];
        const std::int64_t low = pixel_min_[i];
        // Where all cells are masked the maximum is the lowest key and the minimum the highest: neither is special.
        const bool high_special = format_.is_float && high >= format_.special_from;
        const bool low_special = format_.is_float && low <= ~format_.special_from;
        if (high_special || low_special) {
            const bool nan = (high_special && !format_.is_posinf(high)) || (low_special && !format_.is_neginf(low));
            if (nan) return CellState::nan;
            return high_special ? CellState::posinf : CellState::neginf;
        }
        const std::int64_t zero = pixel_zero_[i];
        const std::int64_t masked = pixel_masked_[i];
        if (2 * masked > total) return CellState::masked;
        return 2 * zero > total || zero + masked == total ? CellState::true_zero : CellState::value;
    }

    const PoolSource& source_;
    PixelGrid grid_;
    GridRect rect_;
    PoolRule rule_;
    PoolQuality quality_;
    KeyFormat format_;
    CellSource cells_;
    std::optional<HiddenSource> hidden_;
    std::optional<CoveredBlocks> covered_;
    std::optional<int> level_;
    std::int64_t unit_ = 1;
    bool picks_ = false;
    bool specials_ = true;  // the plane may hold a NaN or an infinity

    PixelSpans across_;
    std::vector<std::int64_t> picked_;
    std::vector<PixelSegment> segments_;
    std::vector<std::byte> gathered_;
    std::vector<std::uint8_t> hidden_bytes_;
    std::vector<Coverage> coverage_;
    std::vector<T> max_;
    std::vector<T> min_;
    std::vector<T> zero_lane_;
    std::vector<T> masked_lane_;
    std::vector<std::int32_t> zero_;
    std::vector<std::int32_t> masked_;
    std::vector<std::int32_t> counts_scratch_;
    std::vector<T> pixel_max_;
    std::vector<T> pixel_min_;
    std::vector<std::int32_t> pixel_zero_;
    std::vector<std::int32_t> pixel_masked_;
    std::vector<T> pixel_best_;
};

}  // namespace

bool pools_cells(const Plane& plane, const PixelGrid& grid) {
    const double cells_per_pixel = 1 / grid.pitch;
    if (cells_per_pixel < kBlock) return true;
    const std::int64_t bytes = plane.rows() * plane.cols() * static_cast<std::int64_t>(size_of(plane.tensor.dtype()));
    return cells_per_pixel < 2 * kBlock && bytes <= kSmallPlaneBytes;
}

std::optional<int> level_for(const PoolSource& source, const PixelGrid& grid) {
    if (source.pyramid == nullptr || pools_cells(*source.plane, grid)) return std::nullopt;
    int level = 0;
    while (level + 1 < source.pyramid->level_count() &&
           2 * static_cast<double>(kBlock << (level + 1)) <= 1 / grid.pitch) {
        ++level;
    }
    return level;
}

std::int64_t split_blocks(const PoolSource& source, const PixelGrid& grid, const GridRect& rect, std::int64_t most) {
    if (!level_for(source, grid) || source.coverage == nullptr) return 0;
    const auto cell = [&](std::int64_t pixel, std::int64_t cells) {
        return std::clamp<std::int64_t>(grid.edge(pixel), 0, cells);
    };
    const std::int64_t row = cell(rect.y, source.plane->rows());
    const std::int64_t col = cell(rect.x, source.plane->cols());
    return source.coverage->split_blocks({row, col, cell(rect.y + rect.height, source.plane->rows()) - row,
                                          cell(rect.x + rect.width, source.plane->cols()) - col},
                                         most);
}

void pool_pixels(const PoolSource& source, const PixelGrid& grid, const GridRect& rect, PoolRule rule,
                 PoolQuality quality, float* value, CellState* state, std::int64_t stride) {
    switch (size_of(source.plane->tensor.dtype())) {
        case 1:
            return RegionPool<std::int8_t>(source, grid, rect, rule, quality).run(value, state, stride);
        case 2:
            return RegionPool<std::int16_t>(source, grid, rect, rule, quality).run(value, state, stride);
        case 4:
            return RegionPool<std::int32_t>(source, grid, rect, rule, quality).run(value, state, stride);
        default:
            return RegionPool<std::int64_t>(source, grid, rect, rule, quality).run(value, state, stride);
    }
}

}  // namespace maskscope::render
