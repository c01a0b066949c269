// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/aliasing.h"
#include "core/ops/select/element.h"
#include "core/ops/select/line_moves.h"
#include "core/ops/select/wrap_dim.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

bool same_but_for(const Shape& a, const Shape& b, int dim) {
    if (a.rank() != b.rank()) return false;
    for (int d = 0; d < a.rank(); ++d)
        if (d != dim && a[d] != b[d]) return false;
    return true;
}

Result<Outputs> plan(const Args& args) {
    const Tensor& self = args.tensor(0);
    const Tensor& index = args.tensor(2);
    const Tensor& source = args.tensor(3);
    MS_TRY(dim, wrapped_dim(self.rank(), args.integer(1)));
    if (index.rank() > 1)
        return index_error("index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}",
                           index.rank(), scalar_type_name(index.dtype()), text_of(index.shape()));
    if (index.dtype() != DType::i64 && index.dtype() != DType::i32)
        return runtime_error("index_add_(): Expected dtype int32/int64 for index but got: {}",
                             scalar_type_name(index.dtype()));
    if (self.dtype() != source.dtype())
        return runtime_error("index_add_(): self ({}) and source ({}) must have the same scalar type",
                             scalar_type_name(self.dtype()), scalar_type_name(source.dtype()));
    if (dim > 0 && dim >= source.rank())
        return runtime_error("index_add_(): Indexing dim {} is out of bounds of the source tensor with dim {}", dim,
                             source.rank());
    const std::int64_t count = index.numel();
    if (source.rank() == 0) {
        if (count != 1) return index_error("Dimension specified as {} but tensor has no dimensions", dim);
    } else if (source.size(dim) != count) {
        return runtime_error(
            "index_add_(): Number of indices ({}) should be equal to source.size(dim): ({}), for dim: {}", count,
            source.size(dim), dim);
    }
    if (!same_but_for(self.shape(), source.shape(), dim))
        return runtime_error(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = {} "
            "source.shape = {}",
            text_of(self.shape()), text_of(source.shape()));
    MS_CHECK(held_element(args[4], self.dtype()));
    if (args.in_place()) {
        MS_CHECK(refuse_alias(self, index));
        MS_CHECK(refuse_alias(self, source));
    }
    return Outputs{{self.shape(), self.dtype(), std::nullopt}};
}

template <class T>
void scale_run(const ElementRun& run, DType dtype, T factor) {
    std::array<T, kBlock> block;
    for (std::int64_t done = 0; done < run.count; done += kBlock) {
        const auto count = std::min(kBlock, run.count - done);
        load_block(run.data[1] + done * run.step[1], dtype, run.step[1], count, block.data());
        for (std::int64_t i = 0; i < count; ++i) {
            auto& element = block[static_cast<std::size_t>(i)];
            element = combined(Combine::multiply, element, factor);
        }
        store_block(block.data(), dtype, run.step[0], count, run.data[0] + done * run.step[0]);
    }
}

// alpha * source, in the source's dtype.
Result<Tensor> scaled(const Tensor& source, const Value& alpha, Run& run) {
    const DType dtype = source.dtype();
    MS_TRY(element, held_element(alpha, dtype));
    MS_TRY(out, run.allocate(source.shape(), dtype));
    const Tensor* const operands[] = {&out, &source};
    const auto step = static_cast<std::int64_t>(size_of(dtype));
    for_each_run(operands, [&](const ElementRun& elements) {
        switch (compute_of(dtype)) {
            case Compute::f32:
                return scale_run(elements, dtype, static_cast<float>(alpha.to_double()));
            case Compute::f64:
                return scale_run(elements, dtype, alpha.to_double());
            case Compute::i64: {
                std::int64_t factor = 0;
                load_block(element.data(), dtype, step, 1, &factor);
                return scale_run(elements, dtype, factor);
            }
        }
    });
    return std::move(out);
}

Result<void> index_add(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor out = at_least_1d(outputs.front());
    Tensor source = at_least_1d(args.tensor(3));
    if (out.numel() == 0 || source.numel() == 0) return {};
    MS_TRY(dim, wrapped_dim(out.rank(), args.integer(1)));
    MS_TRY(index, as_int64(args.tensor(2), run));
    const std::int64_t size = out.size(dim);
    // PyTorch hands the outer dims over to scatter_add when nothing is scaled, with its words and its one rounding of
    // half-precision sums; else it adds slice by slice.
    const bool is_plain = args[4].get_if<bool>() == nullptr && args[4].to_double() == 1;
    const bool scatters =
        is_plain && args.tensor(2).dtype() == DType::i64 && out.rank() > 1 && (dim == 0 || dim == out.rank() - 1);
    if (const auto bad = first_outside(index, size); bad < 0 || bad >= size) {
        if (!scatters) return index_error("index out of range in self");
        return runtime_error("index {} is out of bounds for dimension {} with size {}", bad, dim, size);
    }
    if (args[4].to_double() != 1) {
        MS_TRY(product, scaled(source, args[4], run));
        source = product;
    }
    const Tensor along = index_along(index, source.shape(), dim);
    if (!scatters) {
        scatter_lines(Combine::add, out, along, source, dim);
        return {};
    }
    MS_CHECK(scatter_lines_in_float(Combine::add, out, along, source, dim, run));
    return {};
}

}  // namespace

void add_index_add(OpTable& table) {
    OpSpec spec;
    spec.name = "index_add";
    spec.meaning =
        "Adds the slices of the source, times alpha, to those that the index names along dim, one after the other: "
        "sums of rows by segment.";
    spec.overloads = {computed("(Tensor input, int dim, Tensor index, Tensor source, *, Scalar alpha=1)",
                               kFunction | kMethod | kInPlace, plan, index_add, kUpdates)};
    spec.samples = {"torch.index_add(x, 0, i[0, :3], y)", "x.clone().index_add_(1, i[0], y, alpha=2)"};
    table.add(std::move(spec));
}

}  // namespace maskscope::ops
