// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/element.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <cmath>

namespace maskscope::ops {
namespace {

// As C++ PyTorch spells the types in this error.
std::string_view cpp_name(DType dtype) {
    switch (dtype) {
        case DType::boolean:
            return "bool";
        case DType::u8:
            return "uint8_t";
        case DType::i8:
            return "int8_t";
        case DType::i16:
            return "int16_t";
        case DType::i32:
            return "int";
        case DType::i64:
            return "int64_t";
        case DType::f16:
            return "c10::Half";
        case DType::bf16:
            return "c10::BFloat16";
        case DType::f32:
            return "float";
        case DType::f64:
            return "double";
        default:
            return name_of(dtype);
    }
}

bool is_unsigned(DType dtype) {
    return dtype == DType::u8 || dtype == DType::u16 || dtype == DType::u32 || dtype == DType::u64;
}

bool overflows(double value, DType dtype) {
    if (dtype == DType::boolean) return false;
    const double most = largest_finite(dtype);
    if (is_floating(dtype)) return std::isfinite(value) && std::abs(value) > most;
    // 64-bit limits have been rounded to a power of two in `most`.
    const double end = size_of(dtype) == 8 ? std::ldexp(1.0, is_unsigned(dtype) ? 64 : 63) : most + 1;
    // Above, a fraction may be cut off; below the lowest value not even that.
    const double least = is_unsigned(dtype) ? 0 : -end;
    return !(value >= least && value < end);
}

bool overflows(std::int64_t value, DType dtype) {
    if (dtype == DType::boolean) return false;
    if (is_floating(dtype)) return std::abs(static_cast<double>(value)) > largest_finite(dtype);
    if (size_of(dtype) == 8) return false;
    const auto most = static_cast<std::int64_t>(largest_finite(dtype));
    // A negative number wraps into an unsigned dtype when its size fits.
    return value > most || value < (is_unsigned(dtype) ? -most : -most - 1);
}

}  // namespace

Result<Element> element_of(const Value& number, DType dtype) {
    const auto refusal = [&] {
        return runtime_error("value cannot be converted to type {} without overflow", cpp_name(dtype));
    };
    Element element{};
    if (const auto* real = number.get_if<double>()) {
        if (overflows(*real, dtype)) return refusal();
        store_number(*real, dtype, element.data());
        return element;
    }
    const std::int64_t whole = number.to_int();
    if (overflows(whole, dtype)) return refusal();
    store_number(whole, dtype, element.data());
    return element;
}

Result<Element> element_of(const Tensor& tensor, DType dtype) {
    return element_of(number_in(tensor), dtype);
}

Value number_in(const Tensor& tensor) {
    const Scalar scalar = load_scalar(tensor.data(), tensor.dtype());
    if (const auto* flag = std::get_if<bool>(&scalar)) return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return *whole;
    if (const auto* whole = std::get_if<std::uint64_t>(&scalar)) return static_cast<std::int64_t>(*whole);
    return std::get<double>(scalar);
}

}  // namespace maskscope::ops
