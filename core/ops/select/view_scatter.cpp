// SPDX-License-Identifier: Apache-2.0
// select_scatter, slice_scatter and diagonal_scatter: a copy of the input in which one view of it has been overwritten.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/seen_as.h"
#include "core/ops/select/wrap_dim.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

// The part of the tensor that is written: of the output in the kernel, of the input in the rule.
using Part = Result<Tensor> (*)(const Args& args, const Tensor& tensor);

Result<Tensor> selected(const Args& args, const Tensor& tensor) {
    if (tensor.rank() == 0) return index_error("select() cannot be applied to a 0-dim tensor.");
    MS_TRY(dim, wrapped_dim(tensor.rank(), args.integer(2)));
    const std::int64_t index = args.integer(3);
    const std::int64_t size = tensor.size(dim);
    if (index < -size || index >= size)
        return index_error("select(): index {} out of range for tensor of size {} at dimension {}", index,
                           text_of(tensor.shape()), dim);
    return tensor.select(dim, index < 0 ? index + size : index);
}

Result<Tensor> sliced(const Args& args, const Tensor& tensor) {
    if (tensor.rank() == 0) return index_error("slice() cannot be applied to a 0-dim tensor.");
    MS_TRY(dim, wrapped_dim(tensor.rank(), args.integer(2)));
    const std::int64_t step = args.integer(5);
    if (step <= 0) return runtime_error("slice step must be positive");
    const std::int64_t size = tensor.size(dim);
    const auto inside = [&](std::int64_t bound) {
        return std::clamp<std::int64_t>(bound < 0 ? bound + size : bound, 0, size);
    };
    const std::int64_t start = args.given(3) ? inside(args.integer(3)) : 0;
    const std::int64_t end = std::max(args.given(4) ? inside(args.integer(4)) : size, start);
    const std::int64_t length = end > start ? (end - start - 1) / step + 1 : 0;
    return tensor.narrow(dim, start, length, std::min(step, std::max<std::int64_t>(size, 1)));
}

Result<Tensor> diagonal(const Args& args, const Tensor& tensor) {
    const std::int64_t offset = args.integer(2);
    MS_TRY(first, wrapped_dim(tensor.rank(), args.integer(3)));
    MS_TRY(second, wrapped_dim(tensor.rank(), args.integer(4)));
    if (first == second)
        return runtime_error("diagonal dimensions cannot be identical {}, {}", args.integer(3), args.integer(4));
    const std::int64_t rows = tensor.size(first);
    const std::int64_t cols = tensor.size(second);
    const auto right = std::clamp<std::int64_t>(offset, 0, cols);
    const auto down = offset < 0 ? std::min(rows, offset < -rows ? rows : -offset) : 0;
    const auto length = std::max<std::int64_t>(std::min(rows - down, cols - right), 0);
    Shape shape;
    Strides strides;
    for (int d = 0; d < tensor.rank(); ++d) {
        if (d == first || d == second) continue;
        shape.push_back(tensor.size(d));
        strides.push_back(tensor.strides()[d]);
    }
    shape.push_back(length);
    strides.push_back(tensor.strides()[first] + tensor.strides()[second]);
    if (element_count(shape) == 0) return seen_as(tensor, shape, strides);
    const Tensor corner = tensor.narrow(first, down, rows - down).narrow(second, right, cols - right);
    return seen_as(corner, shape, strides);
}

template <Part part>
Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Shape& source = args.tensor(1).shape();
    MS_TRY(written, part(args, self));
    if (source != written.shape())
        return runtime_error("expected src to have a size equal to the slice of self. src size = {}, slice size = {}",
                             text_of(source), text_of(written.shape()));
    return Outputs{{self.shape(), self.dtype(), preserved_strides(self)}};
}

template <Part part>
Result<void> overwrite(const Args& args, std::span<Tensor> outputs, Run&) {
    MS_TRY(written, part(args, outputs.front()));
    copy_elements(args.tensor(1), written);
    return {};
}

}  // namespace

void add_view_scatter(OpTable& table) {
    constexpr unsigned kForms = kFunction | kMethod;
    OpSpec select;
    select.name = "select_scatter";
    select.meaning = "A copy in which the slice at one index of dim is src, which must have exactly its shape.";
    select.overloads = {computed("(Tensor input, Tensor src, int dim, int index)", kForms, plan<selected>,
                                 overwrite<selected>, kUpdates)};
    select.samples = {"torch.select_scatter(x, r, 0, 1)"};
    table.add(std::move(select));

    OpSpec slice;
    slice.name = "slice_scatter";
    slice.meaning = "A copy in which the slice start:end:step of dim is src, which must have exactly its shape.";
    slice.overloads = {computed("(Tensor input, Tensor src, int dim=0, int? start=None, int? end=None, int step=1)",
                                kForms, plan<sliced>, overwrite<sliced>, kUpdates)};
    slice.samples = {"torch.slice_scatter(x, y[:, :2], 1, 0, 4, 2)", "x.slice_scatter(y[1:], start=1)"};
    table.add(std::move(slice));

    OpSpec diagonal_spec;
    diagonal_spec.name = "diagonal_scatter";
    diagonal_spec.meaning = "A copy in which a diagonal is src: the way back from diagonal().";
    diagonal_spec.overloads = {computed("(Tensor input, Tensor src, int offset=0, int dim1=0, int dim2=1)", kForms,
                                        plan<diagonal>, overwrite<diagonal>, kUpdates)};
    diagonal_spec.samples = {"torch.diagonal_scatter(x, r[:3])"};
    table.add(std::move(diagonal_spec));
}

}  // namespace maskscope::ops
