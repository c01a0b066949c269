// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/image_means.h"

#include <algorithm>

namespace maskscope::render {
namespace {

// Rows of a pixel whose weighted sum of bytes fits 16 bits.
constexpr std::int64_t kNarrowRows = 257;

// n / area for n below 2^8 * (area + 1), by a multiplication where that is exact.
class Divider {
public:
    explicit Divider(std::uint64_t area)
        : area_(area), inverse_(area < kMost ? (std::uint64_t{1} << 40U) / area + 1 : 0) {}
    std::uint64_t operator()(std::uint64_t n) const { return inverse_ != 0 ? n * inverse_ >> 40U : n / area_; }

private:
    static constexpr std::uint64_t kMost = 60'000;
    std::uint64_t area_;
    std::uint64_t inverse_;
};

template <class Acc>
void add_line(const std::uint8_t* __restrict from, std::int64_t count, std::int32_t cells, bool begin,
              Acc* __restrict sums) {
    const auto weight = static_cast<Acc>(cells);
    if (begin) {
        for (std::int64_t i = 0; i < count; ++i) sums[i] = static_cast<Acc>(from[i] * weight);
    } else {
        for (std::int64_t i = 0; i < count; ++i) sums[i] = static_cast<Acc>(sums[i] + from[i] * weight);
    }
}

// The sum of a pixel's cells, from the column sums of the blocks that it touches.
template <int kChannels, class Acc, class Sum>
void add_across(const Acc* from, const UnitSpan& span, std::int64_t unit, Sum* sum) {
    for (int c = 0; c < kChannels; ++c) sum[c] = static_cast<Sum>(from[c]) * static_cast<Sum>(span.first_cells);
    if (span.count == 1) return;
    std::array<Sum, kChannels> middle{};
    const Acc* const last = from + static_cast<std::ptrdiff_t>(span.count - 1) * kChannels;
    for (from += kChannels; from != last; from += kChannels)
        for (int c = 0; c < kChannels; ++c) middle[static_cast<std::size_t>(c)] += from[c];
    for (int c = 0; c < kChannels; ++c)
        sum[c] += middle[static_cast<std::size_t>(c)] * static_cast<Sum>(unit) +
                  static_cast<Sum>(last[c]) * static_cast<Sum>(span.last_cells);
}

std::int64_t cells_of(const UnitSpan& span, std::int64_t unit) {
    return span.count == 1 ? span.first_cells : span.first_cells + (span.count - 2) * unit + span.last_cells;
}

template <int kChannels, class Acc, class Sum>
void divide_plain(const Acc* sums, const std::vector<UnitSpan>& spans, std::int64_t first, std::int64_t unit,
                  std::int64_t rows, std::uint8_t* out) {
    std::int64_t last_area = 0;
    Divider divide(1);
    for (const auto& span : spans) {
        const std::int64_t area = rows * cells_of(span, unit);
        if (area != last_area) {
            divide = Divider(static_cast<std::uint64_t>(area));
            last_area = area;
        }
        Sum sum[kChannels];
        add_across<kChannels, Acc, Sum>(sums + (span.first - first) * kChannels, span, unit, sum);
        for (int c = 0; c < kChannels; ++c)
            *out++ = static_cast<std::uint8_t>(divide(sum[c] + static_cast<std::uint64_t>(area) / 2));
    }
}

template <int kChannels>
void divide_any(const double* sums, const std::vector<UnitSpan>& spans, std::int64_t first, std::int64_t unit,
                std::int64_t rows, double* out) {
    for (const auto& span : spans) {
        add_across<kChannels, double, double>(sums + (span.first - first) * kChannels, span, unit, out);
        const auto area = static_cast<double>(rows * cells_of(span, unit));
        for (int c = 0; c < kChannels; ++c) *out++ /= area;
    }
}

}  // namespace

std::vector<UnitSpan> unit_spans(const SideCells& side, std::int64_t unit) {
    std::vector<UnitSpan> out(static_cast<std::size_t>(side.count()));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t begin = side.cell[i];
        const std::int64_t end = side.cell[i + 1];
        auto& span = out[i];
        span.first = begin / unit;
        const std::int64_t last = (end - 1) / unit;
        span.count = static_cast<std::int32_t>(last - span.first + 1);
        span.first_cells = static_cast<std::int32_t>(std::min((span.first + 1) * unit, end) - begin);
        span.last_cells = static_cast<std::int32_t>(end - std::max(last * unit, begin));
    }
    return out;
}

