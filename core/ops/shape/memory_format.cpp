// SPDX-License-Identifier: Apache-2.0
#include "core/ops/shape/memory_format.h"

#include <algorithm>
#include <array>

namespace maskscope::ops::geometry {
namespace {

// Of [N, C, H, W] or [N, C, D, H, W]: the dims, fastest first. The span is empty for other ranks.
std::span<const int> fastest_first(int rank) {
    static constexpr std::array kPlane = {1, 3, 2, 0};
    static constexpr std::array kVolume = {1, 4, 3, 2, 0};
    if (rank == 4) return kPlane;
    if (rank == 5) return kVolume;
    return {};
}

bool is_channels_last(const Tensor& tensor) {
    const auto order = fastest_first(tensor.rank());
    if (order.empty() || tensor.strides()[1] == 0) return false;
    std::int64_t least = 0;
    for (const int dim : order) {
        const std::int64_t stride = tensor.strides()[dim];
        if (tensor.size(dim) == 0 || stride < least) return false;
        // A batch of one with one channel is both formats: PyTorch calls it contiguous.
        if (dim == 0 && least == tensor.strides()[1]) return false;
        least = tensor.size(dim) > 1 ? stride * tensor.size(dim) : stride;
    }
    return true;
}

}  // namespace

std::optional<Strides> channels_last_of(std::span<const Tensor* const> inputs, const Shape& shape) {
    const auto order = fastest_first(shape.rank());
    if (order.empty()) return std::nullopt;
    if (!std::all_of(inputs.begin(), inputs.end(), [](const Tensor* input) { return is_channels_last(*input); }))
        return std::nullopt;
    Strides strides = Dims::filled(shape.rank(), 1);
    std::int64_t stride = 1;
    for (const int dim : order) {
        strides[dim] = stride;
        stride *= std::max<std::int64_t>(shape[dim], 1);
    }
    return strides;
}

}  // namespace maskscope::ops::geometry
