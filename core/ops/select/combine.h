// SPDX-License-Identifier: Apache-2.0
// Elements of every dtype, combined one by one: for writes that meet at one place.
#pragma once

#include "core/tensor/convert.h"
#include "core/tensor/dtype.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace maskscope::ops {

enum class Combine : std::uint8_t { replace, add, multiply, amax, amin };

// What stands in memory for a bool, a float16 and a bfloat16.
struct TruthElement {
    std::uint8_t byte;
};
struct HalfElement {
    std::uint16_t bits;
};
struct BFloatElement {
    std::uint16_t bits;
};

// Integers wrap, bool adds as OR and multiplies as AND, NaN wins amax and amin.
template <class T>
T combined(Combine how, T a, T b) {
    if constexpr (std::is_same_v<T, TruthElement>) {
        const bool both = a.byte != 0 && b.byte != 0;
        const bool either = a.byte != 0 || b.byte != 0;
        if (how == Combine::replace) return b;
        return {static_cast<std::uint8_t>(how == Combine::add || how == Combine::amax ? either : both)};
    } else if constexpr (std::is_same_v<T, HalfElement>) {
        return {f16_from_float(combined(how, float_from_f16(a.bits), float_from_f16(b.bits)))};
    } else if constexpr (std::is_same_v<T, BFloatElement>) {
        return {bf16_from_float(combined(how, float_from_bf16(a.bits), float_from_bf16(b.bits)))};
    } else {
        switch (how) {
            case Combine::replace:
                return b;
            case Combine::add:
                if constexpr (std::is_integral_v<T>)
                    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                else
                    return a + b;
            case Combine::multiply:
                if constexpr (std::is_integral_v<T>)
                    return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
                else
                    return a * b;
            case Combine::amax:
                if constexpr (std::is_floating_point_v<T>)
                    if (std::isnan(b)) return b;
                return a < b ? b : a;
            case Combine::amin:
                if constexpr (std::is_floating_point_v<T>)
                    if (std::isnan(b)) return b;
                return b < a ? b : a;
        }
        return b;
    }
}

// Calls `run` with an element of the dtype, which has arithmetic.
template <class Run>
void with_element(DType dtype, Run run) {
    switch (dtype) {
        case DType::boolean:
            return run(TruthElement{});
        case DType::u8:
            return run(std::uint8_t{});
        case DType::i8:
            return run(std::int8_t{});
        case DType::i16:
            return run(std::int16_t{});
        case DType::i32:
            return run(std::int32_t{});
        case DType::i64:
            return run(std::int64_t{});
        case DType::f16:
            return run(HalfElement{});
        case DType::bf16:
            return run(BFloatElement{});
        case DType::f32:
            return run(float{});
        case DType::f64:
            return run(double{});
        default:
            return;
    }
}

}  // namespace maskscope::ops
