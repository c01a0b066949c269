// SPDX-License-Identifier: Apache-2.0
// Single draws as torch makes them on the CPU, and the walk over the elements that they fill.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/ops/dispatch/generator.h"
#include "core/ops/dispatch/run.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <span>

namespace maskscope::ops::create {

// In [0, 1): 24 bits of one draw, 53 bits of two.
inline float uniform_float(Generator& generator) {
    return static_cast<float>(generator.random() & 0xFFFFFFU) * 0x1p-24F;
}
inline double uniform_double(Generator& generator) {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << 53U) - 1;
    return static_cast<double>(generator.random64() & kMask) * 0x1p-53;
}
template <class Number>
Number uniform(Generator& generator) {
    if constexpr (sizeof(Number) == sizeof(double)) {
        return uniform_double(generator);
    } else {
        return uniform_float(generator);
    }
}
// The mean 0, deviation 1: two draws give two numbers (Box and Muller 1958), and the generator keeps the second.
double standard_normal(Generator& generator);
// -log(1 - u) / rate.
double exponential(Generator& generator, double rate);

// Fills the elements in the order of memory, block after block, with what `draw` puts into a block. Number is float,
// double or std::int64_t.
template <class Number>
Result<void> fill_drawn(Tensor& out, Run& run, FunctionRef<void(std::span<Number>)> draw);
extern template Result<void> fill_drawn<float>(Tensor&, Run&, FunctionRef<void(std::span<float>)>);
extern template Result<void> fill_drawn<double>(Tensor&, Run&, FunctionRef<void(std::span<double>)>);
extern template Result<void> fill_drawn<std::int64_t>(Tensor&, Run&, FunctionRef<void(std::span<std::int64_t>)>);

}  // namespace maskscope::ops::create
