// SPDX-License-Identifier: Apache-2.0
// float16 and bfloat16 without branches, so that a loop over them becomes vector code on any machine. Bit by bit the
// same as core/tensor/convert.h, but for the payload of NaN.
#pragma once

#include <bit>
#include <cstdint>

namespace maskscope::ops {

inline float single_from_half(std::uint16_t half) {
    const std::uint32_t bits = half;
    // The exponent moves by 112 as a product, which makes subnormals normal on the way.
    const float scaled = std::bit_cast<float>((bits & 0x7FFFU) << 13U) * 0x1p112F;
    const std::uint32_t special = (bits & 0x7C00U) == 0x7C00U ? 0x7F800000U : 0U;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | ((bits & 0x8000U) << 16U));
}

inline std::uint16_t half_from_single(float single) {
    const auto bits = std::bit_cast<std::uint32_t>(single);
    const std::uint32_t size = bits & 0x7FFFFFFFU;
    // Adding 0.5 shifts a subnormal's bits to the end of the sum and rounds them there.
    const std::uint32_t tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3F000000U;
    const std::uint32_t normal = (size - 0x38000000U + 0xFFFU + ((size >> 13U) & 1U)) >> 13U;
    const std::uint32_t huge = size > 0x7F800000U ? 0x7E00U : 0x7C00U;
    const std::uint32_t finite = size < 0x38800000U ? tiny : normal;
    return static_cast<std::uint16_t>((size >= 0x47800000U ? huge : finite) | ((bits >> 16U) & 0x8000U));
}

inline float single_from_brain(std::uint16_t brain) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(brain) << 16U);
}

inline std::uint16_t brain_from_single(float single) {
    const auto bits = std::bit_cast<std::uint32_t>(single);
    const std::uint32_t rounded = bits + 0x7FFFU + ((bits >> 16U) & 1U);
    const bool is_nan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
    return static_cast<std::uint16_t>(is_nan ? 0x7FC0U | (bits >> 16U & 0x8000U) : rounded >> 16U);
}

}  // namespace maskscope::ops
