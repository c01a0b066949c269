// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/label_cells.h"

#include "core/tensor/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace maskscope::render {
namespace {

constexpr std::int64_t kBlock = 256;  // elements of the rarer dtypes converted at a time
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();

template <class T>
void whole_labels(const T* from, std::int64_t count, std::int32_t* out) {
    for (std::int64_t i = 0; i < count; ++i) {
        if constexpr (std::is_unsigned_v<T>) {
            out[i] = static_cast<std::int32_t>(std::min<std::uint64_t>(from[i], kMost));
        } else {
            out[i] = static_cast<std::int32_t>(std::clamp<std::int64_t>(from[i], kLeast, kMost));
        }
    }
}

template <class T>
void rounded_labels(const T* from, std::int64_t count, std::int32_t* out) {
    for (std::int64_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(from[i]);
        if (std::isnan(value) || value == 0) {
            out[i] = 0;
            continue;
        }
        const auto label = static_cast<std::int32_t>(
            std::clamp(std::round(value), static_cast<double>(kLeast), static_cast<double>(kMost)));
        out[i] = label != 0 ? label : value < 0 ? -1 : 1;
    }
}

template <class T>
void soft_labels(const T* from, std::int64_t count, double threshold, std::int32_t* out) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<double>(from[i]) >= threshold ? 1 : 0;
}

// Runs body(elements of their own type, count, out) in blocks: as float, but f64 and integers of 32 bits and more as
// double.
template <class Body>
void in_blocks(const std::byte* cells, DType dtype, std::int64_t count, std::int32_t* out, Body body) {
    if (dtype == DType::f32) return body(reinterpret_cast<const float*>(cells), count, out);
    if (dtype == DType::f64) return body(reinterpret_cast<const double*>(cells), count, out);
    std::array<double, kBlock> line;
    for (std::int64_t done = 0; done < count; done += kBlock) {
        const std::int64_t part = std::min(kBlock, count - done);
        convert_to_f64(cells + done * static_cast<std::int64_t>(size_of(dtype)), dtype, 1, part, line.data());
        body(static_cast<const double*>(line.data()), part, out + done);
    }
}

}  // namespace

std::int32_t CellLabels::of(mask::Cell cell) const {
    std::int32_t label = 0;
    convert(reinterpret_cast<const std::byte*>(&cell.bits), 1, &label);
    return label;
}

void CellLabels::convert(const std::byte* cells, std::int64_t count, std::int32_t* out) const {
    convert_stored(cells, count, out);
    if (!rule_.inverted) return;
    for (std::int64_t i = 0; i < count; ++i) out[i] = out[i] == 0 ? 1 : 0;
}

void CellLabels::convert_stored(const std::byte* cells, std::int64_t count, std::int32_t* out) const {
    if (rule_.soft) {
        return in_blocks(cells, dtype_, count, out, [this](const auto* from, std::int64_t part, std::int32_t* to) {
            soft_labels(from, part, rule_.threshold, to);
        });
    }
    const auto as = [&]<class T>(T) { whole_labels(reinterpret_cast<const T*>(cells), count, out); };
    switch (dtype_) {
        case DType::boolean:
        case DType::u8:
            return as(std::uint8_t{});
        case DType::i8:
            return as(std::int8_t{});
        case DType::i16:
            return as(std::int16_t{});
        case DType::u16:
            return as(std::uint16_t{});
        case DType::i32:
            return as(std::int32_t{});
        case DType::u32:
            return as(std::uint32_t{});
        case DType::i64:
            return as(std::int64_t{});
        case DType::u64:
            return as(std::uint64_t{});
        default:
            break;
    }
    in_blocks(cells, dtype_, count, out,
              [](const auto* from, std::int64_t part, std::int32_t* to) { rounded_labels(from, part, to); });
}

}  // namespace maskscope::render
