// SPDX-License-Identifier: Apache-2.0
// exp of 64 bytes of numbers at a time, in the compilers' own vectors: the same text becomes SSE2, AVX2 or AVX-512.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace maskscope::ops {

// One or more registers of the machine.
typedef float Floats __attribute__((vector_size(64)));
typedef double Doubles __attribute__((vector_size(64)));
typedef std::int32_t Integers __attribute__((vector_size(64)));
typedef std::uint32_t Bits __attribute__((vector_size(64)));

// Within 2 units in the last place, subnormal results included; exp(-inf) is 0 and NaN stays NaN. The polynomial is
// that of Cephes (Moshier): x = n ln 2 + r, exp(x) = 2^n exp(r). By reference: 64 bytes have no place in calls without
// AVX-512.
[[gnu::always_inline]] inline void exponential(Floats& x) {
    constexpr float kLowest = -104.0F;  // below: 0
    constexpr float kHighest = 89.0F;   // above: infinite
    constexpr float kLog2E = 1.44269504F;
    constexpr float kLn2High = 0.693359375F;
    constexpr float kLn2Low = -2.12194440e-4F;
    // Added and taken away again, it rounds to an integer, which then stands in the low bits: no conversion to int,
    // which would be undefined for NaN.
    constexpr float kRounder = 12582912.0F;
    constexpr Floats kOnes = Floats{} + 1.0F;
    x = x < kLowest ? kOnes * kLowest : x;
    x = x > kHighest ? kOnes * kHighest : x;
    const Floats shifted = x * kLog2E + kRounder;
    const Floats n = shifted - kRounder;
    const Floats r = (x - n * kLn2High) - n * kLn2Low;
    Floats p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + (r + 1.0F);
    // 2^n in two factors: one alone would not reach the subnormal numbers.
    const auto power = reinterpret_cast<Integers>(shifted) - reinterpret_cast<Integers>(kOnes * kRounder);
    const Integers half = power >> 1;
    const auto first = (reinterpret_cast<Bits>(half) + 127U) << 23U;
    const auto second = (reinterpret_cast<Bits>(power - half) + 127U) << 23U;
    x = p * reinterpret_cast<Floats>(first) * reinterpret_cast<Floats>(second);
}
[[gnu::always_inline]] inline void exponential(Doubles& x) {
    for (int i = 0; i < 8; ++i) x[i] = std::exp(x[i]);
}

template <class T>
struct Lanes {
    using Vector = std::conditional_t<std::is_same_v<T, float>, Floats, Doubles>;
    static constexpr std::int64_t kCount = 64 / sizeof(T);
    [[gnu::always_inline]] static inline void load(Vector& to, const T* from) {
        std::memcpy(&to, from, sizeof(Vector));
    }
    [[gnu::always_inline]] static inline void store(const Vector& from, T* to) {
        std::memcpy(to, &from, sizeof(Vector));
    }
};

}  // namespace maskscope::ops
