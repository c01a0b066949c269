// SPDX-License-Identifier: Apache-2.0
#include "core/ops/shape/geometry.h"

#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <algorithm>

#include <fmt/format.h>

namespace maskscope::ops::geometry {

Result<int> wrap_dim(int rank, std::int64_t dim) {
    const int bound = std::max(rank, 1);
    if (dim < -bound || dim >= bound) return dimension_out_of_range(rank, dim);
    return static_cast<int>(dim < 0 ? dim + bound : dim);
}

Result<int> wrap_own_dim(int rank, std::int64_t dim) {
    if (rank == 0) return index_error("Dimension specified as {} but tensor has no dimensions", dim);
    return wrap_dim(rank, dim);
}

Result<DimSet> wrap_dims(int rank, std::span<const std::int64_t> dims) {
    DimSet out;
    for (const auto dim : dims) {
        MS_TRY(wrapped, wrap_dim(rank, dim));
        const auto at = static_cast<std::size_t>(wrapped);
        if (out[at]) return runtime_error("dim {} appears multiple times in the list of dims", wrapped);
        out.set(at);
    }
    return out;
}

Result<Shape> shape_of(std::span<const std::int64_t> sizes) {
    if (sizes.size() > static_cast<std::size_t>(kMaxRank))
        return input_error(MS_TEXT("a tensor of {} dimensions is more than Maskscope holds: {} are the most"),
                           sizes.size(), kMaxRank);
    return Shape(sizes);
}

Result<void> countable(const Shape& shape) {
    if (element_count(shape)) return {};
    return runtime_error("Storage size calculation overflowed with sizes={}", text_of(shape));
}

std::string list_text(std::span<const std::int64_t> sizes) {
    return fmt::format("[{}]", fmt::join(sizes.begin(), sizes.end(), ", "));
}

std::string old_type_name(DType dtype) {
    const auto name = scalar_type_name(dtype);
    const bool is_old = dtype != DType::boolean && dtype != DType::bf16 && dtype <= DType::f64;
    return is_old ? fmt::format("torch.{}Tensor", name) : fmt::format("CPU{}Type", name);
}

std::int64_t wrapping_mul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

Result<Shape> infer_shape(std::span<const std::int64_t> sizes, std::int64_t count) {
    const auto invalid = [&] {
        return runtime_error("shape '{}' is invalid for input of size {}", list_text(sizes), count);
    };
    std::optional<std::size_t> open;
    std::optional<std::int64_t> known = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == -1) {
            if (open) return runtime_error("only one dimension can be inferred");
            open = i;
        } else if (sizes[i] < 0) {
            return runtime_error("invalid shape dimension {} at index {} of shape {}", sizes[i], i, list_text(sizes));
        } else if (known) {
            known = checked_mul(*known, sizes[i]);
        }
    }
    if (!known) return invalid();
    if (open ? (*known == 0 ? count != 0 : count % *known != 0) : *known != count) return invalid();
    if (open && *known == 0)
        return runtime_error(
            "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any "
            "value "
            "and is ambiguous",
            list_text(sizes));
    MS_TRY(shape, shape_of(sizes));
    if (open) shape[static_cast<int>(*open)] = count / *known;
    if (!element_count(shape)) return invalid();
    return shape;
}

std::optional<Strides> view_strides(const Shape& from, const Strides& strides, const Shape& to) {
    if (std::find(from.begin(), from.end(), 0) != from.end()) return from == to ? strides : contiguous_strides(to);
    Strides out = Dims::filled(to.rank(), 1);
    if (from.rank() == 0) return out;
    // From the back: dims that one stride walks through are a block, and some of the new dims must fill it exactly.
    int next = to.rank() - 1;
    for (int last = from.rank() - 1; last >= 0; --last) {
        const std::int64_t step = strides[last];
        std::int64_t block = from[last];
        while (last > 0 && (from[last - 1] == 1 || strides[last - 1] == wrapping_mul(block, step)))
            block *= from[--last];
        std::int64_t filled = 1;
        for (; next >= 0 && (filled < block || to[next] == 1); --next) {
            out[next] = wrapping_mul(filled, step);
            filled *= to[next];
        }
        if (filled != block) return std::nullopt;
    }
    return next < 0 ? std::optional(out) : std::nullopt;
}

Result<Tensor> restrided(const Tensor& tensor, const Shape& shape, const Strides& strides, std::int64_t offset) {
    const auto count = element_count(shape);
    if (!count) return runtime_error("numel: integer multiplication overflow");
    if (*count == 0) {
        const auto room = static_cast<std::int64_t>(tensor.storage()->size() / size_of(tensor.dtype()));
        offset = std::clamp<std::int64_t>(offset, 0, room);
    }
    return Tensor::view_of(tensor.storage(), tensor.dtype(), shape, strides, offset);
}

Result<Tensor> piece_of(const Tensor& tensor, int dim, std::int64_t start, std::int64_t length) {
    Shape shape = tensor.shape();
    shape[dim] = length;
    return restrided(tensor, shape, tensor.strides(),
                     wrapping_add(tensor.offset(), wrapping_mul(start, tensor.strides()[dim])));
}

std::vector<std::int64_t> elements_of(const Tensor& tensor) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(tensor.numel()));
    if (out.empty()) return out;
    const std::int64_t stride = tensor.rank() == 0 ? 1 : tensor.strides()[0];
    load_block(tensor.data(), tensor.dtype(), stride * static_cast<std::int64_t>(size_of(tensor.dtype())),
               tensor.numel(), out.data());
    return out;
}

Value list_of(const Shape& sizes) {
    std::vector<Value> items;
    items.reserve(static_cast<std::size_t>(sizes.rank()));
    for (const auto size : sizes) items.emplace_back(size);
    return make_list(std::move(items));
}

Value list_of(std::span<const VariablePtr> tensors) {
    std::vector<Value> items;
    items.reserve(tensors.size());
    for (const auto& tensor : tensors) items.emplace_back(tensor);
    return make_list(std::move(items));
}

}  // namespace maskscope::ops::geometry
