// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/convert.h"

#include <fmt/format.h>
#include <Eigen/Core>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace maskscope {
namespace {

template <class T>
T load(const std::byte* element) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return value;
}

// OCP 8-bit floating point: no infinities in E4M3, S.1111.111 is NaN.
float decode_f8_e4m3(unsigned bits) {
    const float sign = (bits & 0x80U) != 0 ? -1.0F : 1.0F;
    const unsigned exponent = (bits >> 3U) & 0xFU;
    const unsigned mantissa = bits & 0x7U;
    if (exponent == 0xFU && mantissa == 0x7U) return std::numeric_limits<float>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -9);
    return sign * std::ldexp(static_cast<float>(8U + mantissa), static_cast<int>(exponent) - 10);
}

const std::array<float, 256>& f8_e4m3_table() {
    static const auto table = [] {
        std::array<float, 256> out{};
        for (unsigned i = 0; i < 256; ++i) out[i] = decode_f8_e4m3(i);
        return out;
    }();
    return table;
}

template <class Out, class Load>
void convert_each(const std::byte* first, std::size_t size, std::int64_t stride, std::int64_t count, Out* dst,
                  Load load_one) {
    const std::int64_t step = stride * static_cast<std::int64_t>(size);
    for (std::int64_t i = 0; i < count; ++i) dst[i] = load_one(first + i * step);
}

template <class Out>
void convert(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t count, Out* dst) {
    const std::size_t size = size_of(dtype);
    const auto each = [&](auto load_one) { convert_each(first, size, stride, count, dst, load_one); };
    const auto plain = [&]<class T>(T) { each([](const std::byte* p) { return static_cast<Out>(load<T>(p)); }); };
    switch (dtype) {
        case DType::boolean:
            return each([](const std::byte* p) { return static_cast<Out>(load<std::uint8_t>(p) != 0); });
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
        case DType::f32:
            return plain(float{});
        case DType::f64:
            return plain(double{});
        case DType::f16:
            return each([](const std::byte* p) { return static_cast<Out>(float_from_f16(load<std::uint16_t>(p))); });
        case DType::bf16:
            return each([](const std::byte* p) { return static_cast<Out>(float_from_bf16(load<std::uint16_t>(p))); });
        case DType::f8_e4m3:
            return each([](const std::byte* p) { return static_cast<Out>(float_from_f8_e4m3(load<std::uint8_t>(p))); });
        case DType::f8_e5m2:
            return each([](const std::byte* p) { return static_cast<Out>(float_from_f8_e5m2(load<std::uint8_t>(p))); });
    }
}

}  // namespace

float float_from_f16(std::uint16_t bits) {
    return static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(bits));
}

float float_from_bf16(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

float float_from_f8_e4m3(std::uint8_t bits) {
    return f8_e4m3_table()[bits];
}

float float_from_f8_e5m2(std::uint8_t bits) {
    // E5M2 is the upper half of a float16.
    return float_from_f16(static_cast<std::uint16_t>(static_cast<unsigned>(bits) << 8U));
}

std::uint16_t f16_from_float(float value) {
    return Eigen::numext::bit_cast<std::uint16_t>(Eigen::half(value));
}

std::uint16_t bf16_from_float(float value) {
    return Eigen::numext::bit_cast<std::uint16_t>(Eigen::bfloat16(value));
}

Scalar load_scalar(const std::byte* element, DType dtype) {
    switch (dtype) {
        case DType::boolean:
            return load<std::uint8_t>(element) != 0;
        case DType::u8:
            return std::int64_t{load<std::uint8_t>(element)};
        case DType::i8:
            return std::int64_t{load<std::int8_t>(element)};
        case DType::i16:
            return std::int64_t{load<std::int16_t>(element)};
        case DType::i32:
            return std::int64_t{load<std::int32_t>(element)};
        case DType::i64:
            return load<std::int64_t>(element);
        case DType::u16:
            return std::int64_t{load<std::uint16_t>(element)};
        case DType::u32:
            return std::int64_t{load<std::uint32_t>(element)};
        case DType::u64:
            return load<std::uint64_t>(element);
        default:
            break;
    }
    double value = 0;
    convert_to_f64(element, dtype, 1, 1, &value);
    return value;
}

double to_double(const Scalar& scalar) {
    return std::visit([](auto value) { return static_cast<double>(value); }, scalar);
}

std::uint64_t load_bits(const std::byte* element, DType dtype) {
    switch (size_of(dtype)) {
        case 1:
            return load<std::uint8_t>(element);
        case 2:
            return load<std::uint16_t>(element);
        case 4:
            return load<std::uint32_t>(element);
        default:
            return load<std::uint64_t>(element);
    }
}

void convert_to_f32(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t count, float* dst) {
    convert(first, dtype, stride, count, dst);
}

void convert_to_f64(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t count, double* dst) {
    convert(first, dtype, stride, count, dst);
}

std::string text_of(const Scalar& scalar, DType dtype) {
    if (const auto* value = std::get_if<bool>(&scalar)) return *value ? "True" : "False";
    if (const auto* value = std::get_if<std::int64_t>(&scalar)) return fmt::format("{}", *value);
    if (const auto* value = std::get_if<std::uint64_t>(&scalar)) return fmt::format("{}", *value);
    const double value = std::get<double>(scalar);
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (dtype == DType::f64) return fmt::format("{}", value);
    if (dtype == DType::f32) return fmt::format("{}", static_cast<float>(value));
    // Fewest digits that come back to the same bits of the short type.
    for (int digits = 1; digits < 9; ++digits) {
        const std::string text = fmt::format("{:.{}g}", value, digits);
        const float back = std::stof(text);
        const bool same = dtype == DType::f16    ? f16_from_float(back) == f16_from_float(static_cast<float>(value))
                          : dtype == DType::bf16 ? bf16_from_float(back) == bf16_from_float(static_cast<float>(value))
                                                 : back == static_cast<float>(value);
        if (same) return text;
    }
    return fmt::format("{}", static_cast<float>(value));
}

std::string short_text_of(double value, int digits) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    const double size = std::fabs(value);
    if (size >= 1e6 || size < 1e-4) return fmt::format("{:.{}e}", value, std::max(digits - 2, 0));
    std::string text = fmt::format("{:.{}g}", value, digits);
    // %g turns to scientific form when the integer part has more digits than asked for.
    if (text.find('e') != std::string::npos) text = fmt::format("{:.0f}", value);
    return text;
}

}  // namespace maskscope
