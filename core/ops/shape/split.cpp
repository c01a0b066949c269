// SPDX-License-Identifier: Apache-2.0
// One tensor as several views, side by side along a dim.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>

#include <fmt/format.h>

namespace maskscope::ops {
namespace {

using namespace geometry;

// More views than this are a mistake in a script, and would take minutes to make.
constexpr std::int64_t kMostPieces = 10'000'000;

Result<void> few_enough(std::int64_t pieces) {
    if (pieces <= kMostPieces) return {};
    return input_error(MS_TEXT("{} views of one tensor are more than Maskscope makes at once: {} are the most"), pieces,
                       kMostPieces);
}

// Pieces of one size, the last perhaps smaller.
Views in_equal_pieces(const Tensor& tensor, std::int64_t size, std::int64_t dim_given) {
    if (tensor.rank() == 0) return runtime_error("split expects at least a 1-dimensional tensor");
    if (size < 0) return runtime_error("split expects split_size be non-negative, but got split_size={}", size);
    MS_TRY(dim, wrap_dim(tensor.rank(), dim_given));
    const std::int64_t whole = tensor.size(dim);
    if (size == 0 && whole != 0)
        return runtime_error("split_size can only be 0 if dimension size is 0, but got dimension size of {}", whole);
    const std::int64_t count = whole == 0 ? 1 : (whole - 1) / size + 1;
    MS_CHECK(few_enough(count));
    std::vector<Tensor> out;
    out.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        MS_TRY(piece, piece_of(tensor, dim, i * size, std::min(size, whole - i * size)));
        out.push_back(std::move(piece));
    }
    return out;
}

Views in_pieces(const Tensor& tensor, std::span<const std::int64_t> sizes, std::int64_t dim_given) {
    if (tensor.rank() == 0) return runtime_error("split expects at least a 1-dimensional tensor");
    MS_TRY(dim, wrap_dim(tensor.rank(), dim_given));
    const std::int64_t whole = tensor.size(dim);
    std::int64_t start = 0;
    std::vector<Tensor> out;
    out.reserve(sizes.size());
    bool fits = true;
    for (const auto size : sizes) {
        if (size < 0)
            return runtime_error(
                "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
                list_text(sizes));
        fits = fits && size <= whole - start;
        if (!fits) continue;
        MS_TRY(piece, piece_of(tensor, dim, start, size));
        out.push_back(std::move(piece));
        start += size;
    }
    if (!fits || start != whole)
        return runtime_error(
            "split_with_sizes expects split_sizes to sum exactly to {} (input tensor's size at dimension {}), but got "
            "split_sizes={}",
            whole, dim_given, list_text(sizes));
    return out;
}

// What split takes: one size, also as a tensor, or a list of them.
Result<std::vector<std::int64_t>> sizes_given(const Value& value) {
    if (const auto& variable = value.tensor(); variable && !variable->tensor.has_data()) return needs_data("split()");
    const auto one = [](const Value& item) -> std::optional<std::int64_t> {
        if (item.is_int()) return item.to_int();
        const auto& variable = item.tensor();
        const bool is_size = variable && is_integer(variable->tensor.dtype()) && variable->tensor.numel() == 1 &&
                             variable->tensor.has_data();
        return is_size ? std::optional(elements_of(variable->tensor).front()) : std::nullopt;
    };
    if (const auto size = one(value)) return std::vector{*size};
    const auto refused = [](const std::string& but) {
        return type_error("split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, {}", but);
    };
    const auto* items = value.sequence();
    if (items == nullptr) return refused(fmt::format("not {}", type_name(value)));
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < items->size(); ++i) {
        const auto size = one((*items)[i]);
        if (!size) return refused(fmt::format("but found element of type {} at pos {}", type_name((*items)[i]), i));
        out.push_back(*size);
    }
    return out;
}

Views split(const Args& args) {
    MS_TRY(sizes, sizes_given(args[1]));
    if (args[1].sequence() != nullptr) return in_pieces(args.tensor(0), sizes, args.integer(2));
    return in_equal_pieces(args.tensor(0), sizes.front(), args.integer(2));
}

Views split_with_sizes(const Args& args) {
    return in_pieces(args.tensor(0), args.integers(1), args.integer(2));
}