MeanRows::MeanRows(const ImageSource& source, const ImageLevel* level, const SideCells& across)
    : source_(source), level_(level), unit_(level != nullptr ? level->unit : 1), spans_(unit_spans(across, unit_)) {
    if (spans_.empty()) return;
    first_ = spans_.front().first;
    count_ = spans_.back().first + spans_.back().count - first_;
    for (const auto& span : spans_) widest_ = std::max(widest_, cells_of(span, unit_));
}

std::int32_t MeanRows::cells_in(std::int64_t line, std::int64_t row_begin, std::int64_t row_end) const {
    return static_cast<std::int32_t>(std::min((line + 1) * unit_, row_end) - std::max(line * unit_, row_begin));
}

const std::uint8_t* MeanRows::plain_line(std::int64_t line) const {
    const int channels = source_.shown;
    if (level_ == nullptr) return source_.plain_row(line) + first_ * channels;
    return level_->values.as<std::uint8_t>() + (line * level_->cols + first_) * channels;
}

template <class Acc>
const Acc* MeanRows::add_plain_lines(std::vector<Acc>& sums, std::int64_t row_begin, std::int64_t row_end) {
    sums.resize(static_cast<std::size_t>(count_ * source_.shown));
    const std::int64_t begin = row_begin / unit_;
    for (std::int64_t line = begin; line * unit_ < row_end; ++line)
        add_line(plain_line(line), count_ * source_.shown, cells_in(line, row_begin, row_end), line == begin,
                 sums.data());
    return sums.data();
}

void MeanRows::plain(std::int64_t row_begin, std::int64_t row_end, std::uint8_t* out) {
    const std::int64_t rows = row_end - row_begin;
    // With at most that many columns too, a pixel's sum fits 32 bits.
    if (rows <= kNarrowRows && widest_ <= kNarrowRows) {
        const std::uint16_t* sums = add_plain_lines(narrow_, row_begin, row_end);
        if (source_.shown == 1)
            return divide_plain<1, std::uint16_t, std::uint32_t>(sums, spans_, first_, unit_, rows, out);
        return divide_plain<3, std::uint16_t, std::uint32_t>(sums, spans_, first_, unit_, rows, out);
    }
    const std::uint32_t* sums = add_plain_lines(wide_, row_begin, row_end);
    if (source_.shown == 1)
        return divide_plain<1, std::uint32_t, std::uint64_t>(sums, spans_, first_, unit_, rows, out);
    divide_plain<3, std::uint32_t, std::uint64_t>(sums, spans_, first_, unit_, rows, out);
}

const float* MeanRows::any_line(std::int64_t line) {
    const std::int64_t numbers = count_ * source_.shown;
    line_.resize(static_cast<std::size_t>(numbers));
    if (level_ == nullptr) {
        source_.read(line, first_, count_, line_.data());
        return line_.data();
    }
    const std::int64_t begin = (line * level_->cols + first_) * source_.shown;
    const auto copy = [&](const auto* from) { std::copy_n(from + begin, numbers, line_.data()); };
    if (source_.level == LevelType::f32) return level_->values.as<float>() + begin;
    if (source_.level == LevelType::u8) copy(level_->values.as<std::uint8_t>());
    if (source_.level == LevelType::u16) copy(level_->values.as<std::uint16_t>());
    return line_.data();
}

void MeanRows::any(std::int64_t row_begin, std::int64_t row_end, double* out) {
    const std::int64_t numbers = count_ * source_.shown;
    sums_.assign(static_cast<std::size_t>(numbers), 0);
    for (std::int64_t line = row_begin / unit_; line * unit_ < row_end; ++line) {
        const float* from = any_line(line);
        const auto cells = static_cast<double>(cells_in(line, row_begin, row_end));
        for (std::int64_t i = 0; i < numbers; ++i)
            sums_[static_cast<std::size_t>(i)] += cells * static_cast<double>(from[i]);
    }
    const std::int64_t rows = row_end - row_begin;
    switch (source_.shown) {
        case 1:
            return divide_any<1>(sums_.data(), spans_, first_, unit_, rows, out);
        case 2:
            return divide_any<2>(sums_.data(), spans_, first_, unit_, rows, out);
        case 3:
            return divide_any<3>(sums_.data(), spans_, first_, unit_, rows, out);
        default:
            return divide_any<4>(sums_.data(), spans_, first_, unit_, rows, out);
    }
}

}  // namespace maskscope::render
