// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_source.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace maskscope::render {
namespace {

template <class F>
void by_width(int width, F f) {
    switch (width) {
        case 1:
            return f(std::int8_t{});
        case 2:
            return f(std::int16_t{});
        case 4:
            return f(std::int32_t{});
        default:
            return f(std::int64_t{});
    }
}

struct Steps {
    std::int64_t row;  // bytes
    std::int64_t col;
};

template <class T>
void copy_cells(const std::byte* from, Steps steps, std::int64_t rows, std::int64_t cols, std::byte* to) {
    const auto copy = [&](std::int64_t r, std::int64_t c) {
        std::memcpy(to + (r * cols + c) * static_cast<std::int64_t>(sizeof(T)), from + r * steps.row + c * steps.col,
                    sizeof(T));
    };
    // The inner loop walks along the smaller stride, in whole cache lines of the source.
    if (std::abs(steps.row) < std::abs(steps.col)) {
        for (std::int64_t c = 0; c < cols; ++c) {
            for (std::int64_t r = 0; r < rows; ++r) copy(r, c);
        }
    } else {
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t c = 0; c < cols; ++c) copy(r, c);
        }
    }
}

template <class T>
void hidden_row(const KeyFormat& format, const KeyRange& range, bool invert, const std::byte* from, std::int64_t step,
                std::int64_t count, std::uint8_t* out) {
    using U = std::make_unsigned_t<T>;
    const auto lo = static_cast<U>(range.lo);
    const auto span = static_cast<U>(range.span);
    const auto flip = static_cast<U>(format.flip);
    const auto magnitude = static_cast<U>(format.highest);
    const bool is_float = format.is_float;
    const auto test = [&](const std::byte* element) {
        T stored;
        std::memcpy(&stored, element, sizeof(T));
        const auto sign = static_cast<U>(stored >> (sizeof(T) * 8 - 1));
        const auto bits = static_cast<U>(stored);
        const auto key = static_cast<U>(is_float ? bits ^ (sign & magnitude) : bits ^ flip);
        return static_cast<std::uint8_t>((static_cast<U>(key - lo) <= span) != invert);
    };
    if (step == static_cast<std::int64_t>(sizeof(T))) {
        for (std::int64_t i = 0; i < count; ++i) out[i] = test(from + i * static_cast<std::int64_t>(sizeof(T)));
    } else if (step == 0) {
        std::fill(out, out + count, test(from));
    } else {
        for (std::int64_t i = 0; i < count; ++i) out[i] = test(from + i * step);
    }
}

}  // namespace

CellSource::CellSource(const Tensor& tensor) : data_(tensor.data()), width_(static_cast<int>(size_of(tensor.dtype()))) {
    row_stride_ = tensor.strides()[0] * width_;
    col_stride_ = tensor.strides()[1] * width_;
    direct_ = col_stride_ == width_ || tensor.size(1) <= 1;
    transposed_ = !direct_ && std::abs(row_stride_) < std::abs(col_stride_);
}

CellRows CellSource::fetch(const CellRect& rect, std::vector<std::byte>& scratch) const {
    const std::byte* first = data_ + rect.row * row_stride_ + rect.col * col_stride_;
    CellRows cells{first, row_stride_, static_cast<int>(rect.rows), rect.cols, nullptr, 0};
    if (direct_) return cells;
    const std::int64_t rows = row_stride_ == 0 ? std::min<std::int64_t>(rect.rows, 1) : rect.rows;
    const auto bytes = static_cast<std::size_t>(rows * rect.cols * width_);
    if (scratch.size() < bytes) scratch.resize(bytes);
    by_width(width_, [&]<class T>(T) {
        copy_cells<T>(first, {row_stride_, col_stride_}, rows, rect.cols, scratch.data());
    });
    cells.first = scratch.data();
    cells.row_stride = row_stride_ == 0 ? 0 : rect.cols * width_;
    return cells;
}

CellRows CellSource::pick(std::int64_t row, std::span<const std::int64_t> cols, std::vector<std::byte>& scratch) const {
    const auto width = static_cast<std::size_t>(width_);
    if (scratch.size() < cols.size() * width) scratch.resize(cols.size() * width);
    const std::byte* first = data_ + row * row_stride_;
    by_width(width_, [&]<class T>(T) {
        std::byte* to = scratch.data();
        for (const std::int64_t col : cols) {
            std::memcpy(to, first + col * col_stride_, sizeof(T));
            to += sizeof(T);
        }
    });
    return {scratch.data(), 0, 1, static_cast<std::int64_t>(cols.size()), nullptr, 0};
}

HiddenSource::HiddenSource(const MaskPlane& mask)
    : format_(key_format(mask.tensor.dtype(), std::nullopt)), data_(mask.tensor.data()) {
    row_stride_ = mask.tensor.strides()[0] * format_.width;
    col_stride_ = mask.tensor.strides()[1] * format_.width;
    same_rows_ = row_stride_ == 0 || mask.tensor.size(0) <= 1;
    same_cols_ = col_stride_ == 0 || mask.tensor.size(1) <= 1;
    switch (mask.convention) {
        case MaskConvention::keep:
            range_ = format_.zero;
            break;
        case MaskConvention::drop:
            range_ = format_.zero;
            invert_ = true;
            break;
        case MaskConvention::additive:
            const auto low = keys_at_most(format_, additive_threshold(mask.tensor.dtype()));
            never_ = !low;
            range_ = low.value_or(KeyRange{});
            break;
    }
}

void HiddenSource::row(std::int64_t row, std::int64_t col, std::int64_t cols, std::uint8_t* out) const {
    if (never_) {
        std::fill(out, out + cols, std::uint8_t{0});
        return;
    }
    const std::byte* first = data_ + row * row_stride_ + col * col_stride_;
    by_width(format_.width,
             [&]<class T>(T) { hidden_row<T>(format_, range_, invert_, first, col_stride_, cols, out); });
}

void HiddenSource::pick(std::int64_t row, std::span<const std::int64_t> cols, std::vector<std::uint8_t>& scratch,
                        CellRows& cells) const {
    if (scratch.size() < cols.size()) scratch.resize(cols.size());
    for (std::size_t i = 0; i < cols.size(); ++i) this->row(row, cols[i], 1, scratch.data() + i);
    cells.hidden = scratch.data();
    cells.hidden_stride = 0;
}

void HiddenSource::fetch(const CellRect& rect, std::vector<std::uint8_t>& scratch, CellRows& cells) const {
    const std::int64_t rows = same_rows_ ? std::min<std::int64_t>(rect.rows, 1) : rect.rows;
    const auto bytes = static_cast<std::size_t>(rows * rect.cols);
    if (scratch.size() < bytes) scratch.resize(bytes);
    for (std::int64_t r = 0; r < rows; ++r) row(rect.row + r, rect.col, rect.cols, scratch.data() + r * rect.cols);
    cells.hidden = scratch.data();
    cells.hidden_stride = same_rows_ ? 0 : rect.cols;
}

}  // namespace maskscope::render
