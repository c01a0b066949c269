// SPDX-License-Identifier: Apache-2.0
// F.pad: a tensor with a border, or cut where the padding is negative.
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/shape/geometry.h"
#include "core/ops/shape/memory_format.h"
#include "core/ops/shape/pieces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace maskscope::ops {
namespace {

using namespace geometry;

struct Sides {
    std::int64_t before = 0;
    std::int64_t after = 0;
};
// For each dim.
using Padding = std::array<Sides, kMaxRank>;

// More than any memory holds; below it no sum of sizes overflows.
constexpr std::int64_t kMostPadding = std::int64_t{1} << 48U;

Result<void> refuse_far(std::span<const std::int64_t> pad) {
    for (const auto side : pad)
        if (side > kMostPadding || side < -kMostPadding)
            return input_error(MS_TEXT("a padding of {} elements is more than can be held"), side);
    return {};
}

// The list counts from the last dim: (last before, last after, last but one before, ...).
Padding padding_of(int rank, std::span<const std::int64_t> pad) {
    Padding out;
    for (std::size_t i = 0; i + 1 < pad.size(); i += 2)
        out[static_cast<std::size_t>(rank) - 1 - i / 2] = {pad[i], pad[i + 1]};
    return out;
}

Shape padded_shape(const Tensor& tensor, const Padding& padding) {
    Shape shape = tensor.shape();
    for (int dim = 0; dim < tensor.rank(); ++dim) {
        const auto& sides = padding[static_cast<std::size_t>(dim)];
        shape[dim] = wrapping_add(shape[dim], sides.before + sides.after);
    }
    return shape;
}

std::optional<Strides> padded_strides(const Tensor& tensor, const Shape& shape) {
    const Tensor* const inputs[] = {&tensor};
    return channels_last_of(inputs, shape);
}

Result<Outputs> constant_shape(const Tensor& tensor, std::span<const std::int64_t> pad, const Value& value) {
    const Padding padding = padding_of(tensor.rank(), pad);
    Tensor cut = tensor;
    for (int dim = tensor.rank() - 1; dim >= 0; --dim) {
        const auto [before, after] = padding[static_cast<std::size_t>(dim)];
        std::int64_t size = tensor.size(dim);
        for (const auto side : {before, after}) size += std::min<std::int64_t>(side, 0);
        if (size < 0) return runtime_error("narrow(): length must be non-negative.");
        cut = cut.narrow(dim, 0, size);
    }
    // Nothing to add: a copy of a part.
    if (std::all_of(pad.begin(), pad.end(), [](std::int64_t side) { return side <= 0; }))
        return Outputs{{cut.shape(), tensor.dtype(), preserved_strides(cut)}};
    const Shape shape = padded_shape(tensor, padding);
    MS_CHECK(countable(shape));
    MS_CHECK(refuse_overflow(value, tensor.dtype()));
    return Outputs{{shape, tensor.dtype(), padded_strides(tensor, shape)}};
}

Pieces constant_pieces(std::int64_t size, const Sides& sides) {
    const std::int64_t cut_before = std::max<std::int64_t>(-sides.before, 0);
    const std::int64_t cut_after = std::max<std::int64_t>(-sides.after, 0);
    return {{std::max<std::int64_t>(sides.before, 0), 0, 0, true},
            {size - cut_before - cut_after, cut_before, 1, false},
            {std::max<std::int64_t>(sides.after, 0), 0, 0, true}};
}

Result<void> pad_constant(const Tensor& tensor, Tensor& out, std::span<const std::int64_t> pad, const Value& value,
                          const Run& run) {
    std::array<std::byte, sizeof(double)> element{};
    if (value.is_int())
        store_number(value.to_int(), out.dtype(), element.data());
    else
        store_number(value.to_double(), out.dtype(), element.data());
    const Padding padding = padding_of(tensor.rank(), pad);
    std::vector<Pieces> pieces;
    pieces.reserve(static_cast<std::size_t>(tensor.rank()));
    for (int dim = 0; dim < tensor.rank(); ++dim)
        pieces.push_back(constant_pieces(tensor.size(dim), padding[static_cast<std::size_t>(dim)]));
    return assemble(tensor, out, pieces, element.data(), run.context());
}

Result<Outputs> constant_pad_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto pad = args.integers(1);
    if (pad.size() % 2 != 0) return runtime_error("Length of pad must be even but instead it equals {}", pad.size());
    if (pad.size() > 2 * static_cast<std::size_t>(tensor.rank()))
        return runtime_error(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is {}while "
            "the "
            "input has {}dimensions.",
            pad.size(), tensor.rank());
    MS_CHECK(refuse_far(pad));
    return constant_shape(tensor, pad, args[2]);
}

