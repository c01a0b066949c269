// SPDX-License-Identifier: Apache-2.0
// Numbers as a dtype's cells and back.
#include "core/mask/plane.h"
#include "core/mask/tile.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <string>

namespace maskscope::mask {
namespace {

Cell bits_of(const void* element, DType dtype) {
    return load_cell(static_cast<const std::byte*>(element), size_of(dtype));
}

std::string words_of(double value) {
    return text_of(Scalar{value}, DType::f64);
}

// A whole number without ".0".
std::string label_words(double value) {
    if (std::abs(value) < 0x1p53 && value == std::trunc(value)) return std::to_string(static_cast<std::int64_t>(value));
    return words_of(value);
}

template <std::integral T>
Result<Cell> whole(double value, DType dtype) {
    using Limits = std::numeric_limits<T>;
    // One above the largest is a power of two, which a double holds; the largest itself it may not.
    const double above = std::ldexp(1.0, Limits::digits);
    const double lowest = std::is_signed_v<T> ? -above : 0.0;
    if (!(value >= lowest && value < above))
        return usage_error(MS_TEXT("the label {} does not fit {}: {} to {}"), label_words(value), name_of(dtype),
                           Limits::min(), Limits::max());
    if (value != std::trunc(value))
        return usage_error(MS_TEXT("the label {} does not fit {}, which holds whole numbers"), label_words(value),
                           name_of(dtype));
    const auto element = static_cast<T>(value);
    return bits_of(&element, dtype);
}

// The nearest of the 256 values; the even one of two that are as near.
Result<Cell> nearest_f8(double value, DType dtype) {
    Cell best;
    double distance = std::numeric_limits<double>::infinity();
    for (std::uint64_t bits = 0; bits < 256; ++bits) {
        const double candidate = value_of({bits}, dtype);
        if (std::signbit(candidate) != std::signbit(value)) continue;
        if (std::isnan(value) ? std::isnan(candidate) : candidate == value) return Cell{bits};
        const double away = std::abs(candidate - value);
        if (away < distance || (away == distance && (bits & 1U) == 0)) {
            best = {bits};
            distance = away;
        }
    }
    return best;
}

Result<Cell> rounded(double value, DType dtype) {
    const auto narrow = static_cast<float>(value);
    switch (dtype) {
        case DType::f64:
            return bits_of(&value, dtype);
        case DType::f32:
            return bits_of(&narrow, dtype);
        case DType::f16:
            return Cell{f16_from_float(narrow)};
        case DType::bf16:
            return Cell{bf16_from_float(narrow)};
        default:
            return nearest_f8(value, dtype);
    }
}

}  // namespace

Result<Cell> cell_of(double value, DType dtype) {
    switch (dtype) {
        case DType::boolean:
            if (value != 0 && value != 1)
                return usage_error(MS_TEXT("the label {} does not fit {}: 0 or 1"), label_words(value), name_of(dtype));
            return Cell{value == 1 ? 1U : 0U};
        case DType::u8:
            return whole<std::uint8_t>(value, dtype);
        case DType::i8:
            return whole<std::int8_t>(value, dtype);
        case DType::i16:
            return whole<std::int16_t>(value, dtype);
        case DType::i32:
            return whole<std::int32_t>(value, dtype);
        case DType::i64:
            return whole<std::int64_t>(value, dtype);
        case DType::u16:
            return whole<std::uint16_t>(value, dtype);
        case DType::u32:
            return whole<std::uint32_t>(value, dtype);
        case DType::u64:
            return whole<std::uint64_t>(value, dtype);
        default:
            break;
    }
    if (std::isfinite(value) && std::abs(value) > largest_finite(dtype))
        return usage_error(MS_TEXT("the value {} does not fit {}: at most {}"), label_words(value), name_of(dtype),
                           label_words(largest_finite(dtype)));
    return rounded(value, dtype);
}

double value_of(Cell cell, DType dtype) {
    std::array<std::byte, 8> element;
    store_cell(element.data(), size_of(dtype), cell);
    return to_double(load_scalar(element.data(), dtype));
}

}  // namespace maskscope::mask
