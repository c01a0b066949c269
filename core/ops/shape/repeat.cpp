// SPDX-License-Identifier: Apache-2.0
// Elements more than once, as copies: the whole tensor again and again, or each element.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

using namespace geometry;

Result<Outputs> repeated(const Tensor& tensor, std::span<const std::int64_t> repeats) {
    if (repeats.size() < static_cast<std::size_t>(tensor.rank()))
        return runtime_error(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
    std::vector<std::int64_t> sizes;
    const std::size_t added = repeats.size() - static_cast<std::size_t>(tensor.rank());
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        const std::int64_t own = i < added ? 1 : tensor.size(static_cast<int>(i - added));
        const auto size = checked_mul(own, repeats[i]);
        if (!size) return input_error(MS_TEXT("{} times a size of {} is more than 63 bits can count"), repeats[i], own);
        sizes.push_back(*size);
    }
    for (const auto size : sizes)
        if (size < 0)
            return runtime_error("Trying to create tensor with negative dimension {}: {}", size, list_text(sizes));
    MS_TRY(shape, shape_of(sizes));
    MS_CHECK(countable(shape));
    return Outputs{{shape, tensor.dtype(), std::nullopt}};
}

Result<Outputs> repeat_shape(const Args& args) {
    return repeated(args.tensor(0), args.integers(1));
}

// tile: 1 for the dims in front that have no number.
Result<Outputs> tile_shape(const Args& args) {
    auto repeats = args.integers(1);
    const auto rank = static_cast<std::size_t>(args.tensor(0).rank());
    if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
    return repeated(args.tensor(0), repeats);
}

// The tensor once, then what is there again beside itself until the result is full: dim by dim, the last one first.
Result<void> repeat_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& tensor = args.tensor(0);
    Tensor& out = outputs[0];
    if (out.numel() == 0) return {};
    const int added = out.rank() - tensor.rank();
    const auto own_size = [&](int dim) { return dim < added ? 1 : tensor.size(dim - added); };
    Tensor done = out;
    for (int dim = 0; dim < out.rank(); ++dim) done = done.narrow(dim, 0, own_size(dim));
    copy_elements(tensor, done);
    for (int dim = out.rank() - 1; dim >= 0; --dim) {
        Tensor row = out;
        for (int before = 0; before < dim; ++before) row = row.narrow(before, 0, own_size(before));
        for (std::int64_t filled = own_size(dim); filled < out.size(dim);) {
            if (run.context().cancelled()) return cancelled_error();
            const std::int64_t more = std::min(filled, out.size(dim) - filled);
            Tensor place = row.narrow(dim, filled, more);
            copy_elements(row.narrow(dim, 0, more), place);
            filled += more;
        }
    }
    return {};
}

// repeats [2, 0, 1] as the indices [0, 0, 2].
Result<Outputs> indices_shape(const Args& args) {
    const Tensor& repeats = args.tensor(0);
    if (!is_integer(repeats.dtype())) return not_implemented_for("repeat_interleave_cpu", repeats.dtype());
    if (repeats.rank() != 1) return runtime_error("repeat_interleave only accept 1D vector as repeat");
    std::int64_t total = 0;
    for (const auto count : elements_of(repeats)) {
        if (count < 0) return runtime_error("repeats can not be negative");
        const auto sum = checked_add(total, count);
        if (!sum) return input_error(MS_TEXT("the repeats add up to more than 63 bits can count"));
        total = *sum;
    }
    if (args.given(1) && args.integer(1) != total) return runtime_error("allocated size does not match required size");
    return Outputs{{{total}, repeats.dtype(), std::nullopt}};
}

Result<void> indices_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    Tensor& out = outputs[0];
    std::int64_t start = 0;
    std::int64_t i = 0;
    for (const auto count : elements_of(args.tensor(0))) {
        if (i % kBlock == 0 && run.context().cancelled()) return cancelled_error();
        std::array<std::byte, sizeof(std::int64_t)> index{};
        store_number(i++, out.dtype(), index.data());
        Tensor place = out.narrow(0, start, count);
        fill_elements(place, index.data());
        start += count;
    }
    return {};
}

// Without a dim the tensor counts as one row.
Result<Value> row_or_self(const Args& args, Run& run) {
    if (args.given(2)) return args[0];
    return run.call("flatten", {args[0]});
}

