// SPDX-License-Identifier: Apache-2.0
// Tensors one behind the other, along a dim that they have or along a new one.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/shape/geometry.h"
#include "core/ops/shape/memory_format.h"

namespace maskscope::ops {
namespace {

using namespace geometry;

// A tensor of shape [0] fits everywhere, whatever the dims of the others: PyTorch keeps this of old.
bool is_skipped(const Tensor& tensor) {
    return tensor.rank() == 1 && tensor.size(0) == 0;
}

DType common_dtype(std::span<const VariablePtr> tensors) {
    std::vector<Typed> operands;
    operands.reserve(tensors.size());
    for (const auto& variable : tensors)
        operands.push_back(
            {variable->tensor.dtype(), variable->tensor.rank() == 0 ? Category::zero_dim : Category::dimensioned});
    return result_type(operands);
}

std::optional<Strides> layout_of(std::span<const Tensor> tensors, const Shape& shape) {
    std::vector<const Tensor*> inputs;
    inputs.reserve(tensors.size());
    for (const auto& tensor : tensors) inputs.push_back(&tensor);
    return channels_last_of(inputs, shape);
}

std::vector<Tensor> tensors_of(std::span<const VariablePtr> variables) {
    std::vector<Tensor> out;
    out.reserve(variables.size());
    for (const auto& variable : variables) out.push_back(variable->tensor);
    return out;
}

const Tensor* first_counted(std::span<const VariablePtr> tensors) {
    for (const auto& variable : tensors)
        if (!is_skipped(variable->tensor)) return &variable->tensor;
    return nullptr;
}

Result<Outputs> cat_shape(const Args& args) {
    const auto tensors = args.variables(0);
    if (tensors.empty()) return value_error("torch.cat(): expected a non-empty list of Tensors");
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (tensors[i]->tensor.rank() == 0)
            return runtime_error("zero-dimensional tensor (at position {}) cannot be concatenated", i);
    const DType dtype = common_dtype(tensors);
    const Tensor* first = first_counted(tensors);
    if (first == nullptr) return Outputs{{Shape{0}, dtype, std::nullopt}};
    MS_TRY(dim, wrap_dim(first->rank(), args.integer(1)));
    Shape shape = first->shape();
    shape[dim] = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = tensors[i]->tensor;
        if (is_skipped(tensor)) continue;
        if (tensor.rank() != first->rank())
            return runtime_error("Tensors must have same number of dimensions: got {} and {}", first->rank(),
                                 tensor.rank());
        for (int d = 0; d < first->rank(); ++d)
            if (d != dim && tensor.size(d) != first->size(d))
                return runtime_error(
                    "Sizes of tensors must match except in dimension {}. Expected size {} but got size {} for tensor "
                    "number "
                    "{} in the list.",
                    dim, first->size(d), tensor.size(d), i);
        shape[dim] = wrapping_add(shape[dim], tensor.size(dim));
    }
    MS_CHECK(countable(shape));
    return Outputs{{shape, dtype, layout_of(tensors_of(tensors), shape)}};
}

Result<void> cat_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const auto tensors = args.variables(0);
    const Tensor* first = first_counted(tensors);
    if (first == nullptr) return {};
    MS_TRY(dim, wrap_dim(first->rank(), args.integer(1)));
    std::int64_t start = 0;
    for (const auto& variable : tensors) {
        if (is_skipped(variable->tensor)) continue;
        if (run.context().cancelled()) return cancelled_error();
        const std::int64_t length = variable->tensor.size(dim);
        Tensor place = outputs[0].narrow(dim, start, length);
        copy_elements(variable->tensor, place);
        start += length;
    }
    return {};
}

// PyTorch joins the tensors along the dim that the new one stands before, and cuts it in two; behind the last dim it
// joins columns.
std::optional<Strides> stacked_strides(std::vector<Tensor> tensors, int dim, const Shape& shape) {
    if (dim == shape.rank() - 1) {
        for (auto& tensor : tensors) tensor = tensor.unsqueeze(dim);
        return layout_of(tensors, shape);
    }
    Shape joined = tensors.front().shape();
    joined[dim] = wrapping_mul(joined[dim], shape[dim]);
    const auto strides = layout_of(tensors, joined);
    return strides ? view_strides(joined, *strides, shape) : std::nullopt;
}

