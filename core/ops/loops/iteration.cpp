// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/iteration.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace maskscope::ops {
namespace {

using Order = std::array<int, kMaxRank>;

struct Axis {
    std::int64_t size = 1;
    std::array<std::int64_t, kMaxOperands> step{};  // bytes
};

// What is left of the operands' shapes and strides: dims of size 1 dropped, fastest first, merged.
struct Plan {
    std::array<Axis, kMaxRank> axes;
    int rank = 0;
    std::array<std::byte*, kMaxOperands> data{};
    int operands = 0;
    std::int64_t count = 0;
};

// The stride of `tensor` along dim `dim` of the shape that it is broadcast to.
std::int64_t broadcast_stride(const Tensor& tensor, const Shape& shape, int dim) {
    const int own = dim - (shape.rank() - tensor.rank());
    if (own < 0 || (tensor.size(own) == 1 && shape[dim] != 1)) return 0;
    return tensor.strides()[own];
}

bool moves_faster(const Axis& a, const Axis& b, int operands) {
    for (int i = 0; i < operands; ++i) {
        const auto step_a = std::abs(a.step[static_cast<std::size_t>(i)]);
        const auto step_b = std::abs(b.step[static_cast<std::size_t>(i)]);
        if (step_a != step_b) return step_a < step_b;
    }
    return false;
}

bool continues(const Axis& inner, const Axis& outer, int operands) {
    for (int i = 0; i < operands; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (outer.step[k] != inner.step[k] * inner.size) return false;
    }
    return true;
}

Plan plan_of(std::span<const Tensor* const> operands) {
    assert(!operands.empty() && operands.size() <= kMaxOperands);
    Plan plan;
    const Shape& shape = operands[0]->shape();
    plan.operands = static_cast<int>(operands.size());
    plan.count = operands[0]->numel();
    if (plan.count == 0) return plan;
    for (std::size_t i = 0; i < operands.size(); ++i) plan.data[i] = const_cast<std::byte*>(operands[i]->data());

    std::array<Axis, kMaxRank> axes;
    int rank = 0;
    for (int dim = shape.rank() - 1; dim >= 0; --dim) {
        if (shape[dim] == 1) continue;
        Axis axis{shape[dim], {}};
        for (std::size_t i = 0; i < operands.size(); ++i) {
            axis.step[i] =
                broadcast_stride(*operands[i], shape, dim) * static_cast<std::int64_t>(size_of(operands[i]->dtype()));
        }
        int at = rank++;
        for (; at > 0 && moves_faster(axis, axes[static_cast<std::size_t>(at - 1)], plan.operands); --at)
            axes[static_cast<std::size_t>(at)] = axes[static_cast<std::size_t>(at - 1)];
        axes[static_cast<std::size_t>(at)] = axis;
    }
    for (int i = 0; i < rank; ++i) {
        const Axis& axis = axes[static_cast<std::size_t>(i)];
        if (plan.rank > 0) {
            Axis& inner = plan.axes[static_cast<std::size_t>(plan.rank - 1)];
            if (continues(inner, axis, plan.operands)) {
                inner.size *= axis.size;
                continue;
            }
        }
        plan.axes[static_cast<std::size_t>(plan.rank++)] = axis;
    }
    if (plan.rank == 0) plan.rank = 1;
    return plan;
}

void walk(const Plan& plan, std::int64_t begin, std::int64_t end, FunctionRef<void(const ElementRun&)> body) {
    std::array<std::int64_t, kMaxRank> index{};
    ElementRun run;
    run.step = plan.axes[0].step;
    std::int64_t rest = begin;
    auto data = plan.data;
    for (int d = 0; d < plan.rank; ++d) {
        const Axis& axis = plan.axes[static_cast<std::size_t>(d)];
        const auto at = rest % axis.size;
        rest /= axis.size;
        index[static_cast<std::size_t>(d)] = at;
        for (std::size_t i = 0; i < static_cast<std::size_t>(plan.operands); ++i) data[i] += at * axis.step[i];
    }
    for (auto done = begin; done < end;) {
        run.data = data;
        run.count = std::min(plan.axes[0].size - index[0], end - done);
        body(run);
        done += run.count;
        if (done == end) return;
        for (std::size_t i = 0; i < static_cast<std::size_t>(plan.operands); ++i)
            data[i] -= index[0] * plan.axes[0].step[i];
        index[0] = 0;
        for (int d = 1; d < plan.rank; ++d) {
            const auto k = static_cast<std::size_t>(d);
            const Axis& axis = plan.axes[k];
            const bool carry = ++index[k] == axis.size;
            for (std::size_t i = 0; i < static_cast<std::size_t>(plan.operands); ++i)
                data[i] += carry ? -(axis.size - 1) * axis.step[i] : axis.step[i];
            if (!carry) break;
            index[k] = 0;
        }
    }
}

// An empty tensor counts as contiguous, whatever its strides.
bool is_contiguous(const Tensor& tensor) {
    return tensor.numel() == 0 || tensor.is_contiguous();
}

bool is_dense(const Tensor& tensor) {
    if (is_contiguous(tensor)) return true;
    Order order{};
    const int rank = tensor.rank();
    const auto stride = [&](int d) { return tensor.strides()[d]; };
    for (int i = 0; i < rank; ++i) order[static_cast<std::size_t>(i)] = i;
    // Dims of one element last: their strides do not matter.
    std::sort(order.begin(), order.begin() + rank, [&](int a, int b) {
        const bool single_a = tensor.size(a) < 2;
        const bool single_b = tensor.size(b) < 2;
        return single_a != single_b ? single_b : !single_a && stride(a) < stride(b);
    });
    std::int64_t expected = 1;
    for (int i = 0; i < rank; ++i) {
        const int d = order[static_cast<std::size_t>(i)];
        if (tensor.size(d) < 2) return true;
        if (stride(d) != expected) return false;
        expected *= tensor.size(d);
    }
    return true;
}

// Four dims in the order of memory (0, 2, 3, 1).
std::optional<Strides> channels_last(const Shape& shape) {
    if (shape.rank() != 4) return std::nullopt;
    Strides strides = Dims::filled(4, 1);
    std::int64_t stride = 1;
    for (const int d : {1, 3, 2, 0}) {
        strides[d] = stride;
        stride *= std::max<std::int64_t>(shape[d], 1);
    }
    return strides;
}

bool is_channels_last(const Tensor& tensor) {
    const auto strides = channels_last(tensor.shape());
    if (!strides) return false;
    for (int d = 0; d < 4; ++d)
        if (tensor.size(d) != 1 && tensor.strides()[d] != (*strides)[d]) return false;
    return true;
}

// Strides without gaps, dims in the order of memory of the first input that has an opinion about each pair; the last
// dim is the fastest where none has. The order of comparisons is PyTorch's, since an ambiguous pair is not transitive.
Strides dense_strides(const Shape& shape, std::span<const Tensor* const> inputs) {
    const int rank = shape.rank();
    // Positive: a belongs outside b.
    const auto compare = [&](int a, int b) {
        for (const Tensor* input : inputs) {
            const auto stride_a = broadcast_stride(*input, shape, a);
            const auto stride_b = broadcast_stride(*input, shape, b);
            if (stride_a == 0 || stride_b == 0) continue;
            if (stride_a != stride_b) return stride_a < stride_b ? -1 : 1;
            if (shape[a] > shape[b]) return 1;
        }
        return 0;
    };
    Order order{};
    for (int i = 0; i < rank; ++i) order[static_cast<std::size_t>(i)] = rank - 1 - i;
    for (int i = 1; i < rank; ++i) {
        int moving = i;
        for (int other = i - 1; other >= 0; --other) {
            auto& a = order[static_cast<std::size_t>(other)];
            auto& b = order[static_cast<std::size_t>(moving)];
            const int way = compare(a, b);
            if (way < 0) break;
            if (way == 0) continue;
            std::swap(a, b);
            moving = other;
        }
    }
    bool row_major = true;
    for (int i = 0; i < rank; ++i) row_major = row_major && order[static_cast<std::size_t>(i)] == rank - 1 - i;
    if (row_major) return contiguous_strides(shape);
    Strides strides = Dims::filled(rank, 1);
    std::int64_t stride = 1;
    for (int i = 0; i < rank; ++i) {
        const int d = order[static_cast<std::size_t>(i)];
        strides[d] = stride;
        stride *= shape[d];
    }
    return strides;
}

}  // namespace