Result<void> constant_pad_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return pad_constant(args.tensor(0), outputs[0], args.integers(1), args[2], run);
}

// Where the border repeats what is inside.
enum class Border { reflect, replicate, circular };

std::optional<Border> border_of(std::string_view mode) {
    if (mode == "reflect") return Border::reflect;
    if (mode == "replicate") return Border::replicate;
    if (mode == "circular") return Border::circular;
    return std::nullopt;
}

// "H: 3, W: 4" of the dims that are padded.
std::string sizes_by_name(const Shape& shape, int padded, std::string_view between) {
    constexpr std::array kNames = {'W', 'H', 'D'};
    std::string out;
    for (int i = padded - 1; i >= 0; --i)
        out += fmt::format("{}{}: {}", out.empty() ? "" : between, kNames[static_cast<std::size_t>(i)],
                           shape[shape.rank() - 1 - i]);
    return out;
}

Result<void> refuse_border(const Tensor& tensor, Border border, int padded, const Padding& padding,
                           const Shape& shape) {
    const int rank = tensor.rank();
    // Only a batch may be empty.
    for (int dim = rank == padded + 2 ? 1 : 0; dim < rank; ++dim)
        if (tensor.size(dim) == 0)
            return runtime_error(
                "Expected {}D or {}D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
                "input, but got: {}",
                padded + 1, padded + 2, text_of(tensor.shape()));
    for (int i = 0; i < padded && border == Border::reflect; ++i) {
        const int dim = rank - 1 - i;
        const auto [before, after] = padding[static_cast<std::size_t>(dim)];
        if (std::max(before, after) >= tensor.size(dim))
            return runtime_error(
                "Argument #{}: Padding size should be less than the corresponding input dimension, but got: padding "
                "({}, "
                "{}) at dimension {} of input {}",
                4 + 2 * i, before, after, dim, text_of(tensor.shape()));
    }
    for (int dim = rank - padded; dim < rank; ++dim) {
        if (shape[dim] > 0) continue;
        if (padded == 1)
            return runtime_error("input ({}) is too small. Calculated output {}",
                                 sizes_by_name(tensor.shape(), padded, ", "), sizes_by_name(shape, padded, " "));
        return runtime_error("Calculated output {} must be >= 1 in every dimension (input {})",
                             sizes_by_name(shape, padded, " "), sizes_by_name(tensor.shape(), padded, ", "));
    }
    if (tensor.dtype() == DType::boolean)
        return not_implemented_for(
            fmt::format("{}_pad{}d", border == Border::reflect ? "reflection" : "replication", padded), DType::boolean);
    return {};
}

// How much of a dim negative padding leaves.
std::int64_t inside(std::int64_t size, const Sides& sides) {
    return size + std::min<std::int64_t>(sides.before, 0) + std::min<std::int64_t>(sides.after, 0);
}

Result<void> refuse_circle(const Tensor& tensor, int padded, const Padding& padding) {
    for (int dim = tensor.rank() - padded; dim < tensor.rank(); ++dim) {
        const auto& sides = padding[static_cast<std::size_t>(dim)];
        if (sides.before > tensor.size(dim) || sides.after > tensor.size(dim))
            return runtime_error("Padding value causes wrapping around more than once.");
        if (tensor.size(dim) > 0 && inside(tensor.size(dim), sides) <= 0)
            return runtime_error("Negative padding value is resulting in an empty dimension");
    }
    return {};
}

