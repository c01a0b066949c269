// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/dtype.h"

#include <array>
#include <cmath>

namespace maskscope {
namespace {

enum class Family : std::uint8_t { boolean, integer, floating };

struct Row {
    std::string_view name;
    std::string_view short_name;
    std::size_t bytes;
    Family family;
    double smallest_normal;
    double largest;
};

constexpr double kTwo63 = 9223372036854775807.0;
constexpr double kTwo64 = 18446744073709551615.0;

// In the order of the enum. Limits: IEEE 754, bfloat16, and the OCP 8-bit formats (E4M3 without infinities).
constexpr std::array<Row, kDTypeCount> kRows = {{
    {"bool", "bool", 1, Family::boolean, 0, 1},
    {"uint8", "u8", 1, Family::integer, 0, 255},
    {"int8", "i8", 1, Family::integer, 0, 127},
    {"int16", "i16", 2, Family::integer, 0, 32767},
    {"int32", "i32", 4, Family::integer, 0, 2147483647},
    {"int64", "i64", 8, Family::integer, 0, kTwo63},
    {"float16", "f16", 2, Family::floating, 0x1p-14, 65504},
    {"bfloat16", "bf16", 2, Family::floating, 0x1p-126, 0x1.fep127},
    {"float32", "f32", 4, Family::floating, 0x1p-126, 0x1.fffffep127},
    {"float64", "f64", 8, Family::floating, 0x1p-1022, 0x1.fffffffffffffp1023},
    {"uint16", "u16", 2, Family::integer, 0, 65535},
    {"uint32", "u32", 4, Family::integer, 0, 4294967295.0},
    {"uint64", "u64", 8, Family::integer, 0, kTwo64},
    {"float8_e4m3fn", "f8e4m3", 1, Family::floating, 0x1p-6, 448},
    {"float8_e5m2", "f8e5m2", 1, Family::floating, 0x1p-14, 57344},
}};

const Row& row(DType dtype) {
    return kRows[static_cast<std::size_t>(dtype)];
}

}  // namespace

std::size_t size_of(DType dtype) {
    return row(dtype).bytes;
}

std::string_view name_of(DType dtype) {
    return row(dtype).name;
}

std::string_view short_name_of(DType dtype) {
    return row(dtype).short_name;
}

std::optional<DType> dtype_from_name(std::string_view torch_name) {
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (kRows[i].name == torch_name) return static_cast<DType>(i);
    }
    return std::nullopt;
}

bool is_floating(DType dtype) {
    return row(dtype).family == Family::floating;
}

bool is_integer(DType dtype) {
    return row(dtype).family == Family::integer;
}

double smallest_normal(DType dtype) {
    return row(dtype).smallest_normal;
}

double largest_finite(DType dtype) {
    return row(dtype).largest;
}

}  // namespace maskscope
