// SPDX-License-Identifier: Apache-2.0
// Activation functions, by PyTorch's formulas: thresholds, signs of zero and NaN come out the same.
#pragma once

#include "core/ops/elementwise/unary_functors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace maskscope::ops {

struct FloatingOnly {
    static constexpr Takes kTakes = Takes::floating;
};

struct Relu {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "clamp_min_scalar_cpu";
    static Result<void> check(const Args& args);
    template <class T>
    T operator()(T x) const {
        return x < 0 ? T(0) : x;
    }
};

// Bounds are arguments 1 and 2; integers take them cut.
struct Hardtanh {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "clamp_scalar_cpu";
    static constexpr bool kKeepsStrides = true;
    double low = -1;
    double high = 1;
    std::int64_t whole_low = -1;
    std::int64_t whole_high = 1;
    static Result<void> check(const Args& args);
    static Hardtanh from(const Args& args, DType) {
        return {args.number(1), args.number(2), cut_to(DType::i64, args[1]), cut_to(DType::i64, args[2])};
    }
    template <class T>
    T operator()(T x) const {
        if constexpr (std::is_integral_v<T>) return std::min(std::max(x, whole_low), whole_high);
        const T raised = x < static_cast<T>(low) ? static_cast<T>(low) : x;
        return raised > static_cast<T>(high) ? static_cast<T>(high) : raised;
    }
};

struct Relu6 {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "clamp_scalar_cpu";
    static constexpr bool kKeepsStrides = true;
    static Result<void> check(const Args& args);
    template <class T>
    T operator()(T x) const {
        return Hardtanh{0, 6, 0, 6}(x);
    }
};

struct GeluErf : FloatingOnly {
    static constexpr const char* kStub = "GeluKernelImpl";
    template <class T>
    T operator()(T x) const {
        constexpr double kSqrtHalf = 0.70710678118654752440;
        return x * T(0.5) * (T(1) + std::erf(x * static_cast<T>(kSqrtHalf)));
    }
};

struct GeluTanh : FloatingOnly {
    static constexpr const char* kStub = "GeluKernelImpl";
    template <class T>
    T operator()(T x) const {
        constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
        const T inner = static_cast<T>(kSqrtTwoOverPi) * (x + T(0.044715) * (x * x * x));
        return T(0.5) * x * (T(1) + fast_tanh(inner));
    }
};

struct Silu : FloatingOnly {
    static constexpr const char* kStub = "silu_cpu";
    template <class T>
    T operator()(T x) const {
        return x / (T(1) + std::exp(-x));
    }
};

struct Mish : FloatingOnly {
    static constexpr const char* kStub = "mish_cpu";
    template <class T>
    T operator()(T x) const {
        return x * fast_tanh(std::log1p(std::exp(x)));
    }
};

// scale * (x above 0, alpha * (exp(input_scale * x) - 1) below).
struct Elu : FloatingOnly {
    static constexpr const char* kStub = "elu_cpu";
    double below = 1;
    double above = 1;
    double input_scale = 1;
    static Elu from(const Args& args, DType) {
        Elu out;
        out.below = args.number(1);
        return out;
    }
    template <class T>
    T operator()(T x) const {
        return x < 0 ? std::expm1(x * static_cast<T>(input_scale)) * static_cast<T>(below) : x * static_cast<T>(above);
    }
};

struct Celu : Elu {
    static Celu from(const Args& args, DType) {
        Celu out;
        out.below = args.number(1);
        out.input_scale = 1 / args.number(1);
        return out;
    }
};

struct Selu : Elu {
    // Klambauer et al., Self-Normalizing Neural Networks (2017).
    static Selu from(const Args&, DType) {
        constexpr double kAlpha = 1.6732632423543772848170429916717;
        constexpr double kScale = 1.0507009873554804934193349852946;
        Selu out;
        out.below = kAlpha * kScale;
        out.above = kScale;
        return out;
    }
};

