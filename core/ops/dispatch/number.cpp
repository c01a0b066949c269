// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/number.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/tensor/convert.h"

#include <cmath>
#include <limits>

namespace maskscope::ops {
namespace {

struct CppType {
    std::string_view scalar;  // in the errors of fill and full
    std::string_view type;    // typeid's, in others
    int bits = 0;             // of an integer's value, without the sign
    bool is_signed = true;
};

// In the order of DType.
constexpr std::array<CppType, kDTypeCount> kTypes = {{{"bool", "bool", 1, false},
                                                      {"uint8_t", "unsigned char", 8, false},
                                                      {"int8_t", "signed char", 7},
                                                      {"int16_t", "short int", 15},
                                                      {"int", "int", 31},
                                                      {"int64_t", "long int", 63},
                                                      {"c10::Half", "c10::Half"},
                                                      {"c10::BFloat16", "c10::BFloat16"},
                                                      {"float", "float"},
                                                      {"double", "double"},
                                                      {"uint16_t", "short unsigned int", 16, false},
                                                      {"uint32_t", "unsigned int", 32, false},
                                                      {"uint64_t", "long unsigned int", 64, false},
                                                      {"c10::Float8_e4m3fn", "c10::Float8_e4m3fn"},
                                                      {"c10::Float8_e5m2", "c10::Float8_e5m2"}}};

const CppType& type_of(DType dtype) {
    return kTypes[static_cast<std::size_t>(dtype)];
}

}  // namespace

bool overflows(const Value& number, DType dtype) {
    if (dtype == DType::boolean) return false;
    const CppType& type = type_of(dtype);
    if (is_floating(dtype)) {
        const double value = number.to_double();
        return std::isfinite(value) && std::fabs(value) > largest_finite(dtype);
    }
    if (number.is_int()) {
        const std::int64_t value = number.to_int();
        if (type.bits >= 63) return false;
        const std::int64_t above = std::int64_t{1} << static_cast<unsigned>(type.bits);
        return value >= above || value < (type.is_signed ? -above : 1 - above);
    }
    const double value = number.to_double();
    const double above = std::ldexp(1.0, type.bits);
    return !(value < above && value >= (type.is_signed ? -above : 0.0));
}

Result<void> refuse_overflow(const Value& number, DType dtype) {
    if (!number.is_number() || !overflows(number, dtype)) return {};
    return runtime_error("value cannot be converted to type {} without overflow", type_of(dtype).scalar);
}

std::string_view cpp_type_name(DType dtype) {
    return type_of(dtype).type;
}

Element element_of(const Value& number, DType dtype) {
    Element out{};
    if (number.is_int()) {
        store_number(number.to_int(), dtype, out.data());
    } else {
        store_number(number.to_double(), dtype, out.data());
    }
    return out;
}

Result<Value> number_at(const std::byte* element, DType dtype) {
    const Scalar scalar = load_scalar(element, dtype);
    if (const auto* flag = std::get_if<bool>(&scalar)) return Value(*flag);
    if (const auto* whole = std::get_if<std::int64_t>(&scalar)) return Value(*whole);
    if (const auto* number = std::get_if<double>(&scalar)) return Value(*number);
    const std::uint64_t whole = std::get<std::uint64_t>(scalar);
    if (whole <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return Value(static_cast<std::int64_t>(whole));
    Error error = input_error(MS_TEXT("{} is beyond the 64-bit integers of a mask script"), whole);
    error.type = "OverflowError";
    return error;
}

Result<Value> number_in(const Tensor& tensor) {
    return number_at(tensor.data(), tensor.dtype());
}

std::string short_number(double value) {
    return fmt::format("{:g}", value);
}

DType dtype_of_number(const Value& number, DType default_dtype) {
    if (number.get_if<bool>() != nullptr) return DType::boolean;
    return number.is_int() ? DType::i64 : default_dtype;
}

}  // namespace maskscope::ops
