// SPDX-License-Identifier: Apache-2.0
// index_select, index_copy and index_fill: whole slices along a dim, by a vector of indices.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/aliasing.h"
#include "core/ops/select/element.h"
#include "core/ops/select/line_moves.h"
#include "core/ops/select/wrap_dim.h"

#include <optional>

namespace maskscope::ops {
namespace {

// The first index that is not in [0, size).
std::optional<std::int64_t> outside(const Tensor& index, std::int64_t size) {
    const std::int64_t found = index.numel() > 0 ? first_outside(index, size) : 0;
    if (index.numel() == 0 || (found >= 0 && found < size)) return std::nullopt;
    return found;
}

// ---- index_select

Result<Outputs> plan_select(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    if (index.rank() > 1) return index_error("index_select(): Index is supposed to be a vector");
    if (index.dtype() != DType::i64 && index.dtype() != DType::i32)
        return runtime_error("index_select(): Expected dtype int32 or int64 for index");
    Shape shape = self.shape();
    if (self.rank() == 0) {
        if (index.numel() != 1)
            return runtime_error("index_select(): Index to scalar can have only 1 value, got {} value(s)",
                                 index.numel());
    } else {
        if (self.rank() > 1 && self.size(dim) == 0 && index.numel() > 0)
            return runtime_error("index_select(): self indexing axis dim should be positive");
        shape[dim] = index.numel();
    }
    return Outputs{{shape, self.dtype(), std::nullopt}};
}

Result<void> select(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor self = at_least_1d(args.tensor(0));
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    MS_TRY(index, as_int64(args.tensor(2), run));
    if (const auto bad = outside(index, self.size(dim))) {
        // PyTorch has a path of its own for dim 1, with its own words.
        if (self.rank() > 1 && (dim == 1 || outputs.front().numel() == 0))
            return runtime_error("INDICES element is out of DATA bounds, id={} axis_dim={}", *bad, self.size(dim));
        return index_error("index out of range in self");
    }
    gather_lines(self, index_along(index, self.shape(), dim), at_least_1d(outputs.front()), dim);
    return {};
}

// ---- index_copy

// The sizes without that of dim: "2 4".
std::string slice_text(const Shape& shape, int dim) {
    std::string text;
    for (int d = 0; d < shape.rank(); ++d) {
        if (d == dim) continue;
        if (!text.empty()) text += ' ';
        text += std::to_string(shape[d]);
    }
    return text;
}

Result<Outputs> plan_copy(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    const Tensor& source = args.tensor(3);
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    if (args.in_place()) {
        MS_CHECK(refuse_alias(self, index));
        MS_CHECK(refuse_alias(self, source));
    }
    if (index.rank() > 1)
        return index_error("index_copy_(): Index should have dimension 1 or 0 (got {})", index.rank());
    const std::int64_t count = index.numel();
    if (source.rank() == 0 && count != 1)
        return index_error("index_copy_(): When source is scalar, index should have one element (got {})", count);
    if (source.rank() != self.rank() && source.rank() != 0 && self.rank() != 0)
        return index_error(
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            "dimensionality ({}), destination dimensionality ({})",
            source.rank(), self.rank());
    if (index.dtype() != DType::i64)
        return runtime_error("index_copy_(): Expected a long tensor for index, but got {}",
                             scalar_type_name(index.dtype()));
    if (self.dtype() != source.dtype())
        return runtime_error(
            "index_copy_(): self and source expected to have the same dtype, but got (self) {} and (source) {}",
            scalar_type_name(self.dtype()), scalar_type_name(source.dtype()));
    const std::string own = slice_text(self.shape(), dim);
    const std::string other = slice_text(source.shape(), source.rank() == 0 ? -1 : dim);
    if (own != other)
        return runtime_error(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: {} at "
            "dimension {} and source slice shape: {} at dimension 0.",
            own, dim, other);
    if (source.rank() != 0 && source.size(dim) != count)
        return index_error("index_copy_(): Number of indices ({}) should be equal to source.size(dim) ({})", count,
                           source.size(dim));
    return Outputs{{self.shape(), self.dtype(), std::nullopt}};
}

Result<void> copy(const Args& args, std::span<Tensor> outputs, Run&) {
    const Tensor out = at_least_1d(outputs.front());
    if (out.numel() == 0) return {};
    MS_TRY(dim, wrapped_dim(out.rank(), args.integer(1)));
    const Tensor& index = args.tensor(2);
    if (const auto bad = outside(index, out.size(dim)))
        return index_error("index_copy_(): index {} is out of bounds for dimension {} with size {}", *bad, dim,
                           out.size(dim));
    const Tensor source = at_least_1d(args.tensor(3));
    scatter_lines(Combine::replace, out, index_along(index, source.shape(), dim), source, dim);
    return {};
}

// ---- index_fill

Result<Outputs> plan_fill(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    if (args[3].is_tensor() && args.tensor(3).rank() > 0)
        return runtime_error(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
            args.tensor(3).rank());
    if (index.dtype() != DType::i64) return index_error("index_fill_(): Expected dtype int64 for index.");
    MS_CHECK(wrapped_dim(self.rank(), args.integer(1)));
    if (index.rank() > 1) return runtime_error("Index has to be a vector/scalar");
    if (!args[3].is_tensor()) MS_CHECK(held_element(args[3], self.dtype()));
    if (args.in_place()) MS_CHECK(refuse_alias(self, index));
    return Outputs{{self.shape(), self.dtype(), preserved_strides(self)}};
}

// Of the dims that only repeat elements, one of each is enough.
Tensor without_repeats(Tensor tensor, int except) {
    for (int d = 0; d < tensor.rank(); ++d)
        if (d != except && tensor.strides()[d] == 0 && tensor.size(d) > 1) tensor = tensor.narrow(d, 0, 1);
    return tensor;
}

Result<void> fill(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& target = outputs.front();
    MS_TRY(dim, wrapped_dim(target.rank(), args.integer(1)));
    const Tensor out = without_repeats(at_least_1d(target), dim);
    const DType dtype = out.dtype();
    MS_TRY(element, args[3].is_tensor() ? held_element(args.tensor(3), dtype) : held_element(args[3], dtype));
    if (args.in_place() && has_internal_overlap(target))
        run.note(
            "Use of index_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
            "operation. This also applies to advanced indexing e.g. tensor[mask] = scalar");
    const std::int64_t size = out.size(dim);
    if (out.numel() == 0 && size > 0) return {};
    // Negative indices count from the end here; the other index_... ops refuse them.
    MS_TRY(index, run.allocate(args.tensor(2).shape(), DType::i64));
    copy_elements(args.tensor(2), index);
    auto* first = index.writable_as<std::int64_t>();
    for (std::int64_t i = 0; i < index.numel(); ++i) {
        if (first[i] < -size || first[i] >= size)
            return index_error("index {} is out of bounds for dimension {} with size {}", first[i], dim, size);
        if (first[i] < 0) first[i] += size;
    }
    const Tensor along = index_along(index, out.shape(), dim);
    MS_TRY(values, repeated(element, dtype, along.shape(), run));
    scatter_lines(Combine::replace, out, along, values, dim);
    return {};
}

}  // namespace

void add_index_rows(OpTable& table) {
    constexpr unsigned kForms = kFunction | kMethod | kInPlace;
    OpSpec select_spec;
    select_spec.name = "index_select";
    select_spec.meaning =
        "The slices along dim that the vector of indices names, in its order, as a copy; repeats are allowed, negative "
        "indices are not.";
    select_spec.overloads = {computed("(Tensor input, int dim, Tensor index, *, Tensor? out=None)", kFunction | kMethod,
                                      plan_select, select)};
    select_spec.samples = {"torch.index_select(x, 0, i[0])", "x.index_select(1, i[0])"};
    table.add(std::move(select_spec));

    OpSpec copy_spec;
    copy_spec.name = "index_copy";
    copy_spec.meaning =
        "Writes the slices of the source over those that the index names along dim. Of several writes to one slice the "
        "last stays.";
    copy_spec.overloads = {
        computed("(Tensor input, int dim, Tensor index, Tensor source)", kForms, plan_copy, copy, kUpdates)};
    copy_spec.samples = {"torch.index_copy(x, 0, i[0, :3], y)", "x.clone().index_copy_(1, i[0], y)"};
    table.add(std::move(copy_spec));

    OpSpec fill_spec;
    fill_spec.name = "index_fill";
    fill_spec.meaning =
        "Writes one value into the slices that the index names along dim. As with masked_fill the dtype never changes.";
    fill_spec.overloads = {
        computed("(Tensor input, int dim, Tensor index, Tensor value)", kForms, plan_fill, fill,
                 kUpdates | kAllowsExpandedSelf),
        computed("(Tensor input, int dim, Tensor index, Scalar value)", kForms, plan_fill, fill,
                 kUpdates | kAllowsExpandedSelf),
    };
    fill_spec.samples = {"torch.index_fill(x, 0, i[0], s)", "x.index_fill(1, i[0], 0.0)"};
    table.add(std::move(fill_spec));
}

}  // namespace maskscope::ops
