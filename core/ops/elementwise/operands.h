// SPDX-License-Identifier: Apache-2.0
// The operands of elementwise ops: tensors and Python numbers alike, as PyTorch lets them stand for each other.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/loops/promotion.h"
#include "core/tensor/convert.h"

#include <span>
#include <string>
#include <string_view>

namespace maskscope::ops {

// The dtypes that an op computes in, and what it makes of the others.
enum class Takes : std::uint8_t {
    promoted,  // floating; integers and bool become float32
    floating,
    numbers,  // all but bool
    all,
    bits,      // integers and bool
    integers,  // no bool
};

// A number of the 16-bit type nearest to it, for steps between which PyTorch rounds.
template <class T>
T rounded_to(DType dtype, T number) {
    const auto single = static_cast<float>(number);
    return static_cast<T>(dtype == DType::f16 ? float_from_f16(f16_from_float(single))
                                              : float_from_bf16(bf16_from_float(single)));
}

Typed typed_of(const Value& value);
// As PyTorch wraps numbers: 0-dim float64, int64 or bool.
Result<Tensor> tensor_of(const Value& value);
// One element: PyTorch's kernels take it as a number.
bool is_single(const Value& value);

// The dtype that the operands are computed in. Error: '"exp_vml_cpu" not implemented for 'Bool''.
Result<DType> compute_dtype(std::span<const Value> operands, Takes takes, std::string_view stub);
// The broadcast shape. Error in PyTorch's words.
Result<Shape> common_shape(std::span<const Value> operands);
// The output of an op that computes in `common`, in PyTorch's strides. Operand `kept` (a condition) is not converted.
Result<Outputs> elementwise_output(std::span<const Value> operands, DType common, int kept = -1);
// The same for a call with its refusals; tests give bool.
Result<Outputs> elementwise_output(const Args& args, std::span<const Value> operands, Takes takes,
                                   std::string_view stub, bool is_test);
// An in-place call whose result the dispatcher will refuse to cast: PyTorch says that before it looks for a kernel.
bool cannot_be_stored(const Args& args, DType dtype);
// The numbers that clamp and its kin hold values between: a bound beyond what the dtype holds is no bound on one side
// and cannot be kept to on the other. "Clamp min value 300 is outside the representable range of Byte".
Result<void> check_bounds(const Value& low, const Value& high, DType dtype);
// A number as an integer of that dtype holds it, cut and wrapped.
std::int64_t cut_to(DType dtype, const Value& number);

}  // namespace maskscope::ops
