// SPDX-License-Identifier: Apache-2.0
// Elements of any dtype as blocks of the three types that arithmetic is written in: float (float16, bfloat16, float32),
// double (float64) and int64 (bool and all integers; results are cut to the dtype's bits, so it wraps as PyTorch does).
#pragma once

#include "core/tensor/dtype.h"

#include <cstddef>
#include <cstdint>

namespace maskscope::ops {

inline constexpr std::int64_t kBlock = 1024;

enum class Compute : std::uint8_t { f32, f64, i64 };
Compute compute_of(DType dtype);

// `count` elements, `step` bytes apart, into dst; converted as PyTorch's .to() does (float to int cuts toward zero).
void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, float* dst);
void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, double* dst);
void load_block(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::int64_t* dst);
// The other way; floats are rounded to nearest even, integers wrap, anything but zero is True.
void store_block(const float* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first);
void store_block(const double* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first);
void store_block(const std::int64_t* source, DType dtype, std::int64_t step, std::int64_t count, std::byte* first);

// One element of any dtype from a Python number, converted the same way.
void store_number(double value, DType dtype, std::byte* element);
void store_number(std::int64_t value, DType dtype, std::byte* element);

}  // namespace maskscope::ops
