// SPDX-License-Identifier: Apache-2.0
// Dims of size 1 that come and go.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"

namespace maskscope::ops {
namespace {

using namespace geometry;

View without(const Tensor& tensor, const DimSet& dims) {
    Shape shape;
    Strides strides;
    for (int i = 0; i < tensor.rank(); ++i) {
        if (dims[static_cast<std::size_t>(i)] && tensor.size(i) == 1) continue;
        shape.push_back(tensor.size(i));
        strides.push_back(tensor.strides()[i]);
    }
    return as_view(restrided(tensor, shape, strides, tensor.offset()));
}

View squeeze_all(const Args& args) {
    return without(args.tensor(0), DimSet().set());
}

View squeeze(const Args& args) {
    MS_TRY(dims, wrap_dims(args.tensor(0).rank(), args.integers(1)));
    return without(args.tensor(0), dims);
}

View unsqueeze(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    MS_TRY(dim, wrap_dim(tensor.rank() + 1, args.integer(1)));
    std::vector<std::int64_t> sizes(tensor.shape().begin(), tensor.shape().end());
    sizes.insert(sizes.begin() + dim, 1);
    MS_TRY(shape, shape_of(sizes));
    Strides strides = tensor.strides();
    strides.insert(dim, dim < tensor.rank() ? wrapping_mul(tensor.size(dim), tensor.strides()[dim]) : 1);
    return as_view(restrided(tensor, shape, strides, tensor.offset()));
}

// What has the dims already is given back itself.
Result<Value> at_least(int rank, const VariablePtr& variable, Run& run) {
    const Tensor& tensor = variable->tensor;
    if (tensor.rank() >= rank) return Value(variable);
    if (tensor.rank() == 0) return run.call("reshape", {variable, list_of(Dims::filled(rank, 1))});
    Value out = variable;
    if (tensor.rank() == 1) {
        MS_TRY(row, run.call("unsqueeze", {out, 0}));
        out = row;
    }
    if (rank < 3) return out;
    return run.call("unsqueeze", {out, -1});
}

template <int rank>
Result<Value> one_at_least(const Args& args, Run& run) {
    return at_least(rank, args.variable(0), run);
}

template <int rank>
Result<Value> all_at_least(const Args& args, Run& run) {
    std::vector<Value> out;
    for (const auto& variable : args.variables(0)) {
        MS_TRY(item, at_least(rank, variable, run));
        out.push_back(std::move(item));
    }
    return make_tuple(std::move(out));
}

template <int rank>
OpSpec atleast(std::string_view name, std::string_view meaning, std::string_view sample) {
    return {name,
            meaning,
            {composed("(Tensor input)", kFunction, one_at_least<rank>),
             composed("(Tensor[...] tensors=())", kFunction, all_at_least<rank>)},
            {sample}};
}

Result<Value> itself(const Args& args, Run&) {
    return args[0];
}

}  // namespace

void add_squeeze(OpTable& table) {
    table.add(
        {"squeeze",
         "Without the dims of size 1: all of them, or those named that have size 1 (others stay, without an error). "
         "Without a dim it also drops a batch of one, which is rarely meant. A view.",
         {viewed("(Tensor input)", kFunction | kMethod, squeeze_all),
          viewed("(Tensor input, int dim)", kFunction | kMethod, squeeze),
          viewed("(Tensor input, int[] dim)", kFunction | kMethod, squeeze),
          viewed_in_place<squeeze_all>("(Tensor input)"), viewed_in_place<squeeze>("(Tensor input, int dim)"),
          viewed_in_place<squeeze>("(Tensor input, int[] dim)")},
         {"x[None].squeeze()", "torch.squeeze(x[:, None], 1)", "x[None, :, None].squeeze((0, 2))"}});
    table.add({"unsqueeze",
               "With a new dim of size 1 at the place given; -1 puts it last. A view.",
               {viewed("(Tensor input, int dim)", kFunction | kMethod, unsqueeze),
                viewed_in_place<unsqueeze>("(Tensor input, int dim)")},
               {"x.unsqueeze(0)", "torch.unsqueeze(x, -1)"}});
    table.add(atleast<1>("atleast_1d", "A view with one dim of what has none; everything else itself.",
                         "torch.atleast_1d(s)"));
    table.add(
        atleast<2>("atleast_2d", "A view with at least two dims; a vector becomes one row.", "torch.atleast_2d(r)"));
    table.add(
        atleast<3>("atleast_3d",
                   "A view with at least three dims. A vector becomes [1, n, 1], a matrix gets its new dim at the end.",
                   "torch.atleast_3d(x)"));
    table.add({"real",
               "The tensor itself: numbers here are real.",
               {composed("(Tensor input)", kFunction | kProperty, itself, kNoWrite)},
               {"torch.real(x)", "x.real"}});
    table.add({"conj",
               "The tensor itself: numbers here are real.",
               {composed("(Tensor input)", kFunction | kMethod, itself, kNoWrite)},
               {"x.conj()"}});
}

}  // namespace maskscope::ops
