// SPDX-License-Identifier: Apache-2.0
// Runs an elementwise loop over tensors of any dtype, shape and strides. The loop itself sees contiguous blocks of one
// type: straight in memory where the tensors are that already, through small converted blocks elsewhere.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/loops/blocks.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace maskscope::ops {

// `count` elements; in[k] are those of operand k and may be `out` itself. `context`: parameters of the op.
template <class T, class Out>
using Loop = void (*)(Out* out, const T* const* in, std::int64_t count, const void* context);

// One loop for each type of arithmetic; null where the op has none. `bools`: bytes, 0 is False and any other True.
struct Loops {
    Loop<float, float> f32 = nullptr;
    Loop<double, double> f64 = nullptr;
    Loop<std::int64_t, std::int64_t> i64 = nullptr;
    Loop<std::uint8_t, std::uint8_t> bools = nullptr;
};
// The same for ops that give bool.
struct Tests {
    Loop<float, std::uint8_t> f32 = nullptr;
    Loop<double, std::uint8_t> f64 = nullptr;
    Loop<std::int64_t, std::uint8_t> i64 = nullptr;
    Loop<std::uint8_t, std::uint8_t> bools = nullptr;
};

struct Sweep {
    std::span<const Value> operands;
    DType common = DType::f32;  // what they are converted to first
    const void* context = nullptr;
    // One element of another dtype as operand 1 stays as it is (x * 0.1 in float16 multiplies by 0.1, not by the
    // nearest float16): what PyTorch does for some ops.
    bool exact_other = false;
};

// Errors: no memory for a number's tensor, cancelled.
Result<void> sweep(const Loops& loops, const Sweep& sweep, Tensor& out, const JobContext& job);
Result<void> sweep(const Tests& tests, const Sweep& sweep, Tensor& out, const JobContext& job);

// True when an element, converted to `common`, is zero. Numbers too.
Result<bool> has_zero(const Value& operand, DType common);

}  // namespace maskscope::ops
