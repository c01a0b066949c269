// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/axes.h"

#include "core/ops/dispatch/torch_error.h"

#include <algorithm>

namespace maskscope::ops {

Result<int> axis_of(int rank, std::int64_t dim) {
    const int size = std::max(rank, 1);
    if (dim < -size || dim >= size) return dimension_out_of_range(rank, dim);
    return static_cast<int>(dim < 0 ? dim + size : dim);
}

Axes every_axis(int rank) {
    Axes axes;
    for (int i = 0; i < rank; ++i) axes.set(static_cast<std::size_t>(i));
    return axes;
}

Axes one_axis(int rank, int axis) {
    Axes axes;
    if (rank > 0) axes.set(static_cast<std::size_t>(axis));
    return axes;
}

Result<Axes> axes_of(const Args& args, int parameter, int rank, EmptyList empty) {
    if (!args.given(parameter)) return every_axis(rank);
    const auto dims = args.integers(parameter);
    if (dims.empty()) return empty == EmptyList::all ? every_axis(rank) : Axes();
    std::vector<int> wrapped;
    for (const auto dim : dims) {
        MS_TRY(axis, axis_of(rank, dim));
        wrapped.push_back(axis);
    }
    Axes axes;
    for (const int axis : wrapped) {
        const auto bit = static_cast<std::size_t>(axis);
        if (axes.test(bit)) return runtime_error("dim {} appears multiple times in the list of dims", axis);
        axes.set(bit);
    }
    // A 0-dim tensor has no dim to take away, though 0 and -1 name one.
    return rank == 0 ? Axes() : axes;
}

Shape reduced_shape(const Shape& shape, const Axes& axes, bool keepdim) {
    Shape out;
    for (int i = 0; i < shape.rank(); ++i) {
        if (!axes.test(static_cast<std::size_t>(i)))
            out.push_back(shape[i]);
        else if (keepdim)
            out.push_back(1);
    }
    return out;
}

std::int64_t reduced_count(const Shape& shape, const Axes& axes) {
    std::int64_t count = 1;
    for (int i = 0; i < shape.rank(); ++i)
        if (axes.test(static_cast<std::size_t>(i))) count *= shape[i];
    return count;
}

double input_flops(const Args& args, std::span<const OutSpec> /*outputs*/) {
    return static_cast<double>(args.tensor(0).numel());
}

Result<void> refuse_storage_only(std::string_view kernel, DType dtype) {
    if (dtype > DType::f64) return not_implemented_for(kernel, dtype);
    return {};
}

}  // namespace maskscope::ops