Views chunk(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::int64_t chunks = args.integer(1);
    if (tensor.rank() == 0) return runtime_error("chunk expects at least a 1-dimensional tensor");
    if (chunks <= 0) return runtime_error("chunk expects `chunks` to be greater than 0, got: {}", chunks);
    MS_TRY(dim, wrap_dim(tensor.rank(), args.integer(2)));
    const std::int64_t whole = tensor.size(dim);
    if (whole > 0) return in_equal_pieces(tensor, (whole - 1) / chunks + 1, dim);
    // Of nothing there are as many pieces as were asked for.
    MS_CHECK(few_enough(chunks));
    return in_pieces(tensor, std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0), dim);
}

Result<int> dim_to_split(const Tensor& tensor, std::int64_t dim) {
    if (tensor.rank() == 0)
        return runtime_error("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
    return wrap_dim(tensor.rank(), dim);
}

// So many sections; the first ones are longer by one where they cannot all be equal.
Views in_sections(const Tensor& tensor, std::int64_t sections, std::int64_t dim_given) {
    MS_TRY(dim, dim_to_split(tensor, dim_given));
    if (sections <= 0) return runtime_error("number of sections must be larger than 0, got {}", sections);
    MS_CHECK(few_enough(sections));
    std::vector<Tensor> out;
    out.reserve(static_cast<std::size_t>(sections));
    const std::int64_t whole = tensor.size(dim);
    std::int64_t start = 0;
    for (std::int64_t i = 0; i < sections; ++i) {
        const std::int64_t length = whole / sections + (i < whole % sections ? 1 : 0);
        MS_TRY(piece, piece_of(tensor, dim, start, length));
        out.push_back(std::move(piece));
        start += length;
    }
    return out;
}

// Cut at the indices, each piece as a Python slice between two of them.
Views at_indices(const Tensor& tensor, std::span<const std::int64_t> indices, std::int64_t dim_given) {
    MS_TRY(dim, dim_to_split(tensor, dim_given));
    const std::int64_t whole = tensor.size(dim);
    const auto clamped = [&](std::int64_t index) {
        return std::clamp<std::int64_t>(index < 0 ? index + whole : index, 0, whole);
    };
    std::vector<Tensor> out;
    out.reserve(indices.size() + 1);
    std::int64_t start = 0;
    for (std::size_t i = 0; i <= indices.size(); ++i) {
        const std::int64_t end = i < indices.size() ? clamped(indices[i]) : whole;
        MS_TRY(piece, piece_of(tensor, dim, start, std::max<std::int64_t>(end - start, 0)));
        out.push_back(std::move(piece));
        start = end;
    }
    return out;
}

Views tensor_split_sections(const Args& args) {
    return in_sections(args.tensor(0), args.integer(1), args.integer(2));
}

Views tensor_split_indices(const Args& args) {
    return at_indices(args.tensor(0), args.integers(1), args.integer(2));
}

Result<Value> tensor_split_by_tensor(const Args& args, Run& run) {
    const Tensor& cuts = args.tensor(1);
    if (cuts.rank() > 1)
        return runtime_error(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but "
            "got a "
            "tensor with {} dims",
            cuts.rank());
    if (cuts.dtype() != DType::i64)
        return runtime_error("tensor_split expected tensor_indices_or_sections to have dtype of long, but got {}",
                             scalar_type_name(cuts.dtype()));
    if (!cuts.has_data()) return needs_data("tensor_split()");
    const auto numbers = elements_of(cuts);
    if (cuts.rank() == 0) return run.call("tensor_split", {args[0], numbers.front(), args[2]});
    return run.call("tensor_split", {args[0], make_list(std::vector<Value>(numbers.begin(), numbers.end())), args[2]});
}

// hsplit, vsplit and dsplit are tensor_split along a dim of their own, and want equal sections.
struct Along {
    std::string_view name;
    int least_rank;
    int dim;
};
constexpr Along kHorizontal{"hsplit", 1, 1};
constexpr Along kVertical{"vsplit", 2, 0};
constexpr Along kDeep{"dsplit", 3, 2};

template <const Along& along>
Result<int> own_dim(const Tensor& tensor) {
    if (tensor.rank() < along.least_rank)
        return runtime_error(
            "torch.{} requires a tensor with at least {} dimension, but got a tensor with {} dimensions!", along.name,
            along.least_rank, tensor.rank());
    return tensor.rank() == 1 ? 0 : along.dim;
}

template <const Along& along>
Views split_along_sections(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const std::int64_t sections = args.integer(1);
    MS_TRY(dim, own_dim<along>(tensor));
    if (sections == 0 || tensor.size(dim) % sections != 0)
        return runtime_error(
            "torch.{} attempted to split along dimension {}, but the size of the dimension {} is not divisible by the "
            "split_size {}!",
            along.name, dim, tensor.size(dim), sections);
    return in_sections(tensor, sections, dim);
}

template <const Along& along>
Views split_along_indices(const Args& args) {
    MS_TRY(dim, own_dim<along>(args.tensor(0)));
    return at_indices(args.tensor(0), args.integers(1), dim);
}

template <const Along& along>
OpSpec split_along(std::string_view meaning, std::vector<std::string_view> samples) {
    return {along.name,
            meaning,
            {viewed_as_many("(Tensor input, int sections)", kFunction | kMethod, split_along_sections<along>),
             viewed_as_many("(Tensor input, int[] indices)", kFunction | kMethod, split_along_indices<along>)},
            std::move(samples)};
}

Views unbind(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    MS_TRY(wrapped, wrap_dim(tensor.rank(), args.integer(1)));
    MS_TRY(dim, wrap_own_dim(tensor.rank(), wrapped));
    MS_CHECK(few_enough(tensor.size(dim)));
    Shape shape = tensor.shape();
    Strides strides = tensor.strides();
    const std::int64_t step = strides[dim];
    shape.erase(dim);
    strides.erase(dim);
    std::vector<Tensor> out;
    out.reserve(static_cast<std::size_t>(tensor.size(dim)));
    for (std::int64_t i = 0; i < tensor.size(dim); ++i) {
        MS_TRY(piece, restrided(tensor, shape, strides, wrapping_add(tensor.offset(), wrapping_mul(i, step))));
        out.push_back(std::move(piece));
    }
    return out;
}

Overload python_split(std::string_view signature, unsigned forms) {
    Overload out = viewed_as_many(signature, forms, split);
    out.traits = kPythonDefined;
    return out;
}

}  // namespace

