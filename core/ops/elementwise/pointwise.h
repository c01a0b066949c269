// SPDX-License-Identifier: Apache-2.0
// From a functor to an op: its shape rule and its kernel. A functor has
//   kTakes, kStub                        which dtypes, and the kernel's name in PyTorch's refusals
//   template <class T> T operator()(T...) or bool operator()(T...), for T = float, double, std::int64_t as kTakes needs
// and may have
//   bools(std::uint8_t...)               the same on bytes 0 and 1, for bool tensors
//   static F from(const Args&, DType)    when it has parameters (members)
//   static Result<void> check(const Args&)  refusals of its own, before all others
//   kExactOther                          see Sweep::exact_other
//   kKeepsStrides                        the output is made by empty_like: the strides of dims of one element stay
//   Halves                               the functor for float16 and bfloat16, where PyTorch rounds between the steps
#pragma once

#include "core/ops/dispatch/run.h"
#include "core/ops/elementwise/operands.h"
#include "core/ops/elementwise/sweep.h"
#include "core/ops/loops/iteration.h"

#include <array>
#include <type_traits>

// An element depends on its own place only, so a loop over the output in place of an input has no hazard.
#if defined(__clang__)
#define MS_INDEPENDENT
#else
#define MS_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace maskscope::ops {

// The first `kArity` arguments of an op.
template <int kArity>
std::array<Value, kArity> operands_of(const Args& args) {
    std::array<Value, kArity> out;
    for (int i = 0; i < kArity; ++i) out[static_cast<std::size_t>(i)] = args[i];
    return out;
}

// Output and loops of the functor F over kArity operands.
template <class F, int kArity>
struct Pointwise {
    template <class T>
    static constexpr auto apply(const F& f, const T* const* in, std::int64_t i) {
        if constexpr (kArity == 1)
            return f(in[0][i]);
        else if constexpr (kArity == 2)
            return f(in[0][i], in[1][i]);
        else
            return f(in[0][i], in[1][i], in[2][i]);
    }
    static constexpr bool kFloats = F::kTakes != Takes::bits && F::kTakes != Takes::integers;
    static constexpr bool kIntegers = F::kTakes != Takes::promoted && F::kTakes != Takes::floating;
    using Any = std::conditional_t<kFloats, float, std::int64_t>;
    static constexpr bool kIsTest = std::is_same_v<decltype(apply<Any>(std::declval<F>(), nullptr, 0)), bool>;

    template <class T, class Out>
    static void loop(Out* out, const T* const* in, std::int64_t count, const void* context) {
        const F f = [&] {
            if constexpr (std::is_empty_v<F>)
                return F();
            else
                return *static_cast<const F*>(context);
        }();
        const std::array<const T*, 3> first = {in[0], kArity > 1 ? in[1] : nullptr, kArity > 2 ? in[2] : nullptr};
        MS_INDEPENDENT
        for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(apply<T>(f, first.data(), i));
    }

    // Files may hold other bytes than 0 and 1 in a bool tensor.
    static std::uint8_t truth(std::uint8_t byte) { return static_cast<std::uint8_t>(byte != 0); }
    static void loop_bools(std::uint8_t* out, const std::uint8_t* const* in, std::int64_t count, const void*) {
        if constexpr (requires { &F::bools; }) {
            MS_INDEPENDENT
            for (std::int64_t i = 0; i < count; ++i) {
                if constexpr (kArity == 1)
                    out[i] = F::bools(truth(in[0][i]));
                else
                    out[i] = F::bools(truth(in[0][i]), truth(in[1][i]));
            }
        }
    }

    static constexpr auto loops() {
        std::conditional_t<kIsTest, Tests, Loops> out;
        if constexpr (kFloats) {
            out.f32 = &loop<float, std::conditional_t<kIsTest, std::uint8_t, float>>;
            out.f64 = &loop<double, std::conditional_t<kIsTest, std::uint8_t, double>>;
        }
        if constexpr (kIntegers) out.i64 = &loop<std::int64_t, std::conditional_t<kIsTest, std::uint8_t, std::int64_t>>;
        if constexpr (requires { &F::bools; }) out.bools = &loop_bools;
        return out;
    }

    static Result<Outputs> output(const Args& args) {
        if constexpr (requires { &F::check; }) MS_CHECK(F::check(args));
        const auto operands = operands_of<kArity>(args);
        MS_TRY(out, elementwise_output(args, operands, F::kTakes, F::kStub, kIsTest));
        if constexpr (requires { F::kKeepsStrides; }) out.front().strides = preserved_strides(args.tensor(0));
        return std::move(out);
    }

    static Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
        const auto operands = operands_of<kArity>(args);
        MS_TRY(common, compute_dtype(operands, F::kTakes, F::kStub));
        Sweep plan{operands, common, nullptr, false};
        if constexpr (requires { F::kExactOther; }) plan.exact_other = true;
        if constexpr (requires { typename F::Halves; }) {
            const bool exact = plan.exact_other && is_single(operands.back());
            if ((common == DType::f16 || common == DType::bf16) && !exact) {
                const auto halves = F::Halves::from(args, common);
                plan.context = &halves;
                return sweep(Pointwise<typename F::Halves, kArity>::loops(), plan, outputs[0], run.context());
            }
        }
        if constexpr (std::is_empty_v<F>)
            return sweep(loops(), plan, outputs[0], run.context());
        else {
            const F functor = F::from(args, common);
            plan.context = &functor;
            return sweep(loops(), plan, outputs[0], run.context());
        }
    }
};

template <class F, int kArity>
Overload pointwise(std::string_view signature, unsigned forms) {
    Overload out;
    out.signature = signature;
    out.forms = forms;
    out.shape = &Pointwise<F, kArity>::output;
    out.kernel = &Pointwise<F, kArity>::kernel;
    out.traits = kElementwise;
    return out;
}

}  // namespace maskscope::ops
