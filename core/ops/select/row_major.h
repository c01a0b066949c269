// SPDX-License-Identifier: Apache-2.0
// Walks tensors in row-major order, which for_each_run may leave: what x[mask] gives, what nonzero lists, what a
// masked_scatter consumes is told by this order.
#pragma once

#include "core/base/function_ref.h"
#include "core/ops/loops/iteration.h"
#include "core/tensor/tensor.h"

#include <span>
#include <vector>

namespace maskscope::ops {

class RowMajor {
public:
    // The operands (at most kMaxOperands) are broadcast to the shape, which they must fit.
    RowMajor(const Shape& shape, std::span<const Tensor* const> operands);

    std::int64_t count() const { return count_; }
    // The elements at places [begin, end), in runs.
    void walk(std::int64_t begin, std::int64_t end, FunctionRef<void(const ElementRun&)> body) const;

private:
    struct Axis {
        std::int64_t size = 1;
        std::array<std::int64_t, kMaxOperands> step{};  // bytes
    };
    std::array<Axis, kMaxRank> axes_;  // outermost first, merged where the strides allow it
    int rank_ = 0;
    int operands_ = 0;
    std::array<std::byte*, kMaxOperands> data_{};
    std::int64_t count_ = 0;
};

// Places that a thread takes at once.
inline constexpr std::int64_t kPlaces = 32768;

// How many Trues the bool mask, broadcast to the shape, has before each chunk of kPlaces; the last entry is their
// number.
std::vector<std::int64_t> true_counts(const Tensor& mask, const Shape& shape);

}  // namespace maskscope::ops
