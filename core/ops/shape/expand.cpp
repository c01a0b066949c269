// SPDX-License-Identifier: Apache-2.0
// A dim of size 1 shown many times: stride 0, no bytes.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

using namespace geometry;

View expanded(const Tensor& tensor, std::span<const std::int64_t> sizes) {
    if (sizes.size() < static_cast<std::size_t>(tensor.rank()))
        return runtime_error(
            "expand({}{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of "
            "dimensions in "
            "the tensor ({})",
            old_type_name(tensor.dtype()), text_of(tensor.shape()), list_text(sizes), sizes.size(), tensor.rank());
    MS_TRY(shape, shape_of(sizes));
    Strides strides = Dims::filled(shape.rank(), 0);
    if (tensor.rank() == 0) return as_view(restrided(tensor, shape, strides, tensor.offset()));
    for (int i = shape.rank() - 1; i >= 0; --i) {
        const int own = i - (shape.rank() - tensor.rank());
        if (own < 0 && shape[i] == -1)
            return runtime_error(
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {}", i);
        const std::int64_t size = own >= 0 ? tensor.size(own) : 1;
        if (shape[i] == -1) shape[i] = size;
        if (size == shape[i]) {
            strides[i] = own >= 0 ? tensor.strides()[own] : wrapping_mul(shape[i + 1], strides[i + 1]);
        } else if (size != 1) {
            return runtime_error(
                "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton dimension {}. "
                " "
                "Target sizes: {}.  Tensor sizes: {}",
                shape[i], size, i, list_text(sizes), text_of(tensor.shape()));
        }
    }
    return as_view(restrided(tensor, shape, strides, tensor.offset()));
}

View expand(const Args& args) {
    return expanded(args.tensor(0), args.integers(1));
}

View expand_as(const Args& args) {
    return expanded(args.tensor(0), args.tensor(1).shape().span());
}

// Each tensor in the shape that all have together; one that has it already is given back itself.
Result<Value> broadcast_tensors(const Args& args, Run& run) {
    const auto tensors = args.variables(0);
    Shape shape;
    for (const auto& variable : tensors) {
        MS_TRY(wider, broadcast_shapes(shape, variable->tensor.shape()));
        shape = wider;
    }
    std::vector<Value> out;
    for (const auto& variable : tensors) {
        if (variable->tensor.shape() == shape) {
            out.emplace_back(variable);
            continue;
        }
        MS_TRY(view, run.call("expand", {variable, list_of(shape)}));
        out.push_back(std::move(view));
    }
    return make_tuple(std::move(out));
}

}  // namespace

void add_expand(OpTable& table) {
    table.add({"expand",
               "Dims of size 1 shown as often as wanted, and new dims in front; -1 keeps a size. A view with stride 0: "
               "it costs "
               "no bytes, and all copies are one element, so that it cannot be written to in place.",
               {viewed("(Tensor input, int[...] size, *, bool implicit=False)", kMethod, expand)},
               {"x[:, None].expand(-1, 2, -1)", "r.expand(3, 4)", "s.expand((2, 2))"}});
    table.add({"expand_as",
               "expand to the shape of another tensor.",
               {viewed("(Tensor input, Tensor other)", kMethod, expand_as)},
               {"r.expand_as(x)"}});
    table.add({"broadcast_to",
               "expand under NumPy's name: a view with stride 0.",
               {viewed("(Tensor input, int[] size)", kFunction | kMethod, expand)},
               {"torch.broadcast_to(r, (3, 4))"}});
    table.add({"broadcast_tensors",
               "The tensors in the shape that an operation between them would have: views with stride 0.",
               {composed("(Tensor[...] tensors=())", kFunction, broadcast_tensors)},
               {"torch.broadcast_tensors(x, r, s)"}});
}

}  // namespace maskscope::ops
