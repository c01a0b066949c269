// SPDX-License-Identifier: Apache-2.0
// Arithmetic on sizes that come from files: an overflow is seen, not wrapped.
#pragma once

#include <optional>
#include <type_traits>

namespace maskscope {

template <class T>
std::optional<T> checked_add(T a, T b) {
    static_assert(std::is_integral_v<T>);
    T out{};
    if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
    return out;
}

template <class T>
std::optional<T> checked_mul(T a, T b) {
    static_assert(std::is_integral_v<T>);
    T out{};
    if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
    return out;
}

}  // namespace maskscope
