// SPDX-License-Identifier: Apache-2.0
// view and reshape: the same elements in the same order under another shape.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>

#include <fmt/format.h>

namespace maskscope::ops {
namespace {

using namespace geometry;

Result<Shape> wanted_shape(const Args& args) {
    return infer_shape(args.integers(1), args.tensor(0).numel());
}

Result<Shape> shape_of_other(const Args& args) {
    return infer_shape(args.tensor(1).shape().span(), args.tensor(0).numel());
}

View in_shape(const Tensor& tensor, const Shape& shape) {
    const auto strides = view_strides(tensor.shape(), tensor.strides(), shape);
    if (!strides) return std::optional<Tensor>();
    return as_view(restrided(tensor, shape, *strides, tensor.offset()));
}

View must_be_view(const Tensor& tensor, const Shape& shape) {
    MS_TRY(view, in_shape(tensor, shape));
    if (!view)
        return runtime_error(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead.");
    return std::move(view);
}

View view(const Args& args) {
    MS_TRY(shape, wanted_shape(args));
    return must_be_view(args.tensor(0), shape);
}

View view_as(const Args& args) {
    MS_TRY(shape, shape_of_other(args));
    return must_be_view(args.tensor(0), shape);
}

View reshape(const Args& args) {
    MS_TRY(shape, wanted_shape(args));
    return in_shape(args.tensor(0), shape);
}

View reshape_as(const Args& args) {
    MS_TRY(shape, shape_of_other(args));
    return in_shape(args.tensor(0), shape);
}

Result<Value> copied_in_shape(const Args& args, Run& run, const Shape& shape) {
    MS_TRY(copy, run.tensor("contiguous", {args[0]}));
    MS_TRY(out, run.tensor("view", {copy, list_of(shape)}));
    // Nobody else sees the copy: to PyTorch the result is no view.
    out->base = nullptr;
    return Value(out);
}

template <Result<Shape> (*shape_rule)(const Args&)>
Result<Value> reshape_by_copy(const Args& args, Run& run) {
    MS_TRY(shape, shape_rule(args));
    return copied_in_shape(args, run, shape);
}

// The bytes read as another dtype; the last dim shrinks or grows with the size of an element.
View view_dtype(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const DType dtype = args.dtype(1).value_or(tensor.dtype());
    const auto from = static_cast<std::int64_t>(size_of(tensor.dtype()));
    const auto to = static_cast<std::int64_t>(size_of(dtype));
    if (from == to)
        return as_view(Tensor::view_of(tensor.storage(), dtype, tensor.shape(), tensor.strides(), tensor.offset()));
    const auto refused = [&](std::string_view what, std::int64_t is) {
        return runtime_error("{} to view {} as {} (different element sizes), but got {}", what,
                             scalar_type_name(tensor.dtype()), scalar_type_name(dtype), is);
    };
    if (tensor.rank() == 0)
        return runtime_error("self.dim() cannot be 0 to view {} as {} (different element sizes)",
                             scalar_type_name(tensor.dtype()), scalar_type_name(dtype));
    const int last = tensor.rank() - 1;
    const std::int64_t ratio = std::max(from, to) / std::min(from, to);
    const auto divisible = [&](std::string_view what) {
        return fmt::format("{} must be divisible by {}", what, ratio);
    };
    Shape shape = tensor.shape();
    Strides strides = tensor.strides();
    std::int64_t offset = tensor.offset();
    if (to > from) {
        if (shape[last] % ratio != 0) return refused(divisible("self.size(-1)"), shape[last]);
        if (offset % ratio != 0) return refused(divisible("self.storage_offset()"), offset);
    }
    if (strides[last] != 1) return refused("self.stride(-1) must be 1", strides[last]);
    for (int i = 0; i < last; ++i) {
        if (to > from && strides[i] % ratio != 0)
            return refused(divisible(fmt::format("self.stride({})", i)), strides[i]);
        strides[i] = to > from ? strides[i] / ratio : wrapping_mul(strides[i], ratio);
    }
    shape[last] = to > from ? shape[last] / ratio : shape[last] * ratio;
    offset = to > from ? offset / ratio : offset * ratio;
    return as_view(Tensor::view_of(tensor.storage(), dtype, shape, strides, offset));
}

// The memory is shared, and yet PyTorch does not call it a view.
Result<Value> reread(const Args& args, Run& run) {
    MS_TRY(out, view_dtype(args));
    return Value(run.wrap(std::move(*out)));
}

struct Flattened {
    Shape shape;
    bool is_self = false;  // nothing to flatten: torch gives the tensor itself
};

Result<Flattened> flattened(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    MS_TRY(start, wrap_dim(tensor.rank(), args.integer(1)));
    MS_TRY(end, wrap_dim(tensor.rank(), args.integer(2)));
    if (start > end) return runtime_error("flatten() has invalid args: start_dim cannot come after end_dim");
    if (tensor.rank() == 0) return Flattened{Shape{1}, false};
    Flattened out{{}, start == end};
    for (int i = 0; i < tensor.rank(); ++i) {
        if (i > start && i <= end)
            out.shape[start] *= tensor.size(i);
        else
            out.shape.push_back(tensor.size(i));
    }
    return out;
}

View flatten(const Args& args) {
    MS_TRY(flat, flattened(args));
    if (flat.is_self) return std::optional<Tensor>();
    return in_shape(args.tensor(0), flat.shape);
}

Result<Value> flatten_by_copy(const Args& args, Run& run) {
    MS_TRY(flat, flattened(args));
    if (flat.is_self) return args[0];
    return copied_in_shape(args, run, flat.shape);
}

// What is contiguous becomes a view, everything else a copy, even where strides would do.
View ravel(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.numel() > 0 && !tensor.is_contiguous()) return std::optional<Tensor>();
    return in_shape(tensor, {tensor.numel()});
}

Result<Value> ravel_by_copy(const Args& args, Run& run) {
    // Here PyTorch says that it is a view, of the copy.
    MS_TRY(copy, run.tensor("contiguous", {args[0]}));
    return run.call("view", {copy, list_of(Shape{args.tensor(0).numel()})});
}

View unflatten(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto sizes = args.integers(2);
    // PyTorch wraps what it meets below in this sentence, and adds where in its own sources that was.
    const auto unexpected = [](const Error& error) {
        return runtime_error("unflatten got an unexpected error:\n{}", error.message.text());
    };
    MS_TRY(dim, wrap_dim(tensor.rank(), args.integer(1)));
    if (sizes.empty()) return runtime_error("unflatten: sizes must be non-empty");
    if (auto own = wrap_own_dim(tensor.rank(), dim); !own) return unexpected(own.error());
    auto parts = infer_shape(sizes, tensor.size(dim));
    if (!parts && parts.error().message.pattern.starts_with("shape '"))
        return runtime_error(
            "unflatten: Provided sizes {} don't multiply up to the size of dim {} ({}) in the input tensor",
            list_text(sizes), dim, tensor.size(dim));
    if (!parts) return parts.error().message.verbatim ? unexpected(parts.error()) : parts.error();
    std::vector<std::int64_t> whole(tensor.shape().begin(), tensor.shape().begin() + dim);
    whole.insert(whole.end(), parts->begin(), parts->end());
    whole.insert(whole.end(), tensor.shape().begin() + dim + 1, tensor.shape().end());
    MS_TRY(shape, shape_of(whole));
    return must_be_view(tensor, shape);
}

Overload unflatten_method() {
    Overload out = viewed("(Tensor input, int dim, int[] sizes)", kMethod, unflatten);
    out.traits = kPythonDefined;
    return out;
}

}  // namespace

void add_view(OpTable& table) {
    table.add(
        {"view",
         "The same elements under another shape, on the same memory: writing to one is seen in the other. It never "
         "copies, and refuses where strides cannot do it; one size may be -1. Given a dtype it reads the bytes anew.",
         {composed("(Tensor input, ScalarType dtype)", kMethod, reread),
          viewed("(Tensor input, int[...] size)", kMethod, view)},
         {"x.view(4, 3)", "x.view(-1)", "x.view(torch.int32)"}});
    table.add({"view_as",
               "view with the shape of another tensor.",
               {viewed("(Tensor input, Tensor other)", kMethod, view_as)},
               {"x.view_as(torch.zeros(4, 3))"}});
    table.add(
        {"reshape",
         "The same elements, in the same order, under another shape. A view where strides allow it, else a copy: so "
         "writing to the result may or may not change the tensor.",
         {viewed("(Tensor input, int[] shape)", kFunction | kMethod, reshape, reshape_by_copy<wanted_shape>)},
         {"x.reshape(2, 6)", "torch.reshape(x.t(), (-1,))"}});
    table.add({"reshape_as",
               "reshape with the shape of another tensor.",
               {viewed("(Tensor input, Tensor other)", kMethod, reshape_as, reshape_by_copy<shape_of_other>)},
               {"x.t().reshape_as(y)"}});
    table.add(
        {"flatten",
         "The dims from start_dim to end_dim become one. A view where strides allow it, else a copy; a number becomes "
         "a vector of one element.",
         {viewed("(Tensor input, int start_dim=0, int end_dim=-1)", kFunction | kMethod, flatten, flatten_by_copy)},
         {"x.flatten()", "torch.flatten(x[None], 1)"}});
    table.add({"ravel",
               "One dim of all elements: a view of what is contiguous, else a copy.",
               {viewed("(Tensor input)", kFunction | kMethod, ravel, ravel_by_copy)},
               {"x.ravel()", "torch.ravel(x.t())"}});
    table.add({"unflatten",
               "One dim becomes several whose sizes multiply to its own; one of them may be -1. A view.",
               {viewed("(Tensor input, int dim, int[] sizes)", kFunction, unflatten), unflatten_method()},
               {"x.unflatten(1, (2, 2))", "torch.unflatten(x, -1, (-1, 2))"}});
}

}  // namespace maskscope::ops
