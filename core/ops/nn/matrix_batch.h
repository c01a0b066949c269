// SPDX-License-Identifier: Apache-2.0
// The matrices in the last two dims of a tensor, counted over the dims in front of them.
#pragma once

#include "core/ops/nn/tile.h"
#include "core/tensor/tensor.h"

namespace maskscope::ops {

inline std::int64_t step_of(const Tensor& tensor, int dim) {
    return tensor.strides()[dim] * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

class MatrixBatch {
public:
    // The batch dims of the tensor: all but the last two.
    explicit MatrixBatch(const Tensor& tensor) {
        for (int i = 0; i + 2 < tensor.rank(); ++i) {
            shape_.push_back(tensor.size(i));
            count_ *= tensor.size(i);
        }
    }
    std::int64_t count() const { return count_; }

    // Of a tensor with the same batch dims.
    MatrixView matrix(const Tensor& tensor, std::int64_t place) const {
        std::int64_t offset = 0;
        for (int i = shape_.rank() - 1; i >= 0; --i) {
            offset += place % shape_[i] * step_of(tensor, i);
            place /= shape_[i];
        }
        const int rank = tensor.rank();
        return {tensor.data() + offset, tensor.dtype(), step_of(tensor, rank - 2), step_of(tensor, rank - 1)};
    }

private:
    Shape shape_;
    std::int64_t count_ = 1;
};

}  // namespace maskscope::ops