Result<Outputs> stack_shape(const Args& args) {
    const auto tensors = args.variables(0);
    if (tensors.empty()) return runtime_error("stack expects a non-empty TensorList");
    const Shape& each = tensors.front()->tensor.shape();
    MS_TRY(dim, wrap_dim(each.rank() + 1, args.integer(1)));
    for (std::size_t i = 1; i < tensors.size(); ++i)
        if (tensors[i]->tensor.shape() != each)
            return runtime_error("stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {}",
                                 text_of(each), text_of(tensors[i]->tensor.shape()), i);
    std::vector<std::int64_t> sizes(each.begin(), each.end());
    sizes.insert(sizes.begin() + dim, static_cast<std::int64_t>(tensors.size()));
    MS_TRY(shape, shape_of(sizes));
    MS_CHECK(countable(shape));
    return Outputs{{shape, common_dtype(tensors), stacked_strides(tensors_of(tensors), dim, shape)}};
}

Result<void> stack_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const auto tensors = args.variables(0);
    MS_TRY(dim, wrap_dim(outputs[0].rank(), args.integer(1)));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (run.context().cancelled()) return cancelled_error();
        Tensor place = outputs[0].select(dim, static_cast<std::int64_t>(i));
        copy_elements(tensors[i]->tensor, place);
    }
    return {};
}

// hstack and its kin: dims are added where they lack, then it is cat. Errors are told under the name of the first.
Result<Value> with_dims_then_cat(const Args& args, Run& run, std::string_view told_as, std::string_view add_dims,
                                 std::int64_t dim) {
    if (args.variables(0).empty()) return runtime_error("{} expects a non-empty TensorList", told_as);
    MS_TRY(tensors, run.call(add_dims, {args[0]}));
    if (dim == 1 && tensors.sequence()->front().tensor()->tensor.rank() == 1) dim = 0;
    return run.call("cat", {tensors, dim});
}

Result<Value> hstack(const Args& args, Run& run) {
    return with_dims_then_cat(args, run, "hstack", "atleast_1d", 1);
}

Result<Value> vstack(const Args& args, Run& run) {
    return with_dims_then_cat(args, run, "vstack", "atleast_2d", 0);
}

Result<Value> dstack(const Args& args, Run& run) {
    return with_dims_then_cat(args, run, "dstack", "atleast_3d", 2);
}

// Vectors become columns.
Result<Value> column_stack(const Args& args, Run& run) {
    std::vector<Value> columns;
    for (const auto& variable : args.variables(0)) {
        if (variable->tensor.rank() > 1) {
            columns.emplace_back(variable);
            continue;
        }
        MS_TRY(column, run.call("reshape", {variable, list_of(Shape{variable->tensor.numel(), 1})}));
        columns.push_back(std::move(column));
    }
    if (columns.empty()) return runtime_error("column_stack expects a non-empty TensorList");
    return run.call("hstack", {make_list(std::move(columns))});
}

OpSpec concatenation(std::string_view name, std::vector<std::string_view> samples) {
    return {name,
            "Tensors one behind the other along a dim that they have; all other sizes must be equal, and nothing is "
            "broadcast. The result has the dtype that holds them all. A tensor of shape [0] is passed over.",
            {computed("(Tensor[] tensors, int dim=0, *, Tensor? out=None)", kFunction, cat_shape, cat_kernel)},
            std::move(samples)};
}

template <Composite composite>
OpSpec stacking(std::string_view name, std::string_view meaning, std::string_view sample) {
    return {name, meaning, {composed("(Tensor[] tensors, *, Tensor? out=None)", kFunction, composite)}, {sample}};
}

}  // namespace

void add_cat(OpTable& table) {
    table.add(concatenation("cat", {"torch.cat([x, y])", "torch.cat((x, i), dim=1)"}));
    table.add(concatenation("concat", {"torch.concat([x, y])"}));
    table.add(concatenation("concatenate", {"torch.concatenate([x, y], axis=1)"}));
    table.add(
        {"stack",
         "Tensors of one shape behind each other along a new dim. Where cat makes [6, 4] of two [3, 4], stack makes "
         "[2, 3, 4].",
         {computed("(Tensor[] tensors, int dim=0, *, Tensor? out=None)", kFunction, stack_shape, stack_kernel)},
         {"torch.stack([x, y])", "torch.stack((r, r), dim=-1)", "torch.stack([s, s])"}});
    table.add(
        stacking<hstack>("hstack", "cat along columns; of vectors, along their only dim.", "torch.hstack([x, y])"));
    table.add(stacking<vstack>("vstack", "cat along rows; a vector counts as one row.", "torch.vstack([x, r])"));
    table.add(stacking<vstack>("row_stack", "The same as vstack.", "torch.row_stack([r, r])"));
    table.add(
        stacking<dstack>("dstack", "cat along the third dim, which is added where it lacks.", "torch.dstack([x, y])"));
    table.add(stacking<column_stack>("column_stack", "cat along columns; a vector becomes one column.",
                                     "torch.column_stack([r, r])"));
}

}  // namespace maskscope::ops
