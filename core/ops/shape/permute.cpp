// SPDX-License-Identifier: Apache-2.0
// The dims in another order: views whose strides change places.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"

#include <array>
#include <numeric>

namespace maskscope::ops {
namespace {

using namespace geometry;

using Order = std::array<int, kMaxRank>;

View in_order(const Tensor& tensor, const Order& order) {
    return std::optional(tensor.permute(std::span(order.data(), static_cast<std::size_t>(tensor.rank()))));
}

View transpose(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    MS_TRY(a, wrap_dim(tensor.rank(), args.integer(1)));
    MS_TRY(b, wrap_dim(tensor.rank(), args.integer(2)));
    return std::optional(a == b ? tensor : tensor.transpose(a, b));
}

View t(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() > 2)
        return runtime_error("{}() expects a tensor with <= 2 dimensions, but self is {}D", args.name(), tensor.rank());
    return std::optional(tensor.rank() == 2 ? tensor.transpose(0, 1) : tensor);
}

View reversed(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    Order order{};
    for (int i = 0; i < tensor.rank(); ++i) order[static_cast<std::size_t>(i)] = tensor.rank() - 1 - i;
    return in_order(tensor, order);
}

// mT, mH and adjoint; a number is no matrix, and torch gives it back as it is.
View matrix_transposed(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() == 0) return std::optional<Tensor>();
    if (tensor.rank() == 1)
        return runtime_error("tensor.{} is only supported on matrices or batches of matrices. Got 1-D tensor.",
                             args.name() + (args.name() == "adjoint" ? "()" : ""));
    return std::optional(tensor.transpose(tensor.rank() - 2, tensor.rank() - 1));
}

View hermitian(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() == 0) return std::optional<Tensor>();
    if (tensor.rank() != 2)
        return runtime_error("tensor.H is only supported on matrices (2-D tensors). Got {}-D tensor.{}", tensor.rank(),
                             tensor.rank() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
    return std::optional(tensor.transpose(0, 1));
}

Result<Value> itself(const Args& args, Run&) {
    return args[0];
}

View permute(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto dims = args.integers(1);
    if (dims.size() != static_cast<std::size_t>(tensor.rank()))
        return runtime_error(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            "ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
            tensor.rank(), dims.size());
    Order order{};
    DimSet seen;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        MS_TRY(dim, wrap_dim(tensor.rank(), dims[i]));
        if (seen[static_cast<std::size_t>(dim)]) return runtime_error("permute(): duplicate dims are not allowed.");
        seen.set(static_cast<std::size_t>(dim));
        order[i] = dim;
    }
    return in_order(tensor, order);
}

View movedim(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const int rank = tensor.rank();
    const auto source = args.integers(1);
    const auto destination = args.integers(2);
    if (source.size() != destination.size())
        return runtime_error(
            "movedim: Invalid source or destination dims: source ({} dims) should contain the same number of dims as "
            "destination ({} dims)",
            list_text(source), list_text(destination));
    // Where each place of the result comes from; -1: what is left, in order.
    Order order{};
    order.fill(-1);
    DimSet moved;
    std::vector<int> places;
    for (const auto dim : destination) {
        MS_TRY(place, wrap_dim(rank, dim));
        places.push_back(place);
    }
    for (std::size_t i = 0; i < source.size(); ++i) {
        MS_TRY(from, wrap_dim(rank, source[i]));
        if (moved[static_cast<std::size_t>(from)])
            return runtime_error("movedim: repeated dim in `source` ({})", list_text(source));
        moved.set(static_cast<std::size_t>(from));
        if (order[static_cast<std::size_t>(places[i])] >= 0)
            return runtime_error("movedim: repeated dim in `destination` ({})", list_text(destination));
        order[static_cast<std::size_t>(places[i])] = from;
    }
    std::size_t next = 0;
    for (int i = 0; i < rank; ++i) {
        auto& from = order[static_cast<std::size_t>(i)];
        if (from >= 0) continue;
        while (moved[next]) ++next;
        from = static_cast<int>(next++);
    }
    return in_order(tensor, order);
}

OpSpec exchange(std::string_view name, std::string_view signature, std::vector<std::string_view> samples) {
    return {name,
            "Two dims change places. A view: no element moves, the result is rarely contiguous, and writing to it "
            "writes to "
            "the tensor.",
            {viewed(signature, kFunction | kMethod, transpose), viewed_in_place<transpose>(signature)},
            std::move(samples)};
}

OpSpec move_dims(std::string_view name, std::vector<std::string_view> samples) {
    return {name,
            "Takes dims out of their places and puts them at others; the remaining ones keep their order. A view.",
            {viewed("(Tensor input, int source, int destination)", kFunction | kMethod, movedim),
             viewed("(Tensor input, int[] source, int[] destination)", kFunction | kMethod, movedim)},
            std::move(samples)};
}

}  // namespace

void add_permute(OpTable& table) {
    table.add(exchange("transpose", "(Tensor input, int dim0, int dim1)",
                       {"x.transpose(0, 1)", "torch.transpose(x, -1, 0)"}));
    table.add(exchange("swapaxes", "(Tensor input, int axis0, int axis1)", {"torch.swapaxes(x, 0, 1)"}));
    table.add(exchange("swapdims", "(Tensor input, int dim0, int dim1)", {"torch.swapdims(x, 0, 1)"}));
    table.add({"t",
               "The transpose of a matrix; vectors and numbers stay as they are, more dims are refused. A view.",
               {viewed("(Tensor input)", kFunction | kMethod, t), viewed_in_place<t>("(Tensor input)")},
               {"x.t()", "torch.t(x)"}});
    table.add({"T",
               "All dims in reverse order. Of a batch of matrices it also reverses the batch dims: mT transposes the "
               "matrices.",
               {viewed("(Tensor input)", kProperty, reversed)},
               {"x.T"}});
    table.add({"mT",
               "The last two dims change places: the transpose of each matrix of a batch. A view.",
               {viewed("(Tensor input)", kProperty, matrix_transposed, itself)},
               {"x.mT", "x[None].mT"}});
    table.add({"mH",
               "The same as mT, since numbers here are real.",
               {viewed("(Tensor input)", kProperty, matrix_transposed, itself)},
               {"x.mH"}});
    table.add({"H",
               "The transpose of a matrix, since numbers here are real; two dims only.",
               {viewed("(Tensor input)", kProperty, hermitian, itself)},
               {"x.H"}});
    table.add({"adjoint",
               "The same as mT, since numbers here are real.",
               {viewed("(Tensor input)", kFunction | kMethod, matrix_transposed, itself)},
               {"x.adjoint()"}});
    table.add(
        {"permute",
         "The dims in the order given, each once. A view: no element moves. It is no reshape: the elements go with "
         "their dims.",
         {viewed("(Tensor input, int[...] dims)", kMethod, permute),
          viewed("(Tensor input, int[] dims)", kFunction, permute)},
         {"x.permute(1, 0)", "torch.permute(x[None], (2, 0, 1))"}});
    table.add(move_dims("movedim", {"x[None].movedim(0, -1)", "torch.movedim(x[None], (0, 1), (2, 0))"}));
    table.add(move_dims("moveaxis", {"torch.moveaxis(x[None], 0, -1)"}));
}

}  // namespace maskscope::ops
