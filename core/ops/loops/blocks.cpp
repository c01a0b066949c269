// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/blocks.h"

#include "core/ops/loops/halves.h"
#include "core/tensor/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace maskscope::ops {
namespace {

// Float to int as x86 does it (cvttss2si): toward zero, and the lowest value for what does not fit. PyTorch leaves it
// to the machine; in C++ it would be undefined.
template <class Int, class Float>
Int cut(Float value) {
    constexpr auto kLowest = std::numeric_limits<Int>::min();
    constexpr auto kBelow = static_cast<Float>(static_cast<double>(kLowest) - 1.0);
    constexpr auto kAbove = -static_cast<Float>(kLowest);
    return value > kBelow && value < kAbove ? static_cast<Int>(value) : kLowest;
}

template <class Float>
std::uint64_t cut_u64(Float value) {
    constexpr auto kHalf = static_cast<Float>(9223372036854775808.0);
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63U;
    if (value >= kHalf) return static_cast<std::uint64_t>(cut<std::int64_t>(value - kHalf)) ^ kTop;
    return static_cast<std::uint64_t>(cut<std::int64_t>(value));
}

// What is too large becomes 448 in E4M3 (no infinities) and infinity in E5M2, ties go to even: PyTorch's conversions.
std::uint8_t f8_from_float(float value, int mantissa_bits, int bias, std::uint8_t overflow, std::uint8_t nan) {
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80U : 0U);
    if (std::isnan(value)) return sign | nan;
    const float size = std::fabs(value);
    if (std::isinf(size)) return sign | overflow;
    const int lowest = 1 - bias;
    const int exponent = std::max(size == 0 ? lowest : std::ilogb(size), lowest);
    const auto steps = std::lrint(std::ldexp(static_cast<double>(size), mantissa_bits - exponent));
    // Subnormals have no hidden bit; a carry out of the mantissa moves on to the next exponent by itself.
    const long code = ((static_cast<long>(exponent - lowest)) << mantissa_bits) + steps;
    return static_cast<std::uint8_t>(sign | (code >= overflow ? overflow : static_cast<std::uint8_t>(code)));
}

template <class T>
T read(const std::byte* element) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
}

template <class T, class Source, class Convert>
void write_each(const Source* source, std::int64_t step, std::int64_t count, std::byte* first, Convert convert) {
    if (step == static_cast<std::int64_t>(sizeof(T))) {
        // The constant step lets the compiler use vectors.
        for (std::int64_t i = 0; i < count; ++i) {
            const T value = convert(source[i]);
            std::memcpy(first + i * static_cast<std::int64_t>(sizeof(T)), &value, sizeof(T));
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const T value = convert(source[i]);
        std::memcpy(first + i * step, &value, sizeof(T));
    }
}

template <class Source>
void store(const Source* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first) {
    constexpr bool kInteger = std::is_integral_v<Source>;
    const auto each = [&]<class T>(T, auto convert) { write_each<T>(source, step, count, first, convert); };
    const auto narrow = [&]<class T>(T) {
        each(T{}, [](Source v) {
            if constexpr (kInteger)
                return static_cast<T>(v);
            else
                return static_cast<T>(cut<std::int32_t>(v));
        });
    };
    const auto wide = [&]<class T>(T) {
        each(T{}, [](Source v) {
            if constexpr (kInteger)
                return static_cast<T>(v);
            else
                return static_cast<T>(cut<std::int64_t>(v));
        });
    };
    switch (dtype) {
        case DType::boolean:
            return each(std::uint8_t{}, [](Source v) { return static_cast<std::uint8_t>(v != 0); });
        case DType::u8:
            return wide(std::uint8_t{});
        case DType::i8:
            return narrow(std::int8_t{});
        case DType::i16:
            return narrow(std::int16_t{});
        case DType::i32:
            return narrow(std::int32_t{});
        case DType::i64:
            return wide(std::int64_t{});
        case DType::u16:
            return narrow(std::uint16_t{});
        case DType::u32:
            return wide(std::uint32_t{});
        case DType::u64:
            return each(std::uint64_t{}, [](Source v) {
                if constexpr (kInteger)
                    return static_cast<std::uint64_t>(v);
                else
                    return cut_u64(v);
            });
        case DType::f32:
            return each(float{}, [](Source v) { return static_cast<float>(v); });
        case DType::f64:
            return each(double{}, [](Source v) { return static_cast<double>(v); });
        case DType::f16:
            return each(std::uint16_t{}, [](Source v) { return half_from_single(static_cast<float>(v)); });
        case DType::bf16:
            return each(std::uint16_t{}, [](Source v) { return brain_from_single(static_cast<float>(v)); });
        case DType::f8_e4m3:
            return each(std::uint8_t{},
                        [](Source v) { return f8_from_float(static_cast<float>(v), 3, 7, 0x7E, 0x7F); });
        case DType::f8_e5m2:
            return each(std::uint8_t{},
                        [](Source v) { return f8_from_float(static_cast<float>(v), 2, 15, 0x7C, 0x7F); });
    }
}

std::int64_t elements(std::int64_t step, DType dtype) {
    return step / static_cast<std::int64_t>(size_of(dtype));
}

}  // namespace

