// SPDX-License-Identifier: Apache-2.0
// Element types, named as PyTorch names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace maskscope {

enum class DType : std::uint8_t {
    boolean,
    u8,
    i8,
    i16,
    i32,
    i64,
    f16,
    bf16,
    f32,
    f64,
    // readable and shown, no arithmetic:
    u16,
    u32,
    u64,
    f8_e4m3,
    f8_e5m2,
};
inline constexpr int kDTypeCount = 15;

// Bytes per element.
std::size_t size_of(DType dtype);
// "float32", "bool", "float8_e4m3fn": what torch prints after "torch.".
std::string_view name_of(DType dtype);
// "f32", "bool": for badges.
std::string_view short_name_of(DType dtype);
std::optional<DType> dtype_from_name(std::string_view torch_name);

bool is_floating(DType dtype);
bool is_integer(DType dtype);  // without bool
// Smallest positive normal number; 0 for integers. Below it a stored value is subnormal.
double smallest_normal(DType dtype);
// Largest finite value (finfo.max / iinfo.max); finfo.min is its negative.
double largest_finite(DType dtype);

}  // namespace maskscope
