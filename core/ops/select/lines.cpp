// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/lines.h"

#include "core/jobs/parallel.h"
#include "core/ops/loops/copy.h"
#include "core/ops/select/row_major.h"
#include "core/ops/select/seen_as.h"
#include "core/ops/select/widths.h"

#include <algorithm>
#include <cstdlib>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kGrain = 32768;  // elements that a thread takes at once

struct Parts {
    std::int64_t lines;
    std::int64_t length;
};

// How many lines, and how much of each, make a block.
Parts parts_of(const LineBlock& whole, AlongLine order) {
    // Where neighbouring lines are neighbours in memory, a block takes many of them: as many as there are when a line
    // may be cut instead, else enough to fill cache lines.
    const bool is_wide = std::abs(whole.across[2]) < std::abs(whole.along[2]) || whole.across[1] == 0;
    const std::int64_t wide =
        order == AlongLine::any_order ? kGrain : std::clamp<std::int64_t>(whole.lines / 8, 16, 256);
    const std::int64_t fewest = std::min<std::int64_t>(is_wide ? wide : 1, whole.lines);
    const std::int64_t lines = std::clamp<std::int64_t>(kGrain / whole.length, fewest, whole.lines);
    if (order == AlongLine::in_order) return {lines, whole.length};
    return {lines, std::clamp<std::int64_t>(kGrain / lines, 1, whole.length)};
}

}  // namespace

bool for_each_line_block(const Tensor& pointed, const Tensor& index, const Tensor& other, int dim, AlongLine order,
                         FunctionRef<void(const LineBlock&)> body) {
    if (index.numel() == 0) return true;
    const std::array<const Tensor*, LineBlock::kOperands> operands = {&pointed, &index, &other};
    const auto step = [&](std::size_t i, int d) {
        return operands[i]->strides()[d] * static_cast<std::int64_t>(size_of(operands[i]->dtype()));
    };
    std::atomic<bool> is_bad{false};
    LineBlock whole;
    whole.length = index.size(dim);
    whole.stride = step(0, dim);
    whole.size = pointed.size(dim);
    whole.is_bad = &is_bad;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        whole.data[i] = const_cast<std::byte*>(operands[i]->data());
        whole.along[i] = i == 0 ? 0 : step(i, dim);
    }
    // Lines lie side by side along the last other dim that has more than one; the rest is counted.
    int side = -1;
    std::int64_t stacks = 1;
    for (int d = index.rank() - 1; d >= 0; --d) {
        if (d == dim || index.size(d) == 1) continue;
        if (side < 0) {
            side = d;
        } else {
            stacks *= index.size(d);
        }
    }
    whole.lines = side < 0 ? 1 : index.size(side);
    if (side >= 0)
        for (std::size_t i = 0; i < operands.size(); ++i) whole.across[i] = step(i, side);
    const Parts parts = parts_of(whole, order);
    const std::int64_t block_size = parts.lines * parts.length;
    const std::int64_t across = chunk_count(whole.lines, parts.lines);
    const std::int64_t along = chunk_count(whole.length, parts.length);
    parallel_for(Lane::ui, stacks * across * along, std::max<std::int64_t>(kGrain / block_size, 1),
                 [&](const Chunk& chunk) {
                     for (auto k = chunk.begin; k < chunk.end; ++k) {
                         LineBlock block = whole;
                         const std::int64_t line = k % across * parts.lines;
                         const std::int64_t first = k / across % along * parts.length;
                         block.lines = std::min(parts.lines, whole.lines - line);
                         block.length = std::min(parts.length, whole.length - first);
                         for (std::size_t i = 0; i < operands.size(); ++i)
                             block.data[i] += line * block.across[i] + first * block.along[i];
                         std::int64_t rest = k / across / along;
                         for (int d = side - 1; d >= 0; --d) {
                             if (d == dim) continue;
                             const std::int64_t at = rest % index.size(d);
                             rest /= index.size(d);
                             for (std::size_t i = 0; i < operands.size(); ++i) block.data[i] += at * step(i, d);
                         }
                         body(block);
                     }
                 });
    return !is_bad;
}

std::int64_t first_outside(const Tensor& index, std::int64_t size) {
    const Tensor* const operands[] = {&index};
    std::int64_t found = 0;
    bool is_found = false;
    RowMajor(index.shape(), operands).walk(0, index.numel(), [&](const ElementRun& run) {
        for (std::int64_t i = 0; i < run.count && !is_found; ++i) {
            found = get<std::int64_t>(run.data[0] + i * run.step[0]);
            is_found = found < 0 || found >= size;
        }
    });
    return found;
}

Result<Tensor> as_int64(const Tensor& index, Run& run) {
    if (index.dtype() == DType::i64) return index;
    MS_TRY(wide, run.allocate(index.shape(), DType::i64));
    copy_elements(index, wide);
    return std::move(wide);
}

Tensor index_along(const Tensor& vector, const Shape& shape, int dim) {
    Shape out = shape;
    Strides strides = Dims::filled(shape.rank(), 0);
    out[dim] = vector.numel();
    strides[dim] = vector.rank() == 0 ? 1 : vector.strides()[0];
    return seen_as(vector, out, strides);
}

Tensor at_least_1d(const Tensor& tensor) {
    return tensor.rank() == 0 ? tensor.unsqueeze(0) : tensor;
}

}  // namespace maskscope::ops