void for_each_run(std::span<const Tensor* const> operands, FunctionRef<void(const ElementRun&)> body,
                  std::int64_t grain) {
    const Plan plan = plan_of(operands);
    if (plan.count == 0) return;
    // Where elements of operand 0 lie on each other, threads would meet there.
    const bool repeats = std::any_of(plan.axes.begin(), plan.axes.begin() + plan.rank,
                                     [](const Axis& axis) { return axis.size > 1 && axis.step[0] == 0; });
    if (plan.count <= grain || repeats) return walk(plan, 0, plan.count, body);
    parallel_for(Lane::ui, plan.count, grain, [&](const Chunk& chunk) { walk(plan, chunk.begin, chunk.end, body); });
}

Strides elementwise_strides(const Shape& shape, std::span<const Tensor* const> inputs) {
    const auto all = [&](auto holds) {
        return std::all_of(inputs.begin(), inputs.end(), [&](const Tensor* input) { return holds(*input); });
    };
    if (inputs.empty()) return contiguous_strides(shape);
    if (all([&](const Tensor& input) { return input.shape() == shape; })) {
        if (all(is_contiguous)) return contiguous_strides(shape);
        if (all(is_channels_last)) return *channels_last(shape);
        const Strides& strides = inputs[0]->strides();
        if (all([&](const Tensor& input) { return input.strides() == strides && is_dense(input); })) return strides;
    }
    return dense_strides(shape, inputs);
}

Strides preserved_strides(const Tensor& tensor) {
    if (is_dense(tensor)) return tensor.strides();
    const Tensor* const inputs[] = {&tensor};
    return dense_strides(tensor.shape(), inputs);
}

}  // namespace maskscope::ops
