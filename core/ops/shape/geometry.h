// SPDX-License-Identifier: Apache-2.0
// What the ops that only look at a tensor in another way have in common: dims counted from the back, sizes to be
// inferred, and strides. The rules are PyTorch's, with its refusals.
#pragma once

#include "core/ops/dispatch/in_place.h"
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"

#include <bitset>
#include <optional>
#include <span>
#include <string>

namespace maskscope::ops::geometry {

using View = Result<std::optional<Tensor>>;
using Views = Result<std::vector<Tensor>>;
using DimSet = std::bitset<kMaxRank>;

// The dim counted from the front. A tensor without dims counts as one of rank 1.
Result<int> wrap_dim(int rank, std::int64_t dim);
// The same where the dim must exist: unbind, roll.
Result<int> wrap_own_dim(int rank, std::int64_t dim);
// Several; none may be named twice.
Result<DimSet> wrap_dims(int rank, std::span<const std::int64_t> dims);

// The sizes as a shape; refuses more dims than a tensor can have here.
Result<Shape> shape_of(std::span<const std::int64_t> sizes);
// Refuses what more elements than 63 bits can count would be, in the words of an allocation.
Result<void> countable(const Shape& shape);
// "[2, -1]", also of what is longer than a shape.
std::string list_text(std::span<const std::int64_t> sizes);
// "torch.FloatTensor", "CPUBoolType": how PyTorch names the type of a tensor in its older errors.
std::string old_type_name(DType dtype);
// a * b and a + b that wrap: strides that no element is reached by may be anything.
std::int64_t wrapping_mul(std::int64_t a, std::int64_t b);
std::int64_t wrapping_add(std::int64_t a, std::int64_t b);

// The shape that `sizes`, one of them perhaps -1, means for so many elements.
Result<Shape> infer_shape(std::span<const std::int64_t> sizes, std::int64_t count);
// The strides with which the elements of a tensor of shape `from` and those strides have, in the same order, the shape
// `to` (of as many elements) without a copy; nullopt where there are none.
std::optional<Strides> view_strides(const Shape& from, const Strides& strides, const Shape& to);

// A tensor on the same storage. Nothing lies behind the offset of an empty one, so that it is kept inside the storage.
Result<Tensor> restrided(const Tensor& tensor, const Shape& shape, const Strides& strides, std::int64_t offset);
// tensor[..., start:start + length, ...], in range.
Result<Tensor> piece_of(const Tensor& tensor, int dim, std::int64_t start, std::int64_t length);

inline View as_view(Result<Tensor> tensor) {
    if (!tensor) return std::move(tensor).error();
    return std::optional(*std::move(tensor));
}

// The form with an underscore of a view: the tensor itself gets the view's shape and strides, and no element is
// written.
template <ViewRule rule>
Result<Value> reshape_self(const Args& args, Run& run) {
    MS_CHECK(refuse_leaf(*args.variable(0), run.grad_enabled));
    MS_TRY(view, rule(args));
    args.variable(0)->tensor = *std::move(view);
    return args[0];
}

// The elements of an integer tensor of at most one dim.
std::vector<std::int64_t> elements_of(const Tensor& tensor);

template <ViewRule rule>
Overload viewed_in_place(std::string_view signature) {
    return composed(signature, kInPlace, reshape_self<rule>, kNoWrite);
}

// For calls of other ops.
Value list_of(const Shape& sizes);
Value list_of(std::span<const VariablePtr> tensors);

}  // namespace maskscope::ops::geometry
