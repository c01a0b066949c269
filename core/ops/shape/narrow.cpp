// SPDX-License-Identifier: Apache-2.0
// Parts of a tensor as views: a range, one index, windows, any strides.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>

namespace maskscope::ops {
namespace {

using namespace geometry;

Result<void> has_dims_to_narrow(const Args& args, std::int64_t length) {
    if (args.tensor(0).rank() == 0) return runtime_error("narrow() cannot be applied to a 0-dim tensor.");
    if (length < 0) return runtime_error("narrow(): length must be non-negative.");
    return {};
}

View narrow(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::int64_t length = args.integer(3);
    MS_CHECK(has_dims_to_narrow(args, length));
    MS_TRY(dim, wrap_dim(tensor.rank(), args.integer(1)));
    const std::int64_t size = tensor.size(dim);
    std::int64_t start = args.integer(2);
    if (start < -size || start > size)
        return index_error("start out of range (expected to be in range of [{}, {}], but got {})", -size, size, start);
    if (start < 0) start += size;
    if (start > size - length)
        return runtime_error("start ({}) + length ({}) exceeds dimension size ({}).", start, length, size);
    return as_view(piece_of(tensor, dim, start, length));
}

Result<Value> narrow_from_tensor(const Args& args, Run& run) {
    const Tensor& start = args.tensor(2);
    if (start.rank() != 0 || !is_integer(start.dtype()))
        return runtime_error("start must be an 0-dim integral Tensor.");
    if (!start.has_data()) return needs_data("narrow()");
    return run.call("narrow", {args[0], args[1], elements_of(start).front(), args[3]});
}

View select(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() == 0) return index_error("select() cannot be applied to a 0-dim tensor.");
    MS_TRY(dim, wrap_dim(tensor.rank(), args.integer(1)));
    const std::int64_t size = tensor.size(dim);
    const std::int64_t index = args.integer(2);
    if (index < -size || index >= size)
        return index_error("select(): index {} out of range for tensor of size {} at dimension {}", index,
                           text_of(tensor.shape()), dim);
    Shape shape = tensor.shape();
    Strides strides = tensor.strides();
    const std::int64_t step = strides[dim];
    shape.erase(dim);
    strides.erase(dim);
    return as_view(restrided(tensor, shape, strides,
                             wrapping_add(tensor.offset(), wrapping_mul(index < 0 ? index + size : index, step))));
}

View unfold(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::int64_t size = args.integer(2);
    const std::int64_t step = args.integer(3);
    MS_TRY(dim, wrap_dim(tensor.rank(), args.integer(1)));
    if (size < 0) return runtime_error("size is {} but must be >= 0", size);
    const std::int64_t room = tensor.rank() == 0 ? 1 : tensor.size(dim);
    if (size > room)
        return runtime_error("maximum size for tensor at dimension {} is {} but size is {}", dim, room, size);
    if (step <= 0) return runtime_error("step is {} but must be > 0", step);
    std::vector<std::int64_t> sizes(tensor.shape().begin(), tensor.shape().end());
    sizes.push_back(size);
    MS_TRY(shape, shape_of(sizes));
    Strides strides = tensor.strides();
    strides.push_back(tensor.rank() == 0 ? 1 : strides[dim]);
    if (tensor.rank() > 0) {
        shape[dim] = (room - size) / step + 1;
        strides[dim] = wrapping_mul(strides[dim], step);
    }
    return as_view(restrided(tensor, shape, strides, tensor.offset()));
}

// Bytes of storage up to the last element; nullopt when they cannot be counted.
std::optional<std::int64_t> bytes_reached(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                                          std::int64_t offset, std::int64_t item) {
    std::optional<std::int64_t> last = offset;
    for (std::size_t i = 0; i < sizes.size() && last; ++i) {
        if (sizes[i] < 0) return std::nullopt;
        const auto reach = checked_mul(sizes[i] - 1, strides[i]);
        last = reach ? checked_add(*last, *reach) : std::nullopt;
    }
    const auto count = last ? checked_add<std::int64_t>(*last, 1) : std::nullopt;
    return count ? checked_mul(*count, item) : std::nullopt;
}

View as_strided(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto sizes = args.integers(1);
    const auto strides = args.integers(2);
    const std::int64_t offset = args.given(3) ? args.integer(3) : tensor.offset();
    if (sizes.size() != strides.size()) return runtime_error("mismatch in length of strides and shape");
    if (std::any_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride < 0; }))
        return runtime_error("as_strided: Negative strides are not supported at the moment, got strides: {}",
                             list_text(strides));
    if (offset < 0) return runtime_error("Tensor: invalid storage offset {}", offset);
    MS_TRY(shape, shape_of(sizes));
    if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) {
        const auto item = static_cast<std::int64_t>(size_of(tensor.dtype()));
        const auto bytes = bytes_reached(sizes, strides, offset, item);
        if (!bytes)
            return runtime_error("Storage size calculation overflowed with sizes={} and strides={}", list_text(sizes),
                                 list_text(strides));
        if (static_cast<std::size_t>(*bytes) > tensor.storage()->size())
            return runtime_error(
                "setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a storage size of {} "
                "are "
                "out of bounds for storage of size {}",
                list_text(sizes), list_text(strides), offset, item, *bytes, tensor.storage()->size());
    }
    return as_view(restrided(tensor, shape, Strides(std::span(strides)), offset));
}

}  // namespace

void add_narrow(OpTable& table) {
    table.add(
        {"narrow",
         "`length` elements along a dim, from `start` on: x[..., start:start + length, ...], but out of range is an "
         "error where a slice is cut short. A view.",
         {composed("(Tensor input, int dim, Tensor start, int length)", kFunction | kMethod, narrow_from_tensor),
          viewed("(Tensor input, int dim, int start, int length)", kFunction | kMethod, narrow)},
         {"x.narrow(1, 1, 2)", "torch.narrow(x, 0, -2, 1)", "x.narrow(1, i[0, 0], 2)"}});
    table.add({"select",
               "One index of a dim, which goes away: x.select(1, 2) is x[:, 2]. A view.",
               {viewed("(Tensor input, int dim, int index)", kFunction | kMethod, select)},
               {"x.select(1, -1)", "torch.select(x, 0, 1)"}});
    table.add({"unfold",
               "Windows of `size` elements along a dim, `step` apart, as a view: the dim counts the windows, a new "
               "last dim the "
               "elements in each. Windows that overlap share their elements.",
               {viewed("(Tensor input, int dimension, int size, int step)", kMethod, unfold)},
               {"x.unfold(1, 2, 1)", "r.unfold(0, 2, 2)"}});
    table.add(
        {"as_strided",
         "The storage itself with any shape, strides and offset, counted in elements from its begin: the shape and "
         "strides of the tensor do not matter, its offset only where none is given. A view.",
         {viewed("(Tensor input, int[] size, int[] stride, int? storage_offset=None)", kFunction | kMethod, as_strided),
          viewed_in_place<as_strided>("(Tensor input, int[] size, int[] stride, int? storage_offset=None)")},
         {"x.as_strided((2, 2), (1, 1))", "torch.as_strided(x, (3,), (4,), 1)"}});
}

}  // namespace maskscope::ops
