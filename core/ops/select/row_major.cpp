// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/row_major.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <cassert>

namespace maskscope::ops {

RowMajor::RowMajor(const Shape& shape, std::span<const Tensor* const> operands)
    : operands_(static_cast<int>(operands.size())), count_(element_count(shape).value_or(0)) {
    assert(operands.size() <= kMaxOperands);
    if (count_ == 0) return;
    for (std::size_t i = 0; i < operands.size(); ++i) data_[i] = const_cast<std::byte*>(operands[i]->data());
    for (int dim = 0; dim < shape.rank(); ++dim) {
        if (shape[dim] == 1) continue;
        Axis axis{shape[dim], {}};
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const Tensor& tensor = *operands[i];
            const int own = dim - (shape.rank() - tensor.rank());
            const bool repeats = own < 0 || tensor.size(own) != shape[dim];
            axis.step[i] = repeats ? 0 : tensor.strides()[own] * static_cast<std::int64_t>(size_of(tensor.dtype()));
        }
        bool merges = rank_ > 0;
        for (int i = 0; i < operands_ && merges; ++i) {
            const auto k = static_cast<std::size_t>(i);
            merges = axes_[static_cast<std::size_t>(rank_ - 1)].step[k] == axis.step[k] * axis.size;
        }
        if (merges) axis.size *= axes_[static_cast<std::size_t>(--rank_)].size;
        axes_[static_cast<std::size_t>(rank_++)] = axis;
    }
    if (rank_ == 0) rank_ = 1;
}

void RowMajor::walk(std::int64_t begin, std::int64_t end, FunctionRef<void(const ElementRun&)> body) const {
    if (begin >= end) return;
    const auto operands = static_cast<std::size_t>(operands_);
    std::array<std::int64_t, kMaxRank> index{};
    ElementRun run;
    run.data = data_;
    const auto last = static_cast<std::size_t>(rank_ - 1);
    run.step = axes_[last].step;
    std::int64_t rest = begin;
    for (auto k = last + 1; k-- > 0;) {
        index[k] = rest % axes_[k].size;
        rest /= axes_[k].size;
        for (std::size_t i = 0; i < operands; ++i) run.data[i] += index[k] * axes_[k].step[i];
    }
    for (auto done = begin;;) {
        run.count = std::min(axes_[last].size - index[last], end - done);
        body(run);
        done += run.count;
        if (done == end) return;
        for (std::size_t i = 0; i < operands; ++i) run.data[i] -= index[last] * axes_[last].step[i];
        index[last] = 0;
        for (auto k = last; k-- > 0;) {
            const Axis& axis = axes_[k];
            const bool carry = ++index[k] == axis.size;
            for (std::size_t i = 0; i < operands; ++i)
                run.data[i] += carry ? -(axis.size - 1) * axis.step[i] : axis.step[i];
            if (!carry) break;
            index[k] = 0;
        }
    }
}

std::vector<std::int64_t> true_counts(const Tensor& mask, const Shape& shape) {
    const Tensor* const operands[] = {&mask};
    const RowMajor places(shape, operands);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(chunk_count(places.count(), kPlaces)) + 1, 0);
    parallel_for(Lane::ui, places.count(), kPlaces, [&](const Chunk& chunk) {
        std::int64_t found = 0;
        places.walk(chunk.begin, chunk.end, [&](const ElementRun& run) {
            const std::byte* element = run.data[0];
            if (run.step[0] == 0) {
                found += *element != std::byte{0} ? run.count : 0;
            } else if (run.step[0] == 1) {
                for (std::int64_t i = 0; i < run.count; ++i) found += element[i] != std::byte{0};
            } else {
                for (std::int64_t i = 0; i < run.count; ++i) found += element[i * run.step[0]] != std::byte{0};
            }
        });
        counts[static_cast<std::size_t>(chunk.index)] = found;
    });
    std::int64_t before = 0;
    for (auto& count : counts) {
        const auto found = count;
        count = before;
        before += found;
    }
    return counts;
}

}  // namespace maskscope::ops
