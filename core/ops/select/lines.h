// SPDX-License-Identifier: Apache-2.0
// gather, scatter and the index_... ops see their tensors as lines along one dim: within a line an index says where an
// element comes from or goes to, and no line meets another. So lines run in parallel, and along a line the order is
// kept.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"
#include "core/ops/dispatch/run.h"
#include "core/tensor/tensor.h"

#include <array>
#include <atomic>
#include <span>

namespace maskscope::ops {

// Some of the lines, side by side. Operand 0 is the tensor that the index points into: its place along `dim` is not
// part of its data pointer.
struct LineBlock {
    static constexpr std::size_t kOperands = 3;
    std::array<std::byte*, kOperands> data{};
    std::array<std::int64_t, kOperands> across{};  // bytes from one line to the next
    std::array<std::int64_t, kOperands> along{};   // bytes from one element of a line to the next
    std::int64_t lines = 0;
    std::int64_t length = 0;
    std::int64_t stride = 0;  // of operand 0 along the dim, bytes
    std::int64_t size = 0;    // of operand 0 along the dim
    // Where to leave an index out of range; the element is passed over.
    std::atomic<bool>* is_bad = nullptr;

    bool is_inside(std::int64_t index) const {
        if (static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(size)) return true;
        is_bad->store(true, std::memory_order_relaxed);
        return false;
    }
};

// May one line be cut into parts that run side by side?
enum class AlongLine : std::uint8_t { any_order, in_order };

// Over the shape of `index` (int64), cut to `dim` >= 0 (a 0-dim tensor counts as a vector of one). `pointed` and
// `other` may be larger than index; `index` may repeat along any dim by a stride of 0. False when an index was out of
// range.
bool for_each_line_block(const Tensor& pointed, const Tensor& index, const Tensor& other, int dim, AlongLine order,
                         FunctionRef<void(const LineBlock&)> body);

// The first index, in row-major order, that is not in [0, size).
std::int64_t first_outside(const Tensor& index, std::int64_t size);

// The index as int64.
Result<Tensor> as_int64(const Tensor& index, Run& run);
// A vector of indices repeated over the other dims of `shape`, which stands at `dim`; shape[dim] becomes its length.
Tensor index_along(const Tensor& vector, const Shape& shape, int dim);
// 0-dim tensors as vectors of one.
Tensor at_least_1d(const Tensor& tensor);

}  // namespace maskscope::ops
