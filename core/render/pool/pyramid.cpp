// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/pyramid.h"

#include <algorithm>
#include <type_traits>

namespace maskscope::render {
namespace {

std::int64_t blocks_of(std::int64_t cells) {
    return (cells + kBlock - 1) / kBlock;
}

std::int64_t key_at(const RawArray& keys, int width, std::int64_t index) {
    switch (width) {
        case 1:
            return keys.as<std::int8_t>()[index];
        case 2:
            return keys.as<std::int16_t>()[index];
        case 4:
            return keys.as<std::int32_t>()[index];
        default:
            return keys.as<std::int64_t>()[index];
    }
}

template <class From, class To>
void halve_into(const From* upper, const From* lower, std::int64_t count, To* out) {
    for (std::int64_t i = 0; i < count / 2; ++i) {
        std::uint32_t sum = std::uint32_t{upper[2 * i]} + upper[2 * i + 1];
        if (lower != nullptr) sum += std::uint32_t{lower[2 * i]} + lower[2 * i + 1];
        out[i] = static_cast<To>(sum);
    }
    if (count % 2 != 0) {
        const std::uint32_t below = lower != nullptr ? lower[count - 1] : 0;
        out[count / 2] = static_cast<To>(upper[count - 1] + below);
    }
}

}  // namespace

std::int64_t CountPlane::at(std::int64_t index) const {
    switch (bytes) {
        case 1:
            return values.as<std::uint8_t>()[index];
        case 2:
            return values.as<std::uint16_t>()[index];
        default:
            return values.as<std::uint32_t>()[index];
    }
}

int count_bytes(int level) {
    // 64 cells in a block of level 0, four times as many in each next one.
    return level == 0 ? 1 : level <= 4 ? 2 : 4;
}

void halve_counts(const CountPlane& from, std::int64_t upper, bool has_lower, std::int64_t count, CountPlane& to,
                  std::int64_t out) {
    const auto run = [&]<class From, class To>(From, To) {
        const From* first = from.values.as<From>() + upper;
        halve_into(first, has_lower ? first + count : nullptr, count, to.values.as<To>() + out);
    };
    if (from.bytes == 1) return run(std::uint8_t{}, std::uint16_t{});
    if (to.bytes == 2) return run(std::uint16_t{}, std::uint16_t{});
    if (from.bytes == 2) return run(std::uint16_t{}, std::uint32_t{});
    run(std::uint32_t{}, std::uint32_t{});
}

Result<Pyramid> Pyramid::allocate(const KeyFormat& format, std::int64_t rows, std::int64_t cols) {
    Pyramid out;
    out.format_ = format;
    std::int64_t block_rows = blocks_of(rows);
    std::int64_t block_cols = blocks_of(cols);
    for (int i = 0; i < kMostLevels; ++i) {
        PyramidLevel level;
        level.rows = block_rows;
        level.cols = block_cols;
        const auto blocks = static_cast<std::size_t>(block_rows * block_cols);
        level.max = RawArray(blocks * static_cast<std::size_t>(format.width));
        level.min = RawArray(blocks * static_cast<std::size_t>(format.width));
        level.zero = {count_bytes(i), RawArray(blocks * static_cast<std::size_t>(count_bytes(i)))};
        const bool counts_masked = format.masked.has_value();
        if (counts_masked) {
            level.masked = {count_bytes(i), RawArray(blocks * static_cast<std::size_t>(count_bytes(i)))};
        }
        if (level.max.data() == nullptr || level.min.data() == nullptr || level.zero.values.data() == nullptr ||
            (counts_masked && level.masked.values.data() == nullptr)) {
            return make_error(ErrorKind::unavailable, "There is no memory for the overview of {} x {} cells", rows,
                              cols)
                .with_hint("close other tensors or look at a slice");
        }
        out.levels_.push_back(std::move(level));
        if (block_rows <= 1 && block_cols <= 1) break;
        block_rows = (block_rows + 1) / 2;
        block_cols = (block_cols + 1) / 2;
    }
    return out;
}

BlockRow Pyramid::block_row(std::int64_t row, std::int64_t col) {
    PyramidLevel& level = levels_.front();
    const std::int64_t at = row * level.cols + col;
    return {level.max.data() + at * format_.width, level.min.data() + at * format_.width,
            level.zero.values.as<std::uint8_t>() + at,
            format_.masked ? level.masked.values.as<std::uint8_t>() + at : nullptr};
}

void Pyramid::halve_row(int level, std::int64_t row) {
    const PyramidLevel& from = levels_[static_cast<std::size_t>(level - 1)];
    PyramidLevel& to = levels_[static_cast<std::size_t>(level)];
    const std::int64_t upper = 2 * row * from.cols;
    const std::int64_t out = row * to.cols;
    const bool has_lower = 2 * row + 1 < from.rows;
    const auto keys = [&](const RawArray& source, RawArray& target, bool want_max) {
        const std::byte* first = source.data() + upper * format_.width;
        halve_keys(format_, first, has_lower ? first + from.cols * format_.width : nullptr, from.cols, want_max,
                   target.data() + out * format_.width);
    };
    keys(from.max, to.max, true);
    keys(from.min, to.min, false);
    halve_counts(from.zero, upper, has_lower, from.cols, to.zero, out);
    if (format_.masked) halve_counts(from.masked, upper, has_lower, from.cols, to.masked, out);
}

Result<void> Pyramid::build_upper(const JobContext& context, Lane lane) {
    for (int i = 1; i < level_count(); ++i) {
        const PyramidLevel& to = level(i);
        const std::int64_t grain =
            std::max<std::int64_t>(1, (std::int64_t{1} << 16) / std::max<std::int64_t>(to.cols, 1));
        parallel_for(lane, to.rows, grain, [&](const Chunk& chunk) {
            if (context.cancelled()) return;
            for (std::int64_t row = chunk.begin; row < chunk.end; ++row) halve_row(i, row);
        });
        if (context.cancelled()) return cancelled_error();
    }
    return {};
}

std::int64_t Pyramid::max_key(int i, std::int64_t row, std::int64_t col) const {
    return key_at(level(i).max, format_.width, row * level(i).cols + col);
}

std::int64_t Pyramid::min_key(int i, std::int64_t row, std::int64_t col) const {
    return key_at(level(i).min, format_.width, row * level(i).cols + col);
}

bool Pyramid::has_specials() const {
    if (!format_.is_float) return false;
    const int top = level_count() - 1;
    for (std::int64_t row = 0; row < level(top).rows; ++row) {
        for (std::int64_t col = 0; col < level(top).cols; ++col) {
            if (max_key(top, row, col) >= format_.special_from) return true;
            if (min_key(top, row, col) <= ~format_.special_from) return true;
        }
    }
    return false;
}

std::size_t Pyramid::bytes() const {
    std::size_t sum = 0;
    for (const PyramidLevel& level : levels_) {
        sum += level.max.size() + level.min.size() + level.zero.values.size() + level.masked.values.size();
    }
    return sum;
}

}  // namespace maskscope::render
