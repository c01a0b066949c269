// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/image_levels.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

namespace maskscope::render {
namespace {

constexpr std::int64_t kFirst = 4;   // side of the smallest block
constexpr std::int64_t kStrip = 64;  // rows that one chunk reads, and the largest block that it makes

std::int64_t blocks(std::int64_t cells, std::int64_t unit) {
    return (cells + unit - 1) / unit;
}

// Sums of blocks, one line of them, all channels of a block side by side. Exact: below 2^53.
using SumRow = std::vector<double>;

// Adds the image row to a line of 4 x 4 sums.
void add_plain(const std::uint8_t* row, std::int64_t cols, int channels, double* sums) {
    const auto one_block = [&](std::int64_t first, std::int64_t count, double* to) {
        for (int c = 0; c < channels; ++c) {
            std::uint32_t sum = 0;
            for (std::int64_t i = 0; i < count; ++i) sum += row[(first + i) * channels + c];
            to[c] += sum;
        }
    };
    for (std::int64_t block = 0; block < blocks(cols, kFirst); ++block)
        one_block(block * kFirst, std::min(kFirst, cols - block * kFirst), sums + block * channels);
}

void add_floats(const float* row, std::int64_t cols, int channels, double* sums) {
    for (std::int64_t i = 0; i < cols; ++i) {
        double* to = sums + i / kFirst * channels;
        for (int c = 0; c < channels; ++c) to[c] += row[i * channels + c];
    }
}

// The line of sums of a level becomes its means.
void store_means(const ImageSource& source, ImageLevel& level, std::int64_t line, const SumRow& sums) {
    const int channels = source.shown;
    const std::int64_t height = std::min(level.unit, source.rows - line * level.unit);
    const auto put = [&](auto* to, double half) {
        using T = std::remove_pointer_t<decltype(to)>;
        to += line * level.cols * channels;
        for (std::int64_t block = 0; block < level.cols; ++block) {
            const std::int64_t width = std::min(level.unit, source.cols - block * level.unit);
            const auto area = static_cast<double>(height * width);
            for (int c = 0; c < channels; ++c) {
                const auto at = static_cast<std::size_t>(block * channels + c);
                to[at] = static_cast<T>(sums[at] / area + half);
            }
        }
    };
    switch (source.level) {
        case LevelType::u8:
            put(level.values.as<std::uint8_t>(), 0.5);
            break;
        case LevelType::u16:
            put(level.values.as<std::uint16_t>(), 0.5);
            break;
        case LevelType::f32:
            put(level.values.as<float>(), 0);
            break;
    }
}

// Two lines of sums, or one at the image's end, to one of blocks twice as large.
SumRow halved(const SumRow& upper, const SumRow* lower, int channels) {
    const std::int64_t count = static_cast<std::int64_t>(upper.size()) / channels;
    SumRow out(static_cast<std::size_t>(blocks(count, 2) * channels));
    for (std::int64_t i = 0; i < count; ++i) {
        for (int c = 0; c < channels; ++c) {
            const auto from = static_cast<std::size_t>(i * channels + c);
            out[static_cast<std::size_t>(i / 2 * channels + c)] +=
                upper[from] + (lower != nullptr ? (*lower)[from] : 0);
        }
    }
    return out;
}

std::vector<SumRow> halved_rows(const std::vector<SumRow>& lines, int channels) {
    std::vector<SumRow> out;
    for (std::size_t i = 0; i < lines.size(); i += 2)
        out.push_back(halved(lines[i], i + 1 < lines.size() ? &lines[i + 1] : nullptr, channels));
    return out;
}

class Builder {
public:
    Builder(const ImageSource& source, const JobContext& context) : source_(source), context_(context) {}

    Result<ImageLevels> run() {
        MS_CHECK(allocate());
        tops_.resize(static_cast<std::size_t>(blocks(source_.rows, kStrip)));
        parallel_for(Lane::background, source_.rows, kStrip, [&](const Chunk& chunk) {
            if (!context_.cancelled()) build_strip(chunk);
        });
        if (context_.cancelled()) return cancelled_error();
        build_above();
        return std::move(out_);
    }

private:
    Result<void> allocate() {
        std::int64_t unit = kFirst;
        do {
            ImageLevel level;
            level.unit = unit;
            level.rows = blocks(source_.rows, unit);
            level.cols = blocks(source_.cols, unit);
            const auto bytes =
                static_cast<std::size_t>(level.rows * level.cols * source_.shown) * size_of(source_.level);
            level.values = RawArray(bytes);
            if (level.values.data() == nullptr)
                return make_error(ErrorKind::unavailable,
                                  MS_TEXT("there is not enough memory for the levels of this image"));
            out_.levels.push_back(std::move(level));
            unit *= 2;
        } while (out_.levels.back().rows > 1 || out_.levels.back().cols > 1);
        return {};
    }

    // All levels up to blocks of a strip's height; its sums of these stay for what comes above.
    void build_strip(const Chunk& chunk) {
        const auto width = static_cast<std::size_t>(out_.levels.front().cols * source_.shown);
        std::vector<SumRow> lines(static_cast<std::size_t>(blocks(chunk.end - chunk.begin, kFirst)), SumRow(width));
        std::vector<float> row;
        if (!source_.plain) row.resize(static_cast<std::size_t>(source_.cols * source_.shown));
        for (std::int64_t r = chunk.begin; r < chunk.end; ++r) {
            double* sums = lines[static_cast<std::size_t>((r - chunk.begin) / kFirst)].data();
            if (source_.plain) {
                add_plain(source_.plain_row(r), source_.cols, source_.shown, sums);
            } else {
                source_.read(r, 0, source_.cols, row.data());
                add_floats(row.data(), source_.cols, source_.shown, sums);
            }
        }
        for (auto& level : out_.levels) {
            for (std::size_t i = 0; i < lines.size(); ++i)
                store_means(source_, level, chunk.begin / level.unit + static_cast<std::int64_t>(i), lines[i]);
            if (level.unit == kStrip || &level == &out_.levels.back()) break;
            lines = halved_rows(lines, source_.shown);
        }
        tops_[static_cast<std::size_t>(chunk.index)] = std::move(lines.front());
        context_.advance((chunk.end - chunk.begin) * source_.cols);
    }

    void build_above() {
        std::vector<SumRow> lines = std::move(tops_);
        for (auto& level : out_.levels) {
            if (level.unit <= kStrip) continue;
            lines = halved_rows(lines, source_.shown);
            for (std::size_t i = 0; i < lines.size(); ++i)
                store_means(source_, level, static_cast<std::int64_t>(i), lines[i]);
        }
    }

    const ImageSource& source_;
    const JobContext& context_;
    ImageLevels out_;
    std::vector<SumRow> tops_;
};

}  // namespace

const ImageLevel* ImageLevels::for_cells(double cells) const {
    const ImageLevel* found = nullptr;
    for (const auto& level : levels) {
        const double least = level.unit == kFirst ? kFirst : 2.0 * static_cast<double>(level.unit);
        if (cells >= least) found = &level;
    }
    return found;
}

Result<ImageLevels> build_levels(const ImageSource& source, const JobContext& context) {
    return Builder(source, context).run();
}

}  // namespace maskscope::render