struct LeakyRelu : FloatingOnly {
    static constexpr const char* kStub = "leaky_relu_cpu";
    double slope = 0.01;
    static LeakyRelu from(const Args& args, DType) { return {{}, args.number(1)}; }
    template <class T>
    T operator()(T x) const {
        return x > 0 ? x : x * static_cast<T>(slope);
    }
};

template <class T>
T gate6(T x) {
    return std::min(std::max(x + T(3), T(0)), T(6));
}

struct Hardsigmoid : FloatingOnly {
    static constexpr const char* kStub = "hardsigmoid_cpu";
    template <class T>
    T operator()(T x) const {
        return gate6(x) / T(6);
    }
};

struct Hardswish : FloatingOnly {
    static constexpr const char* kStub = "hardswish_cpu";
    template <class T>
    T operator()(T x) const {
        return x * gate6(x) / T(6);
    }
};

struct Softplus : FloatingOnly {
    static constexpr const char* kStub = "softplus_cpu";
    double beta = 1;
    double threshold = 20;
    static Softplus from(const Args& args, DType) { return {{}, args.number(1), args.number(2)}; }
    template <class T>
    T operator()(T x) const {
        const T scaled = x * static_cast<T>(beta);
        return scaled > static_cast<T>(threshold) ? x : std::log1p(std::exp(scaled)) / static_cast<T>(beta);
    }
};

struct LogSigmoid : FloatingOnly {
    static constexpr const char* kStub = "log_sigmoid_cpu";
    template <class T>
    T operator()(T x) const {
        return std::min(x, T(0)) - std::log1p(std::exp(-std::fabs(x)));
    }
};

// What is not above the threshold becomes the value; integers take both cut to their dtype.
struct Threshold {
    static constexpr Takes kTakes = Takes::numbers;
    static constexpr const char* kStub = "threshold_cpu";
    double threshold = 0;
    double value = 0;
    std::int64_t whole_threshold = 0;
    std::int64_t whole_value = 0;
    static Threshold from(const Args& args, DType common);
    template <class T>
    T operator()(T x) const {
        if constexpr (std::is_integral_v<T>)
            return x <= whole_threshold ? whole_value : x;
        else
            return x <= static_cast<T>(threshold) ? static_cast<T>(value) : x;
    }
};

struct Hardshrink : FloatingOnly {
    static constexpr const char* kStub = "hardshrink_cpu";
    double lambda = 0.5;
    static Hardshrink from(const Args& args, DType) { return {{}, args.number(1)}; }
    template <class T>
    T operator()(T x) const {
        return x >= static_cast<T>(-lambda) && x <= static_cast<T>(lambda) ? T(0) : x;
    }
};

struct Softshrink : FloatingOnly {
    static constexpr const char* kStub = "softshrink_cpu";
    double lambda = 0.5;
    static Result<void> check(const Args& args);
    static Softshrink from(const Args& args, DType) { return {{}, args.number(1)}; }
    template <class T>
    T operator()(T x) const {
        const T limit = static_cast<T>(lambda);
        return x > limit ? x - limit : x < -limit ? x + limit : x * T(0);
    }
};

// With eps the input is held in [eps, 1 - eps] first.
struct Logit {
    static constexpr Takes kTakes = Takes::promoted;
    static constexpr const char* kStub = "logit_cpu";
    double eps = -1;
    static Logit from(const Args& args, DType) { return {args.given(1) ? args.number(1) : -1.0}; }
    template <class T>
    T operator()(T x) const {
        T z = x;
        if (eps >= 0) {
            const T low = static_cast<T>(eps);
            z = std::min(std::max(x, low), T(1) - low);
        }
        return std::log(z / (T(1) - z));
    }
    struct Halves;
};

struct Logit::Halves : Rounded {
    double eps = -1;
    static Halves from(const Args& args, DType common) { return {{common}, Logit::from(args, common).eps}; }
    template <class T>
    T operator()(T x) const {
        T z = x;
        if (eps >= 0) {
            const T low = near(static_cast<T>(eps));
            z = std::min(std::max(x, low), near(T(1) - low));
        }
        return std::log(near(z / near(T(1) - z)));
    }
};

}  // namespace maskscope::ops
