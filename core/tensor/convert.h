// SPDX-License-Identifier: Apache-2.0
// Reading stored elements as numbers. Eigen's half types do the rounding behind this header.
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

namespace maskscope {

float float_from_f16(std::uint16_t bits);
float float_from_bf16(std::uint16_t bits);
float float_from_f8_e4m3(std::uint8_t bits);
float float_from_f8_e5m2(std::uint8_t bits);
std::uint16_t f16_from_float(float value);   // to nearest even
std::uint16_t bf16_from_float(float value);  // to nearest even

// One element, exact: integers stay integers.
using Scalar = std::variant<bool, std::int64_t, std::uint64_t, double>;

Scalar load_scalar(const std::byte* element, DType dtype);
double to_double(const Scalar& scalar);
// The stored bits, zero-extended.
std::uint64_t load_bits(const std::byte* element, DType dtype);

// `count` elements, `stride` elements apart (may be 0 or negative), into dst[0..count).
// f64 beyond float's range becomes +-inf; integers are rounded to nearest.
void convert_to_f32(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t count, float* dst);
void convert_to_f64(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t count, double* dst);

// Shortest text that reads back as the same value of that dtype: "0.5698", "-inf", "nan", "True", "42".
std::string text_of(const Scalar& scalar, DType dtype);
// For people: `digits` significant digits, scientific when very small or large, "−" is left to the caller.
std::string short_text_of(double value, int digits = 4);

}  // namespace maskscope
