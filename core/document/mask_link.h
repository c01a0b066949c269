// SPDX-License-Identifier: Apache-2.0
// How a mask's axes lie on a tensor's: by the broadcasting rule, or by names when both have them.
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace maskscope::document {

struct AxisMap {
    // For each dim of the tensor: the mask's dim that lies on it, or -1 where the mask repeats.
    std::vector<int> mask_dim;
    bool by_name = false;
    // "key -> key, batch -> batch; repeated along layer, head, query"
    std::string text;
};

// Named dims win when every mask dim of size > 1 names a dim of the tensor of that size; else the shapes are aligned at
// the right as PyTorch does. Error: PyTorch's broadcast sentence, with index forms that fit as the hint.
Result<AxisMap> map_axes(const Shape& tensor, const std::vector<std::string>& tensor_dims, const Shape& mask,
                         const std::vector<std::string>& mask_dims);
inline Result<AxisMap> map_axes(const Tensor& tensor, const std::vector<std::string>& tensor_dims, const Tensor& mask,
                                const std::vector<std::string>& mask_dims) {
    return map_axes(tensor.shape(), tensor_dims, mask.shape(), mask_dims);
}
// The mask expanded to the tensor's shape (stride 0 where it repeats).
Result<Tensor> lay_over(const Tensor& tensor, const Tensor& mask, const AxisMap& map);

}  // namespace maskscope::document