void add_split(OpTable& table) {
    table.add({"split",
               "Pieces of a dim, one behind the other: of one size (the last may be smaller) or of the sizes listed, "
               "which must "
               "add up. Views.",
               {python_split("(Tensor tensor, Any split_size_or_sections, int dim=0)", kFunction),
                python_split("(Tensor input, Any split_size, int dim=0)", kMethod)},
               {"x.split(2)", "torch.split(x, [1, 3], dim=1)", "torch.split(x, 3, 1)", "x.split([2, 2], 1)"}});
    table.add({"split_with_sizes",
               "Pieces of a dim of the sizes listed, which must add up. Views.",
               {viewed_as_many("(Tensor input, int[] split_sizes, int dim=0)", kFunction | kMethod, split_with_sizes)},
               {"x.split_with_sizes([1, 2])"}});
    table.add(
        {"chunk",
         "At most so many pieces of one size, the last perhaps smaller; there can be fewer than asked for. Views.",
         {viewed_as_many("(Tensor input, int chunks, int dim=0)", kFunction | kMethod, chunk)},
         {"x.chunk(2, dim=1)", "torch.chunk(x, 2)"}});
    table.add({"tensor_split",
               "Exactly so many sections, as equal as can be, or cuts at the indices given. Views.",
               {viewed_as_many("(Tensor input, int[] indices, int dim=0)", kFunction | kMethod, tensor_split_indices),
                composed("(Tensor input, Tensor tensor_indices_or_sections, int dim=0)", kFunction | kMethod,
                         tensor_split_by_tensor),
                viewed_as_many("(Tensor input, int sections, int dim=0)", kFunction | kMethod, tensor_split_sections)},
               {"x.tensor_split(3, dim=1)", "torch.tensor_split(x, (1, 3), 1)", "x.tensor_split(i[0, :2], 1)"}});
    table.add({"unbind",
               "One view for each index of a dim, which goes away: what a for loop over a tensor gives.",
               {viewed_as_many("(Tensor input, int dim=0)", kFunction | kMethod, unbind)},
               {"x.unbind()", "torch.unbind(x, 1)"}});
    table.add(split_along<kHorizontal>("tensor_split along columns; of a vector, along its only dim. Views.",
                                       {"torch.hsplit(x, 2)", "x.hsplit((1, 3))"}));
    table.add(split_along<kVertical>("tensor_split along rows. Views.", {"torch.vsplit(x, 3)", "x.vsplit((1,))"}));
    table.add(split_along<kDeep>("tensor_split along the third dim. Views.",
                                 {"torch.dsplit(x[None], 2)", "x[None].dsplit((1,))"}));
}

}  // namespace maskscope::ops
