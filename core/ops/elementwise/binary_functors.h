// SPDX-License-Identifier: Apache-2.0
// Arithmetic of two numbers. Integers wrap (computed unsigned); division rounds and takes signs as PyTorch's kernels
// do.
#pragma once

#include "core/ops/elementwise/operands.h"
#include "core/ops/elementwise/unary_functors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace maskscope::ops {

// The unsigned type to compute a sum or product of integers in; floats are their own.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

struct Add {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "add_stub";
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a | b; }
};

struct Sub {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "add_stub";
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    }
};

// a + alpha * b, rounded once where it is floating.
struct AddScaled {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "add_stub";
    double alpha = 1;
    std::int64_t whole_alpha = 1;
    static AddScaled from(const Args& args, DType common);
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) {
            using U = Wrapping<T>;
            return static_cast<T>(static_cast<U>(a) + static_cast<U>(whole_alpha) * static_cast<U>(b));
        } else {
            return std::fma(static_cast<T>(alpha), b, a);
        }
    }
    struct Halves : Rounded {
        double alpha = 1;
        static Halves from(const Args& args, DType common) {
            return {{common}, rounded_to(common, AddScaled::from(args, common).alpha)};
        }
        template <class T>
        T operator()(T a, T b) const {
            return std::fma(static_cast<T>(alpha), b, a);
        }
    };
};

struct Mul {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "mul_cpu_reduced_float";
    static constexpr bool kExactOther = true;
    template <class T>
    T operator()(T a, T b) const {
        return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a & b; }
};

struct TrueDivide : Promoted {
    static constexpr const char* kStub = "div_cpu";
    static constexpr bool kExactOther = true;
    template <class T>
    T operator()(T a, T b) const {
        return a / b;
    }
};

// Toward zero, by a divisor that is not 0. The quotient of the lowest integer by -1 wraps.
template <class T>
T truncated_quotient(T a, T b) {
    if constexpr (std::is_integral_v<T>)
        return b == -1 ? negated(a) : b == 0 ? 0 : a / b;
    else
        return std::trunc(a / b);
}

struct TruncDivide {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "div_trunc_cpu";
    static constexpr bool kExactOther = true;
    template <class T>
    T operator()(T a, T b) const {
        return truncated_quotient(a, b);
    }
    struct Halves : Rounded {
        static Halves from(const Args&, DType common) { return {{common}}; }
        template <class T>
        T operator()(T a, T b) const {
            return std::trunc(near(a / b));
        }
    };
};

struct FloorDivide {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "div_floor_cpu";
    static constexpr bool kExactOther = true;
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) {
            const T quotient = truncated_quotient(a, b);
            const bool rounds_up = (a < 0) != (b < 0) && b != -1 && b != 0 && a % b != 0;
            return quotient - static_cast<T>(rounds_up);
        } else {
            // Python's rule: the quotient that belongs to the remainder with the divisor's sign.
            if (b == 0) return a / b;
            const T rest = std::fmod(a, b);
            T quotient = (a - rest) / b;
            if (rest != 0 && (b < 0) != (rest < 0)) quotient -= T(1);
            if (quotient == 0) return std::copysign(T(0), a / b);
            const T whole = std::floor(quotient);
            return quotient - whole > T(0.5) ? whole + T(1) : whole;
        }
    }
    struct Halves : Rounded {
        static Halves from(const Args&, DType common) { return {{common}}; }
        template <class T>
        T operator()(T a, T b) const {
            if (b == 0) return a / b;
            const T rest = std::fmod(a, b);
            T quotient = near(near(a - rest) / b);
            if (rest != 0 && (b < 0) != (rest < 0)) quotient = near(quotient - T(1));
            if (quotient == 0) return std::copysign(T(0), a / b);
            const T whole = std::floor(quotient);
            return near(quotient - whole) > T(0.5) ? whole + T(1) : whole;
        }
    };
};

struct Remainder {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "remainder_cpu";
    template <class T>
    T operator()(T a, T b) const {
        T rest = 0;
        if constexpr (std::is_integral_v<T>)
            rest = b == 0 || b == -1 ? 0 : a % b;
        else
            rest = std::fmod(a, b);
        return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }
};

struct Fmod {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "fmod_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return b == 0 || b == -1 ? 0 : a % b;
        else
            return std::fmod(a, b);
    }
};

struct Pow {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "pow";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>) {
            if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : -1) : 0;
            auto base = static_cast<Wrapping<T>>(a);
            Wrapping<T> power = 1;
            for (auto left = static_cast<Wrapping<T>>(b); left != 0; left >>= 1U, base *= base)
                if ((left & 1U) != 0) power *= base;
            return static_cast<T>(power);
        } else {
            return std::pow(a, b);
        }
    }
};

// NaN where either is NaN.
struct Maximum {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "maximum_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return a > b ? a : b;
        else
            return std::isnan(a) ? a : std::isnan(b) ? b : a > b ? a : b;
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a | b; }
};

struct Minimum {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "minimum_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return a < b ? a : b;
        else
            return std::isnan(a) ? a : std::isnan(b) ? b : a < b ? a : b;
    }
    static std::uint8_t bools(std::uint8_t a, std::uint8_t b) { return a & b; }
};

// The other one where one is NaN.
struct Fmax {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "fmax_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return a > b ? a : b;
        else
            return std::fmax(a, b);
    }
};

struct Fmin {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "fmin_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if constexpr (std::is_integral_v<T>)
            return a < b ? a : b;
        else
            return std::fmin(a, b);
    }
};

struct Atan2 : Promoted {
    static constexpr const char* kStub = "atan2_cpu";
    template <class T>
    T operator()(T a, T b) const {
        return std::atan2(a, b);
    }
};

struct Xlogy : Promoted {
    static constexpr const char* kStub = "xlogy_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if (std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
        return a == 0 ? T(0) : a * std::log(b);
    }
    struct Halves : Rounded {
        static Halves from(const Args&, DType common) { return {{common}}; }
        template <class T>
        T operator()(T a, T b) const {
            if (std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
            return a == 0 ? T(0) : a * near(std::log(b));
        }
    };
};

struct Copysign : Promoted {
    static constexpr const char* kStub = "copysign_cpu";
    template <class T>
    T operator()(T a, T b) const {
        return std::copysign(a, b);
    }
};

struct Hypot {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "hypot_cpu";
    template <class T>
    T operator()(T a, T b) const {
        return std::hypot(a, b);
    }
};

// Infinities of one sign stay what they are: their difference is NaN.
struct LogAddExp {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "logaddexp_cpu";
    template <class T>
    T operator()(T a, T b) const {
        if (std::isinf(a) && a == b) return a;
        return (std::isnan(a) || a > b ? a : b) + std::log1p(std::exp(-std::fabs(a - b)));
    }
};

struct LogAddExp2 {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "logaddexp2_cpu";
    template <class T>
    T operator()(T a, T b) const {
        constexpr double kPerLn2 = 1.44269504088896340736;
        if (std::isinf(a) && a == b) return a;
        return (std::isnan(a) || a > b ? a : b) + std::log1p(std::exp2(-std::fabs(a - b))) * static_cast<T>(kPerLn2);
    }
};

struct Heaviside {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "heaviside_cpu";
    static Result<void> check(const Args& args);
    template <class T>
    T operator()(T a, T b) const {
        return a == 0 ? b : static_cast<T>(a > 0);
    }
};

}  // namespace maskscope::ops
