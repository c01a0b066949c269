// SPDX-License-Identifier: Apache-2.0
// Elements that change places along their dims: turned round, rolled, rotated. All of these copy.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/shape/geometry.h"
#include "core/ops/shape/memory_format.h"
#include "core/ops/shape/pieces.h"

#include <array>

namespace maskscope::ops {
namespace {

using namespace geometry;

std::vector<Pieces> nothing_moved(const Tensor& tensor) {
    std::vector<Pieces> out;
    for (const auto size : tensor.shape()) out.push_back(whole(size));
    return out;
}

Outputs like(const Tensor& tensor) {
    return {{tensor.shape(), tensor.dtype(), preserved_strides(tensor)}};
}

Result<Outputs> flip_shape(const Args& args) {
    MS_TRY(dims, wrap_dims(args.tensor(0).rank(), args.integers(1)));
    static_cast<void>(dims);
    return like(args.tensor(0));
}

Result<void> turn(const Tensor& from, Tensor& to, const DimSet& dims, const Run& run) {
    auto pieces = nothing_moved(from);
    for (int i = 0; i < from.rank(); ++i)
        if (dims[static_cast<std::size_t>(i)])
            pieces[static_cast<std::size_t>(i)] = {{from.size(i), from.size(i) - 1, -1, false}};
    return assemble(from, to, pieces, nullptr, run.context());
}

Result<void> flip_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(dims, wrap_dims(args.tensor(0).rank(), args.integers(1)));
    return turn(args.tensor(0), outputs[0], dims, run);
}

// fliplr and flipud: one dim, which must be there.
template <int dim>
Result<Outputs> flip_one_shape(const Args& args) {
    if (args.tensor(0).rank() <= dim) return runtime_error("Input must be >= {}-d.", dim + 1);
    return like(args.tensor(0));
}

template <int dim>
Result<void> flip_one_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return turn(args.tensor(0), outputs[0], DimSet().set(dim), run);
}

Result<Outputs> roll_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto shifts = args.integers(1);
    const auto dims = args.integers(2);
    if (shifts.empty()) return runtime_error("`shifts` required");
    const bool flat = dims.empty() && shifts.size() == 1;
    if (!flat && shifts.size() != dims.size())
        return runtime_error("shifts and dimensions must align. shifts: {}, dims:{}", shifts.size(), dims.size());
    std::optional<Strides> strides;
    if (!flat && tensor.numel() == 0) return like(tensor);
    if (!flat) {
        const Tensor* const inputs[] = {&tensor};
        strides = channels_last_of(inputs, tensor.shape());
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        MS_TRY(dim, wrap_own_dim(tensor.rank(), dims[i]));
        // PyTorch joins two parts: where one is empty, the memory format is lost.
        if (shifts[i] % tensor.size(dim) == 0) strides = std::nullopt;
    }
    return Outputs{{tensor.shape(), tensor.dtype(), strides}};
}

// The last `shift` elements come first.
Pieces rolled(std::int64_t size, std::int64_t shift) {
    return {{shift, size - shift, 1, false}, {size - shift, 0, 1, false}};
}

// shift modulo size, in [0, size).
std::int64_t in_turn(std::int64_t shift, std::int64_t size) {
    return (shift % size + size) % size;
}

Result<void> roll_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& tensor = args.tensor(0);
    const auto shifts = args.integers(1);
    const auto dims = args.integers(2);
    if (tensor.numel() == 0) return {};
    if (dims.empty()) {
        // Across all dims, in row-major order.
        MS_TRY(source, tensor.contiguous());
        const Shape line = {tensor.numel()};
        MS_TRY(from, restrided(source, line, {1}, source.offset()));
        MS_TRY(to, restrided(outputs[0], line, {1}, outputs[0].offset()));
        return assemble(from, to, {rolled(line[0], in_turn(shifts[0], line[0]))}, nullptr, run.context());
    }
    std::array<std::int64_t, kMaxRank> shift{};
    auto pieces = nothing_moved(tensor);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        MS_TRY(dim, wrap_dim(tensor.rank(), dims[i]));
        const std::int64_t size = tensor.size(dim);
        auto& sum = shift[static_cast<std::size_t>(dim)];
        sum = (sum + in_turn(shifts[i], size)) % size;
        pieces[static_cast<std::size_t>(dim)] = rolled(size, sum);
    }
    return assemble(tensor, outputs[0], pieces, nullptr, run.context());
}

Result<Value> rot90(const Args& args, Run& run) {
    const int rank = args.tensor(0).rank();
    const auto dims = args.integers(2);
    if (dims.size() != 2) return runtime_error("expected total rotation dims == 2, but got dims = {}", dims.size());
    if (rank < 2) return runtime_error("expected total dims >= 2, but got total dims = {}", rank);
    const auto a = dims[0];
    const auto b = dims[1];
    MS_TRY(first, wrap_dim(rank, a));
    MS_TRY(second, wrap_dim(rank, b));
    if (first == second)
        return runtime_error("expected rotation dims to be different, but got dim0 = {} and dim1 = {}", a, b);
    const std::int64_t quarters = in_turn(args.integer(1), 4);
    if (quarters == 0) return run.call("clone", {args[0]}, {{"memory_format", "torch.contiguous_format"}});
    if (quarters == 2) return run.call("flip", {args[0], make_list({a, b})});
    MS_TRY(turned, run.tensor("flip", {args[0], make_list({quarters == 1 ? b : a})}));
    MS_TRY(swapped, run.in_place("transpose", {turned, a, b}));
    return Value(swapped);
}

}  // namespace

void add_flip(OpTable& table) {
    table.add({"flip",
               "The elements in reverse order along the dims given. A copy, not a view as in NumPy.",
               {computed("(Tensor input, int[...] dims)", kMethod, flip_shape, flip_kernel),
                computed("(Tensor input, int[] dims)", kFunction, flip_shape, flip_kernel)},
               {"x.flip(0)", "torch.flip(x, (0, 1))"}});
    table.add({"fliplr",
               "flip along columns.",
               {computed("(Tensor input)", kFunction | kMethod, flip_one_shape<1>, flip_one_kernel<1>)},
               {"x.fliplr()"}});
    table.add({"flipud",
               "flip along rows.",
               {computed("(Tensor input)", kFunction | kMethod, flip_one_shape<0>, flip_one_kernel<0>)},
               {"x.flipud()"}});
    table.add(
        {"roll",
         "The elements shifted along dims; what falls off at one end comes in at the other. Without dims the tensor is "
         "rolled as one row of all elements.",
         {computed("(Tensor input, int[1] shifts, int[1] dims=())", kFunction | kMethod, roll_shape, roll_kernel)},
         {"x.roll(1, 0)", "torch.roll(x, (1, -1), (0, 1))", "x.roll(5)"}});
    table.add({"rot90",
               "Quarter turns in the plane of two dims, from the first towards the second.",
               {composed("(Tensor input, int k=1, int[] dims=[0, 1])", kFunction | kMethod, rot90)},
               {"x.rot90()", "torch.rot90(x, 2, (0, 1))"}});
}

}  // namespace maskscope::ops
