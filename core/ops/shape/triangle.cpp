// SPDX-License-Identifier: Apache-2.0
// tril and triu: the matrix on one side of a diagonal, zeros on the other.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>
#include <cstring>

namespace maskscope::ops {
namespace {

using namespace geometry;

constexpr std::int64_t kGrain = 32768;  // elements that a thread takes at once

enum class Side { lower, upper };

// Whether PyTorch writes in place right away. It does so, even where matrices of an expanded batch are one; else it
// goes over a copy, and refuses.
bool is_written_directly(const Tensor& tensor) {
    const int rank = tensor.rank();
    std::int64_t expected = tensor.size(rank - 1) * tensor.size(rank - 2);
    for (int dim = rank - 3; dim >= 0 && rank > 3; --dim) {
        if (dim == 0 && (tensor.strides()[dim] == 0 || tensor.size(dim) == 1)) continue;
        if (tensor.strides()[dim] != expected) return false;
        expected *= tensor.size(dim);
    }
    return true;
}

template <Side side>
Result<Outputs> shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::string_view name = side == Side::lower ? "tril" : "triu";
    if (tensor.rank() < 2) return runtime_error("{}: input tensor must have at least 2 dimensions", name);
    if (tensor.dtype() > DType::f64) return not_implemented_for(name, tensor.dtype());
    if (args.in_place() && has_internal_overlap(tensor) && !is_written_directly(tensor))
        return runtime_error(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation.");
    return Outputs{{tensor.shape(), tensor.dtype(), std::nullopt}};
}

struct Row {
    const std::byte* from;
    std::byte* to;
    std::int64_t from_step;  // bytes
    std::int64_t to_step;
};

template <class T>
void keep(const Row& row, std::int64_t begin, std::int64_t end) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const std::byte* from = row.from + begin * row.from_step;
    std::byte* to = row.to + begin * row.to_step;
    if (from == to || begin >= end) return;
    if (row.from_step == kSize && row.to_step == kSize) {
        std::memcpy(to, from, static_cast<std::size_t>(end - begin) * sizeof(T));
        return;
    }
    for (std::int64_t i = begin; i < end; ++i, from += row.from_step, to += row.to_step)
        std::memcpy(to, from, sizeof(T));
}

template <class T>
void clear(const Row& row, std::int64_t begin, std::int64_t end) {
    std::byte* to = row.to + begin * row.to_step;
    if (begin >= end) return;
    if (row.to_step == static_cast<std::int64_t>(sizeof(T))) {
        std::memset(to, 0, static_cast<std::size_t>(end - begin) * sizeof(T));
        return;
    }
    for (std::int64_t i = begin; i < end; ++i, to += row.to_step) std::memset(to, 0, sizeof(T));
}

// Bytes from the first element to the row of that number, counted over all dims but the last.
std::int64_t row_offset(const Tensor& tensor, std::int64_t row) {
    std::int64_t offset = 0;
    for (int dim = tensor.rank() - 2; dim >= 0; --dim) {
        offset += row % tensor.size(dim) * tensor.strides()[dim];
        row /= tensor.size(dim);
    }
    return offset * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

template <Side side, class T>
Result<void> cut(const Tensor& from, Tensor& to, std::int64_t diagonal, const JobContext& context) {
    if (to.numel() == 0) return {};
    const int rank = to.rank();
    const std::int64_t rows = to.size(rank - 2);
    const std::int64_t cols = to.size(rank - 1);
    diagonal = std::clamp(diagonal, -rows, cols);
    std::byte* target = to.writable_data();
    parallel_for(Lane::ui, to.numel() / cols, std::max<std::int64_t>(kGrain / cols, 1), [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const Row row{from.data() + row_offset(from, i), target + row_offset(to, i),
                          from.strides()[rank - 1] * static_cast<std::int64_t>(sizeof(T)),
                          to.strides()[rank - 1] * static_cast<std::int64_t>(sizeof(T))};
            // The first column on the diagonal's upper side; below it comes the first one past the diagonal.
            const std::int64_t on = i % rows + diagonal;
            const std::int64_t split = std::clamp<std::int64_t>(side == Side::upper ? on : on + 1, 0, cols);
            if (side == Side::upper) {
                clear<T>(row, 0, split);
                keep<T>(row, split, cols);
            } else {
                keep<T>(row, 0, split);
                clear<T>(row, split, cols);
            }
        }
    });
    if (context.cancelled()) return cancelled_error();
    return {};
}

template <Side side>
Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& from = args.tensor(0);
    Tensor& to = outputs[0];
    const std::int64_t diagonal = args.integer(1);
    switch (size_of(to.dtype())) {
        case 1:
            return cut<side, std::uint8_t>(from, to, diagonal, run.context());
        case 2:
            return cut<side, std::uint16_t>(from, to, diagonal, run.context());
        case 4:
            return cut<side, std::uint32_t>(from, to, diagonal, run.context());
        default:
            return cut<side, std::uint64_t>(from, to, diagonal, run.context());
    }
}

template <Side side>
std::vector<Overload> overloads() {
    constexpr unsigned kTraits = kElementwise | kAllowsExpandedSelf;
    return {
        computed("(Tensor input, int diagonal=0)", kMethod | kInPlace, shape<side>, kernel<side>, kTraits),
        computed("(Tensor input, int diagonal=0, *, Tensor? out=None)", kFunction, shape<side>, kernel<side>, kTraits)};
}

}  // namespace

void add_triangle(OpTable& table) {
    table.add({"tril",
               "The lower triangle of each matrix, zeros above it. The diagonal stays; diagonal=-1 drops it, "
               "diagonal=1 keeps one "
               "more. tril of ones is the causal mask of what may be seen.",
               overloads<Side::lower>(),
               {"x.tril()", "torch.tril(x, diagonal=-1)", "m.tril()"}});
    table.add({"triu",
               "The upper triangle of each matrix, zeros below it. The diagonal stays: as a causal mask of what to "
               "drop, ones need "
               "diagonal=1, or every token hides itself and the first row sees nothing.",
               overloads<Side::upper>(),
               {"x.triu()", "torch.triu(x, diagonal=1)", "m.triu(1)"}});
}

}  // namespace maskscope::ops
