// SPDX-License-Identifier: Apache-2.0
// One number to one number. Formulas are PyTorch's, so that the same inputs overflow, saturate and turn to NaN.
#pragma once

#include "core/ops/elementwise/operands.h"

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace maskscope::ops {

// The function of <cmath> of that name, for what floating-point inputs and promoted integers give.
#define MS_MATH(Functor, function, stub)                 \
    struct Functor {                                     \
        static constexpr Takes kTakes = Takes::promoted; \
        static constexpr const char* kStub = stub;       \
        template <class T>                               \
        T operator()(T x) const {                        \
            return function(x);                          \
        }                                                \
    }
MS_MATH(Exp, std::exp, "exp_vml_cpu");
MS_MATH(Exp2, std::exp2, "exp2");
MS_MATH(Expm1, std::expm1, "expm1_vml_cpu");
MS_MATH(Log, std::log, "log_vml_cpu");
MS_MATH(Log2, std::log2, "log2_vml_cpu");
MS_MATH(Log10, std::log10, "log10_vml_cpu");
MS_MATH(Log1p, std::log1p, "log1p_vml_cpu");
MS_MATH(Sqrt, std::sqrt, "sqrt_vml_cpu");
MS_MATH(Sin, std::sin, "sin_vml_cpu");
MS_MATH(Cos, std::cos, "cos_vml_cpu");
MS_MATH(Tan, std::tan, "tan_vml_cpu");
MS_MATH(Asin, std::asin, "asin_vml_cpu");
MS_MATH(Acos, std::acos, "acos_vml_cpu");
MS_MATH(Atan, std::atan, "atan_vml_cpu");
MS_MATH(Sinh, std::sinh, "sinh_cpu");
MS_MATH(Cosh, std::cosh, "cosh_cpu");
MS_MATH(Asinh, std::asinh, "asinh_cpu");
MS_MATH(Acosh, std::acosh, "acosh_cpu");
MS_MATH(Atanh, std::atanh, "atanh_cpu");
MS_MATH(Erf, std::erf, "erf_vml_cpu");
MS_MATH(Erfc, std::erfc, "erfc_vml_cpu");
#undef MS_MATH

// What a functor for float16 and bfloat16 needs to round between its steps.
struct Rounded {
    static constexpr Takes kTakes = Takes::floating;
    DType dtype = DType::f16;
    template <class T>
    T near(T number) const {
        return rounded_to(dtype, number);
    }
};

struct Promoted {
    static constexpr Takes kTakes = Takes::promoted;
};

struct Rsqrt : Promoted {
    static constexpr const char* kStub = "rsqrt_cpu";
    template <class T>
    T operator()(T x) const {
        return T(1) / std::sqrt(x);
    }
};

struct Reciprocal : Promoted {
    static constexpr const char* kStub = "reciprocal_cpu";
    template <class T>
    T operator()(T x) const {
        return T(1) / x;
    }
};

struct Sigmoid : Promoted {
    static constexpr const char* kStub = "sigmoid_cpu";
    template <class T>
    T operator()(T x) const {
        return T(1) / (T(1) + std::exp(-x));
    }
};

// glibc's tanhf takes 20 ns. Near 0 Cephes' polynomial (Moshier, tanhf.c), else by exp; within 2 ulp.
inline float fast_tanh(float x) {
    const float size = std::fabs(x);
    const float square = x * x;
    float series = -5.70498872745e-3F;
    for (const float term : {2.06390887954e-2F, -5.37397155531e-2F, 1.33314422036e-1F, -3.33332819422e-1F})
        series = series * square + term;
    const float near = x + x * square * series;
    const float far = 1.0F - 2.0F / (std::exp(2.0F * size) + 1.0F);
    // The polynomial loses the sign of -0.
    return std::copysign(size < 0.625F ? near : far, x);
}
inline double fast_tanh(double x) {
    return std::tanh(x);
}

struct Tanh : Promoted {
    static constexpr const char* kStub = "tanh_vml_cpu";
    template <class T>
    T operator()(T x) const {
        return fast_tanh(x);
    }
};

struct Lgamma : Promoted {
    static constexpr const char* kStub = "lgamma_vml_cpu";
    // std::lgamma writes the sign to a global that all threads share.
    float operator()(float x) const {
        int sign = 0;
        return ::lgammaf_r(x, &sign);
    }
    double operator()(double x) const {
        int sign = 0;
        return ::lgamma_r(x, &sign);
    }
};

// The derivative of lgamma: recurrence up to 10, then the asymptotic series (Abramowitz and Stegun 6.3.18); reflection
// (6.3.7) below zero.
struct Digamma : Promoted {
    static constexpr const char* kStub = "digamma";
    template <class T>
    T operator()(T x) const {
        constexpr double kPi = 3.14159265358979323846;
        if (x == 0) return std::copysign(std::numeric_limits<T>::infinity(), -x);
        double z = static_cast<double>(x);
        double reflected = 0;
        if (z < 0) {
            const double whole = std::trunc(z);
            if (whole == z) return std::numeric_limits<T>::quiet_NaN();
            reflected = kPi / std::tan(kPi * (z - whole));
            z = 1 - z;
        }
        double sum = 0;
        for (; z < 10; z += 1) sum -= 1 / z;
        double tail = 0;
        if (z < 1e17) {
            const double s = 1 / (z * z);
            tail =
                s *
                (1.0 / 12 -
                 s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
        }
        return static_cast<T>(sum + std::log(z) - 0.5 / z - tail - reflected);
    }
};

// A product with a constant (deg2rad, rad2deg).
template <int kToRadians>
struct Scaled : Promoted {
    static constexpr const char* kStub = "mul_cpu_reduced_float";
    static constexpr bool kKeepsStrides = true;
    template <class T>
    T operator()(T x) const {
        constexpr double kPi = 3.14159265358979323846;
        return x * static_cast<T>(kToRadians != 0 ? kPi / 180 : 180 / kPi);
    }
};

template <class T>
T negated(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(-static_cast<std::uint64_t>(x));
    else
        return -x;
}

struct Abs {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "abs_cpu";
    template <class T>
    T operator()(T x) const {
        if constexpr (std::is_integral_v<T>)
            return x < 0 ? negated(x) : x;
        else
            return std::fabs(x);
    }
};

struct Neg {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "neg_cpu";
    static Result<void> check(const Args& args);
    template <class T>
    T operator()(T x) const {
        return negated(x);
    }
};

struct Sign {
    static constexpr Takes kTakes = Takes::all;
    static constexpr const char* kStub = "sign_cpu";
    template <class T>
    T operator()(T x) const {
        return static_cast<T>(static_cast<int>(x > 0) - static_cast<int>(x < 0));
    }
    static std::uint8_t bools(std::uint8_t x) { return x; }
};

// Integers are whole already.
#define MS_ROUNDING(Functor, function, stub)            \
    struct Functor {                                    \
        static constexpr Takes kTakes = Takes::numbers; \
        static constexpr const char* kStub = stub;      \
        template <class T>                              \
        T operator()(T x) const {                       \
            if constexpr (std::is_integral_v<T>)        \
                return x;                               \
            else                                        \
                return function(x);                     \
        }                                               \
    }
MS_ROUNDING(Floor, std::floor, "floor_vml_cpu");
MS_ROUNDING(Ceil, std::ceil, "ceil_vml_cpu");
MS_ROUNDING(Trunc, std::trunc, "trunc_vml_cpu");
MS_ROUNDING(RoundToEven, std::nearbyint, "round_vml_cpu");
#undef MS_ROUNDING

struct Frac {
    static constexpr Takes kTakes = Takes::floating;
    static constexpr const char* kStub = "frac_cpu";
    template <class T>
    T operator()(T x) const {
        return x - std::trunc(x);
    }
};

}  // namespace maskscope::ops