Result<Value> interleave(const Args& args, Run& run) {
    MS_TRY(input, row_or_self(args, run));
    const Tensor& tensor = input.tensor()->tensor;
    const std::int64_t repeats = args.integer(1);
    MS_TRY(dim, wrap_dim(tensor.rank(), args.given(2) ? args.integer(2) : 0));
    if (repeats < 0) return runtime_error("Repeats must be non-negative");
    if (tensor.rank() == 0) return dimension_out_of_range(0, 1);
    const auto size = checked_mul(tensor.size(dim), repeats);
    if (args.given(3) && size && *size != args.integer(3))
        return runtime_error("repeat_interleave: Invalid output_size, expected {} but got {}", *size, args.integer(3));
    MS_TRY(apart, run.tensor("unsqueeze", {input, dim + 1}));
    Shape shape = apart->tensor.shape();
    shape[dim + 1] = repeats;
    MS_TRY(shown, run.call("expand", {apart, list_of(shape)}));
    MS_TRY(copy, run.call("clone", {shown}, {{"memory_format", "torch.contiguous_format"}}));
    return run.call("flatten", {copy, dim, dim + 1});
}

Result<Value> interleave_each(const Args& args, Run& run) {
    MS_TRY(input, row_or_self(args, run));
    const Tensor& tensor = input.tensor()->tensor;
    const Tensor& given = args.tensor(1);
    MS_TRY(dim, wrap_own_dim(tensor.rank(), args.given(2) ? args.integer(2) : 0));
    Value repeats = args[1];
    if (given.rank() > 1) return runtime_error("repeats must be 0-dim or 1-dim tensor");
    if (given.numel() == 1) {
        MS_TRY(one, run.call("reshape", {repeats, list_of(Shape{1})}));
        MS_TRY(each, run.call("expand", {one, list_of(Shape{tensor.size(dim)})}));
        repeats = each;
    } else if (given.size(0) != tensor.size(dim)) {
        return runtime_error(
            "repeats must have the same size as input along dim, but got repeats.size(0) = {} and input.size({}) = {}",
            given.size(0), dim, tensor.size(dim));
    }
    if (is_integer(given.dtype()) && given.dtype() != DType::i64) {
        MS_TRY(wide, run.call("to", {repeats, DType::i64}));
        repeats = wide;
    }
    MS_TRY(indices, run.call("repeat_interleave", {repeats}, {{"output_size", args[3]}}));
    return run.call("index_select", {input, dim, indices});
}

}  // namespace

void add_repeat(OpTable& table) {
    table.add({"repeat",
               "The tensor side by side with itself, so many times along each dim, new dims in front. It copies, where "
               "expand "
               "only shows; and it repeats the whole, where repeat_interleave repeats each element.",
               {computed("(Tensor input, int[...] repeats)", kMethod, repeat_shape, repeat_kernel)},
               {"x.repeat(2, 1)", "r.repeat(2, 3)"}});
    table.add({"tile",
               "repeat under NumPy's name: dims in front that have no number are repeated once.",
               {computed("(Tensor input, int[...] dims)", kMethod, tile_shape, repeat_kernel),
                computed("(Tensor input, int[] dims)", kFunction, tile_shape, repeat_kernel)},
               {"x.tile(2)", "torch.tile(x, (2, 1))"}});
    table.add({"repeat_interleave",
               "Each element so many times in a row: [1, 2] becomes [1, 1, 2, 2]. Without a dim the tensor is "
               "flattened. Repeats "
               "alone give the indices: [2, 0, 1] becomes [0, 0, 2].",
               {composed("(Tensor input, Tensor repeats, int? dim=None, *, int? output_size=None)", kFunction | kMethod,
                         interleave_each),
                computed("(Tensor repeats, *, int? output_size=None)", kFunction, indices_shape, indices_kernel,
                         kDataDependent),
                composed("(Tensor input, int repeats, int? dim=None, *, int? output_size=None)", kFunction | kMethod,
                         interleave)},
               {"x.repeat_interleave(2, dim=0)", "torch.repeat_interleave(x, i[0, :3], dim=0)",
                "r.repeat_interleave(3)", "torch.repeat_interleave(i[0])"}});
}

}  // namespace maskscope::ops
