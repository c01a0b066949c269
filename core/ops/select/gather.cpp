// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/select/line_moves.h"
#include "core/ops/select/wrap_dim.h"
#include "core/tensor/broadcast.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    const Outputs out{{index.shape(), self.dtype(), std::nullopt}};
    if (index.numel() == 0) return out;
    if (index.dtype() != DType::i64 && index.dtype() != DType::i32)
        return runtime_error("gather(): Expected dtype int32/int64 for index");
    if (std::max(self.rank(), 1) != std::max(index.rank(), 1))
        return runtime_error("Index tensor must have the same number of dimensions as input tensor");
    for (int d = 0; d < std::min(self.rank(), index.rank()); ++d)
        if (d != dim && index.size(d) > self.size(d))
            return runtime_error(
                "Size does not match at dimension {} expected index {} to be no larger than self {} apart from "
                "dimension {}",
                d, text_of(index.shape()), text_of(self.shape()), dim);
    return out;
}

Result<void> gather(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor self = at_least_1d(args.tensor(0));
    if (args.tensor(2).numel() == 0) return {};
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    MS_TRY(wide, as_int64(args.tensor(2), run));
    const Tensor index = at_least_1d(wide);
    if (gather_lines(self, index, at_least_1d(outputs.front()), dim)) return {};
    return runtime_error("index {} is out of bounds for dimension {} with size {}",
                         first_outside(index, self.size(dim)), dim, self.size(dim));
}

Value list_of(const Shape& shape) {
    std::vector<Value> sizes(shape.begin(), shape.end());
    return make_list(std::move(sizes));
}

Result<Value> take_along_dim(const Args& args, Run& run) {
    const Tensor& self = args.tensor(0);
    const Tensor& indices = args.tensor(1);
    if (!args.given(2)) {
        MS_TRY(flat, run.tensor("view", {args[0], list_of(Shape{-1})}));
        MS_TRY(places, run.tensor("view", {args[1], list_of(Shape{-1})}));
        return run.call("gather", {flat, 0, places});
    }
    if (indices.dtype() != DType::i64)
        return runtime_error("torch.take_along_dim(): dtype of indices should be Long but got {}",
                             scalar_type_name(indices.dtype()));
    if (self.rank() != indices.rank())
        return runtime_error(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got {} "
            "dimensions for input, and {} dimensions for indices",
            self.rank(), indices.rank());
    if (self.rank() == 0) return index_error("Dimension specified as {} but tensor has no dimensions", args.integer(2));
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(2)));
    Shape rows = self.shape();
    rows[dim] = indices.size(dim);
    MS_TRY(index_shape, broadcast_shapes(rows, indices.shape()));
    Shape self_shape = index_shape;
    self_shape[dim] = self.size(dim);
    MS_TRY(source, run.tensor("expand", {args[0], list_of(self_shape)}));
    MS_TRY(places, run.tensor("expand", {args[1], list_of(index_shape)}));
    // PyTorch takes any index here, modulo the size.
    if (element_count(index_shape) != 0) {
        if (self.size(dim) == 0) return runtime_error("ZeroDivisionError");
        MS_TRY(inside, run.tensor("remainder", {places, self.size(dim)}));
        places = inside;
    }
    return run.call("gather", {source, dim, places});
}

}  // namespace

void add_gather(OpTable& table) {
    OpSpec gather_spec;
    gather_spec.name = "gather";
    gather_spec.meaning =
        "For each place of the index, the element of the input at that place, but with the index's own value along "
        "dim. "
        "The result has the shape of the index; nothing broadcasts, and negative indices are refused.";
    gather_spec.overloads = {
        computed("(Tensor input, int dim, Tensor index, *, bool sparse_grad=False, Tensor? out=None)",
                 kFunction | kMethod, plan, gather)};
    gather_spec.samples = {"torch.gather(x, 1, i)", "x.gather(0, i[:2])"};
    table.add(std::move(gather_spec));

    OpSpec take;
    take.name = "take_along_dim";
    take.meaning =
        "A gather that broadcasts input and indices over the other dims, made for the results of argsort and of argmax "
        "with keepdim=True. Without dim both are flattened first.";
    take.overloads = {composed("(Tensor input, Tensor indices, int? dim=None, *, Tensor? out=None)",
                               kFunction | kMethod, take_along_dim)};
    take.samples = {"torch.take_along_dim(x, i, 1)", "x.take_along_dim(i[:, :1], dim=1)", "x.take_along_dim(i)"};
    table.add(std::move(take));
}

}  // namespace maskscope::ops
