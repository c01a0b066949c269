// SPDX-License-Identifier: Apache-2.0
// Walks up to four tensors together, element by element, in long runs: dimensions are reordered by the output's strides
// and merged where the strides allow, a repeated operand is never expanded, large work is spread over the threads.
#pragma once

#include "core/base/function_ref.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace maskscope::ops {

inline constexpr int kMaxOperands = 5;

// `count` elements of each operand, `step` bytes apart (0 repeats one element).
struct ElementRun {
    std::array<std::byte*, kMaxOperands> data{};
    std::array<std::int64_t, kMaxOperands> step{};
    std::int64_t count = 0;
};

// Operand 0 is the one whose order of memory is followed (the output). All are broadcast to the shape of operand 0,
// which they must fit. `grain`: elements a thread takes at once. The body runs on several threads and must not throw;
// runs of one call never overlap in operand 0.
void for_each_run(std::span<const Tensor* const> operands, FunctionRef<void(const ElementRun&)> body,
                  std::int64_t grain = 32768);

// The strides that PyTorch gives the result of an elementwise op: the order of memory of the inputs, without gaps.
// `inputs` are those with the tensor category (Python numbers left out), each broadcasting to `shape`.
Strides elementwise_strides(const Shape& shape, std::span<const Tensor* const> inputs);
// The strides of empty_like / clone / to with memory_format=torch.preserve_format.
Strides preserved_strides(const Tensor& tensor);

}  // namespace maskscope::ops