Compute compute_of(DType dtype) {
    if (dtype == DType::f64) return Compute::f64;
    return is_floating(dtype) ? Compute::f32 : Compute::i64;
}

void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, float* dst) {
    if (step == 2 && dtype == DType::f16) {
        for (std::int64_t i = 0; i < count; ++i) dst[i] = single_from_half(read<std::uint16_t>(first + 2 * i));
        return;
    }
    if (step == 2 && dtype == DType::bf16) {
        for (std::int64_t i = 0; i < count; ++i) dst[i] = single_from_brain(read<std::uint16_t>(first + 2 * i));
        return;
    }
    convert_to_f32(first, dtype, elements(step, dtype), count, dst);
}

void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, double* dst) {
    convert_to_f64(first, dtype, elements(step, dtype), count, dst);
}

void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::int64_t* dst) {
    const auto each = [&](auto load) {
        for (std::int64_t i = 0; i < count; ++i) dst[i] = static_cast<std::int64_t>(load(first + i * step));
    };
    const auto plain = [&]<class T>(T) {
        if (step == static_cast<std::int64_t>(sizeof(T))) {
            for (std::int64_t i = 0; i < count; ++i)
                dst[i] = static_cast<std::int64_t>(read<T>(first + i * static_cast<std::int64_t>(sizeof(T))));
            return;
        }
        each([](const std::byte* p) { return read<T>(p); });
    };
    switch (dtype) {
        case DType::boolean:
            return each([](const std::byte* p) { return read<std::uint8_t>(p) != 0; });
        case DType::u8:
            return plain(std::uint8_t{});
        case DType::i8:
            return plain(std::int8_t{});
        case DType::i16:
            return plain(std::int16_t{});
        case DType::i32:
            return plain(std::int32_t{});
        case DType::i64:
            return plain(std::int64_t{});
        case DType::u16:
            return plain(std::uint16_t{});
        case DType::u32:
            return plain(std::uint32_t{});
        case DType::u64:
            return plain(std::uint64_t{});
        default:
            break;
    }
    each([&](const std::byte* p) {
        double value = 0;
        convert_to_f64(p, dtype, 1, 1, &value);
        return cut<std::int64_t>(value);
    });
}

void store_block(const float* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first) {
    store(source, dtype, step, count, first);
}

void store_block(const double* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first) {
    store(source, dtype, step, count, first);
}

void store_block(const std::int64_t* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first) {
    store(source, dtype, step, count, first);
}

void store_number(double value, DType dtype, std::byte* element) {
    store(&value, dtype, static_cast<std::int64_t>(size_of(dtype)), 1, element);
}

void store_number(std::int64_t value, DType dtype, std::byte* element) {
    store(&value, dtype, static_cast<std::int64_t>(size_of(dtype)), 1, element);
}

}  // namespace maskscope::ops
