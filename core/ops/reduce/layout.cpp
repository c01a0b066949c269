// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/layout.h"

#include <algorithm>
#include <cstdlib>

namespace maskscope::ops {
namespace {

void merge_or_append(LoopDims& dims, const LoopDim& dim) {
    if (dim.size == 1) return;
    if (dims.rank > 0) {
        auto& last = dims.dims[static_cast<std::size_t>(dims.rank - 1)];
        bool follows = last.in_step == dim.in_step * dim.size;
        for (std::size_t i = 0; i < dim.out_step.size(); ++i)
            follows = follows && last.out_step[i] == dim.out_step[i] * dim.size;
        if (follows) {
            last.size *= dim.size;
            last.in_step = dim.in_step;
            last.out_step = dim.out_step;
            return;
        }
    }
    dims.dims[static_cast<std::size_t>(dims.rank++)] = dim;
}

LoopDims merged(std::span<LoopDim> found, Order order) {
    if (order == Order::any) {
        // Repeated dims (step 0) go outermost: they tell nothing about what lies beside what.
        const auto reach = [](const LoopDim& dim) { return dim.in_step == 0 ? INT64_MAX : std::abs(dim.in_step); };
        std::stable_sort(found.begin(), found.end(),
                         [&](const LoopDim& a, const LoopDim& b) { return reach(a) > reach(b); });
    }
    LoopDims out;
    for (const auto& dim : found) merge_or_append(out, dim);
    if (out.rank == 0) out.rank = 1;  // a single element
    return out;
}

}  // namespace

std::int64_t LoopDims::outer_count() const {
    std::int64_t count = 1;
    for (int i = 0; i + 1 < rank; ++i) count *= dims[static_cast<std::size_t>(i)].size;
    return count;
}

std::int64_t LoopDims::count() const {
    return outer_count() * inner().size;
}

LoopDims::Place LoopDims::outer_place(std::int64_t index) const {
    Place place;
    for (int i = rank - 2; i >= 0; --i) {
        const auto& dim = dims[static_cast<std::size_t>(i)];
        const std::int64_t here = index % dim.size;
        index /= dim.size;
        place.in += here * dim.in_step;
        for (std::size_t o = 0; o < place.out.size(); ++o) place.out[o] += here * dim.out_step[o];
    }
    return place;
}

Layout layout_of(const Tensor& input, std::span<const Tensor> outputs, const Axes& axes, Order order) {
    std::array<LoopDim, kMaxRank> kept;
    std::array<LoopDim, kMaxRank> reduced;
    std::size_t kept_count = 0;
    std::size_t reduced_count = 0;
    const auto in_width = static_cast<std::int64_t>(size_of(input.dtype()));
    int out_dim = 0;
    for (int i = 0; i < input.rank(); ++i) {
        const bool is_reduced = axes.test(static_cast<std::size_t>(i));
        LoopDim dim;
        dim.size = input.size(i);
        dim.in_step = input.strides()[i] * in_width;
        const bool in_output = !is_reduced || (!outputs.empty() && outputs.front().rank() == input.rank());
        for (std::size_t o = 0; in_output && o < outputs.size(); ++o)
            if (outputs[o].size(out_dim) != 1)
                dim.out_step[o] =
                    outputs[o].strides()[out_dim] * static_cast<std::int64_t>(size_of(outputs[o].dtype()));
        if (in_output) ++out_dim;
        if (is_reduced)
            reduced[reduced_count++] = dim;
        else
            kept[kept_count++] = dim;
    }
    return {merged(std::span(kept.data(), kept_count), Order::any),
            merged(std::span(reduced.data(), reduced_count), order)};
}

}  // namespace maskscope::ops