Pieces border_pieces(Border border, std::int64_t size, std::int64_t length, const Sides& sides) {
    // The input as it lies in the result, with what negative padding has cut away.
    const std::int64_t first = sides.before;
    const std::int64_t last = size + sides.before - 1;
    const std::int64_t kept = inside(size, sides);
    return pieces_of(length, [&](std::int64_t i) {
        if (border == Border::circular) {
            const std::int64_t turn = (i - std::max<std::int64_t>(sides.before, 0)) % kept;
            return (turn < 0 ? turn + kept : turn) + std::max<std::int64_t>(-sides.before, 0);
        }
        std::int64_t place = i;
        if (i < first) place = border == Border::reflect ? 2 * first - i : first;
        if (i > last) place = border == Border::reflect ? 2 * last - i : last;
        return std::clamp<std::int64_t>(place - first, 0, size - 1);
    });
}

Result<Outputs> pad_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    const auto pad = args.integers(1);
    const std::string& mode = args.text(2);
    const auto border = border_of(mode);
    if (mode != "constant" && !border) return torch_error("NotImplementedError", "Unrecognised padding mode {}", mode);
    if (pad.size() % 2 != 0) return runtime_error("Padding length must be divisible by 2");
    if (pad.size() > 2 * static_cast<std::size_t>(tensor.rank()))
        return runtime_error(
            "Padding length should be less than or equal to two times the input dimension but got padding length {} "
            "and "
            "input of dimension {}",
            pad.size(), tensor.rank());
    MS_CHECK(refuse_far(pad));
    if (!border) return constant_shape(tensor, pad, args[3]);
    if (args.given(3) && args.number(3) != 0)
        return runtime_error(R"(Padding mode "{}" doesn't take in value argument)", mode);
    const int padded = static_cast<int>(pad.size() / 2);
    if (padded < 1 || padded > 3 || (tensor.rank() != padded + 1 && tensor.rank() != padded + 2))
        return torch_error("NotImplementedError",
                           "Padding size {} is not supported for {}D input tensor.\n"
                           "Supported combinations for non-constant padding:\n"
                           "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
                           "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
                           "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)",
                           pad.size(), tensor.rank());
    const Padding padding = padding_of(tensor.rank(), pad);
    const Shape shape = padded_shape(tensor, padding);
    const bool circular = *border == Border::circular;
    MS_CHECK(circular ? refuse_circle(tensor, padded, padding)
                      : refuse_border(tensor, *border, padded, padding, shape));
    MS_CHECK(countable(shape));
    return Outputs{{shape, tensor.dtype(), circular ? std::nullopt : padded_strides(tensor, shape)}};
}

Result<void> pad_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const Tensor& tensor = args.tensor(0);
    Tensor& out = outputs[0];
    const auto pad = args.integers(1);
    const auto border = border_of(args.text(2));
    if (!border) return pad_constant(tensor, out, pad, args[3], run);
    if (out.numel() == 0) return {};
    const Padding padding = padding_of(tensor.rank(), pad);
    std::vector<Pieces> pieces;
    pieces.reserve(static_cast<std::size_t>(tensor.rank()));
    for (int dim = 0; dim < tensor.rank(); ++dim)
        pieces.push_back(
            border_pieces(*border, tensor.size(dim), out.size(dim), padding[static_cast<std::size_t>(dim)]));
    return assemble(tensor, out, pieces, nullptr, run.context());
}

}  // namespace

void add_pad(OpTable& table) {
    table.add(
        {"pad",
         "A border around a tensor. The list counts from the last dim: (left, right, top, bottom, ...); negative "
         "numbers cut "
         "away. The border is a constant (0 unless told otherwise), or mirrors, repeats or continues what is inside.",
         {computed("(Tensor input, int[] pad, str mode='constant', float? value=None)", kFunctional, pad_shape,
                   pad_kernel)},
         {"F.pad(x, (1, 2))", "F.pad(x, (1, -1, 0, 1), value=-1.5)", "F.pad(x, (1, 1), mode='reflect')",
          "F.pad(x, (2, 1), mode='replicate')", "F.pad(x, (1, 2), mode='circular')", "F.pad(m, (1, 1), value=True)"}});
    table.add({"constant_pad_nd",
               "F.pad with a constant.",
               {computed("(Tensor input, int[] pad, Scalar value=0, *, Tensor? out=None)", kFunction,
                         constant_pad_shape, constant_pad_kernel)},
               {"torch.constant_pad_nd(x, (1, 1), 2)"}});
}

}  // namespace maskscope::ops
