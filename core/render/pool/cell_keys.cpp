// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_keys.h"

#include "core/tensor/convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace maskscope::render {
namespace {

std::uint64_t magnitude_mask(int width) {
    return ~std::uint64_t{0} >> (64 - width * 8 + 1);
}

std::int64_t sign_extended(std::uint64_t bits, int width) {
    const int shift = 64 - width * 8;
    return static_cast<std::int64_t>(bits << shift) >> shift;
}

std::uint64_t bits_from_key(const KeyFormat& format, std::int64_t key) {
    const auto flipped =
        format.is_float ? (key < 0 ? magnitude_mask(format.width) : 0) : static_cast<std::uint64_t>(format.flip);
    const std::uint64_t bits = static_cast<std::uint64_t>(key) ^ flipped;
    return bits & (magnitude_mask(format.width) * 2 + 1);
}

std::uint64_t special_bits(DType dtype) {
    switch (dtype) {
        case DType::f16:
            return 0x7c00;
        case DType::bf16:
            return 0x7f80;
        case DType::f32:
            return 0x7f800000;
        case DType::f64:
            return 0x7ff0000000000000;
        case DType::f8_e4m3:
            return 0x7f;
        case DType::f8_e5m2:
            return 0x7c;
        default:
            return 0;
    }
}

bool is_unsigned(DType dtype) {
    return dtype == DType::boolean || dtype == DType::u8 || dtype == DType::u16 || dtype == DType::u32 ||
           dtype == DType::u64;
}

// The first key in [from, to) whose value is not below (or, with `beyond`, is above) the wanted one; else `to`.
std::int64_t bound(const KeyFormat& format, std::int64_t from, std::int64_t to, double wanted, bool beyond) {
    while (from < to) {
        const std::int64_t middle =
            from + static_cast<std::int64_t>((static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)) / 2);
        const double value = double_from_key(format, middle);
        if (beyond ? value > wanted : value >= wanted) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    return from;
}

// The first and the last key of a number, infinities included.
struct Ends {
    std::int64_t first;
    std::int64_t last;
};
Ends number_keys(const KeyFormat& format) {
    const std::int64_t first = format.finite.lo;
    const auto last = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + format.finite.span);
    return format.has_inf ? Ends{first - 1, last + 1} : Ends{first, last};
}

KeyRange range_of(std::int64_t first, std::int64_t last) {
    return {first, static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first)};
}

// The last key of a number that is at most `value`, which some number must be.
std::int64_t last_at_most(const KeyFormat& format, std::int64_t from, std::int64_t last, double value) {
    const std::int64_t beyond = bound(format, from, last, value, true);
    return double_from_key(format, beyond) > value ? beyond - 1 : beyond;
}

// Keys whose value is exactly the wanted one. In 64 bits several integers round to one double.
std::optional<KeyRange> keys_equal_to(const KeyFormat& format, double wanted) {
    const Ends ends = number_keys(format);
    const std::int64_t first = bound(format, ends.first, ends.last, wanted, false);
    if (double_from_key(format, first) != wanted) return std::nullopt;
    return range_of(first, last_at_most(format, first, ends.last, wanted));
}

template <class Key, class Convert>
void convert_all(const Key* keys, std::int64_t count, float* out, Convert convert) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = convert(keys[i]);
}

}  // namespace

KeyFormat key_format(DType dtype, std::optional<double> masked_value) {
    KeyFormat format;
    format.dtype = dtype;
    format.width = static_cast<int>(size_of(dtype));
    format.is_float = is_floating(dtype);
    format.highest = static_cast<std::int64_t>(magnitude_mask(format.width));
    format.lowest = ~format.highest;
    if (format.is_float) {
        format.special_from = static_cast<std::int64_t>(special_bits(dtype));
        format.has_inf = dtype != DType::f8_e4m3;
        format.finite = {~format.special_from + 1, 2 * static_cast<std::uint64_t>(format.special_from) - 1};
        format.zero = {-1, 1};
        const std::int64_t normal = bound(format, 0, format.special_from, smallest_normal(dtype), false);
        format.tiny = {-normal, 2 * static_cast<std::uint64_t>(normal) - 1};
    } else {
        format.flip = is_unsigned(dtype) ? format.lowest : 0;
        format.finite = {format.lowest, magnitude_mask(format.width) * 2 + 1};
        format.zero = {format.flip, 0};
        format.tiny = format.zero;
    }
    if (masked_value) format.masked = keys_equal_to(format, *masked_value);
    return format;
}

