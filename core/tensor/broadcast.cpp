// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/broadcast.h"

#include <algorithm>

namespace maskscope {
namespace {

Error torch_error(std::string text) {
    Error error = make_error(ErrorKind::input, std::move(text));
    error.type = "RuntimeError";
    error.message.verbatim = true;
    return error;
}

}  // namespace

Result<Shape> broadcast_shapes(const Shape& a, const Shape& b) {
    const int rank = std::max(a.rank(), b.rank());
    Shape out = Dims::filled(rank, 1);
    for (int i = rank - 1; i >= 0; --i) {
        const int ia = i - (rank - a.rank());
        const int ib = i - (rank - b.rank());
        const std::int64_t size_a = ia >= 0 ? a[ia] : 1;
        const std::int64_t size_b = ib >= 0 ? b[ib] : 1;
        if (size_a != size_b && size_a != 1 && size_b != 1) {
            return torch_error(fmt::format(
                "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}", size_a,
                size_b, i));
        }
        out[i] = size_a == 1 ? size_b : size_a;
    }
    return out;
}

bool broadcasts_to(const Shape& from, const Shape& to) {
    if (from.rank() > to.rank()) return false;
    for (int i = 0; i < from.rank(); ++i) {
        if (from[i] != 1 && from[i] != to[i + to.rank() - from.rank()]) return false;
    }
    return true;
}

Result<Tensor> expand(const Tensor& tensor, const Shape& to) {
    const int added = to.rank() - tensor.rank();
    if (added < 0) {
        return torch_error(
            fmt::format("expand({}, size={}): the number of sizes provided ({}) must be greater or equal "
                        "to the number of dimensions in the tensor ({})",
                        text_of(tensor.shape()), text_of(to), to.rank(), tensor.rank()));
    }
    Strides strides = Dims::filled(to.rank(), 0);
    for (int i = 0; i < tensor.rank(); ++i) {
        const int target = i + added;
        if (tensor.size(i) == to[target]) {
            strides[target] = tensor.strides()[i];
        } else if (tensor.size(i) != 1) {
            return torch_error(
                fmt::format("The expanded size of the tensor ({}) must match the existing size ({}) at "
                            "non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
                            to[target], tensor.size(i), target, text_of(to), text_of(tensor.shape())));
        }
    }
    return Tensor::view_of(tensor.storage(), tensor.dtype(), to, strides, tensor.offset());
}

}  // namespace maskscope