std::optional<KeyRange> keys_at_most(const KeyFormat& format, double value) {
    const Ends ends = number_keys(format);
    if (!(double_from_key(format, ends.first) <= value)) return std::nullopt;
    return range_of(ends.first, last_at_most(format, ends.first, ends.last, value));
}

std::int64_t key_from_bits(const KeyFormat& format, std::uint64_t bits) {
    const std::int64_t extended = sign_extended(bits, format.width);
    if (!format.is_float) return extended ^ format.flip;
    return extended < 0 ? extended ^ static_cast<std::int64_t>(magnitude_mask(format.width)) : extended;
}

double double_from_key(const KeyFormat& format, std::int64_t key) {
    const std::uint64_t bits = bits_from_key(format, key);
    switch (format.dtype) {
        case DType::boolean:
            return bits != 0 ? 1 : 0;
        case DType::f16:
            return float_from_f16(static_cast<std::uint16_t>(bits));
        case DType::bf16:
            return float_from_bf16(static_cast<std::uint16_t>(bits));
        case DType::f32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case DType::f64:
            return std::bit_cast<double>(bits);
        case DType::f8_e4m3:
            return float_from_f8_e4m3(static_cast<std::uint8_t>(bits));
        case DType::f8_e5m2:
            return float_from_f8_e5m2(static_cast<std::uint8_t>(bits));
        case DType::u8:
        case DType::u16:
        case DType::u32:
        case DType::u64:
            return static_cast<double>(bits);
        case DType::i8:
        case DType::i16:
        case DType::i32:
        case DType::i64:
            return static_cast<double>(key);
    }
    return 0;
}

float float_from_double(double value) {
    constexpr double kMax = std::numeric_limits<float>::max();
    const auto rounded = static_cast<float>(std::clamp(value, -kMax, kMax));
    if (rounded == 0 && value != 0) {
        return std::copysign(std::numeric_limits<float>::denorm_min(), value > 0 ? 1.0F : -1.0F);
    }
    return rounded;
}

template <class Key>
void floats_from_keys(const KeyFormat& format, const Key* keys, std::int64_t count, float* out) {
    const auto generic = [&] {
        convert_all(keys, count, out, [&](Key key) { return float_from_double(double_from_key(format, key)); });
    };
    if constexpr (sizeof(Key) == 1) {
        std::array<float, 256> table{};
        for (int key = -128; key < 128; ++key) {
            table[static_cast<std::size_t>(key + 128)] = static_cast<float>(double_from_key(format, key));
        }
        convert_all(keys, count, out, [&](Key key) { return table[static_cast<std::size_t>(key + 128)]; });
    } else if constexpr (sizeof(Key) == 2) {
        const auto bits = [](Key key) {
            return static_cast<std::uint16_t>(key ^ static_cast<Key>((key >> 15) & 0x7fff));
        };
        switch (format.dtype) {
            case DType::f16:
                convert_all(keys, count, out, [&](Key key) { return float_from_f16(bits(key)); });
                break;
            case DType::bf16:
                convert_all(keys, count, out, [&](Key key) { return float_from_bf16(bits(key)); });
                break;
            default:
                convert_all(keys, count, out,
                            [&](Key key) { return static_cast<float>(key - static_cast<int>(format.flip)); });
        }
    } else if constexpr (sizeof(Key) == 4) {
        if (format.dtype == DType::f32) {
            convert_all(keys, count, out,
                        [](Key key) { return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff)); });
        } else {
            generic();
        }
    } else {
        generic();
    }
}

template void floats_from_keys(const KeyFormat&, const std::int8_t*, std::int64_t, float*);
template void floats_from_keys(const KeyFormat&, const std::int16_t*, std::int64_t, float*);
template void floats_from_keys(const KeyFormat&, const std::int32_t*, std::int64_t, float*);
template void floats_from_keys(const KeyFormat&, const std::int64_t*, std::int64_t, float*);

}  // namespace maskscope::render
