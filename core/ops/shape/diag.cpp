// SPDX-License-Identifier: Apache-2.0
// Vectors as diagonals of matrices, and back; matrices as blocks along a diagonal.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/promotion.h"
#include "core/ops/shape/geometry.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

using namespace geometry;

constexpr std::array<std::byte, 8> kZero{};

// The diagonal `offset` above the main one (below it when negative) of the plane of two dims, as the last dim.
Result<Tensor> diagonal_of(const Tensor& tensor, std::int64_t offset, int row, int col) {
    const std::int64_t length =
        std::max<std::int64_t>(offset >= 0 ? std::min(tensor.size(row), tensor.size(col) - offset)
                                           : std::min(tensor.size(row) + offset, tensor.size(col)),
                               0);
    std::int64_t first = tensor.offset();
    if (length > 0) first += offset >= 0 ? offset * tensor.strides()[col] : -offset * tensor.strides()[row];
    Shape shape = tensor.shape();
    Strides strides = tensor.strides();
    const std::int64_t step = wrapping_add(strides[row], strides[col]);
    for (const int dim : {std::max(row, col), std::min(row, col)}) {
        shape.erase(dim);
        strides.erase(dim);
    }
    shape.push_back(length);
    strides.push_back(step);
    return restrided(tensor, shape, strides, first);
}

struct Plane {
    int row = 0;
    int col = 1;
};

Result<Plane> plane_of(int rank, std::int64_t dim1, std::int64_t dim2) {
    MS_TRY(row, wrap_dim(rank, dim1));
    MS_TRY(col, wrap_dim(rank, dim2));
    if (row == col) return runtime_error("diagonal dimensions cannot be identical {}, {}", dim1, dim2);
    return Plane{row, col};
}

View diagonal(const Args& args) {
    MS_TRY(plane, plane_of(args.tensor(0).rank(), args.integer(2), args.integer(3)));
    return as_view(diagonal_of(args.tensor(0), args.integer(1), plane.row, plane.col));
}

// Of the last dim's elements as a diagonal of that plane.
Result<Outputs> embedded(const Tensor& tensor, std::int64_t offset, const Plane& plane) {
    const std::int64_t length = tensor.size(tensor.rank() - 1);
    const auto below = offset < 0 ? checked_mul<std::int64_t>(offset, -1) : offset;
    const auto side = below ? checked_add(length, *below) : std::nullopt;
    if (!side) return input_error(MS_TEXT("a diagonal {} away from the main one makes too large a matrix"), offset);
    std::vector<std::int64_t> sizes(tensor.shape().begin(), tensor.shape().end() - 1);
    for (const int dim : {std::min(plane.row, plane.col), std::max(plane.row, plane.col)})
        sizes.insert(sizes.begin() + dim, *side);
    MS_TRY(shape, shape_of(sizes));
    MS_CHECK(countable(shape));
    return Outputs{{shape, tensor.dtype(), std::nullopt}};
}

Result<void> embed(const Tensor& tensor, Tensor& out, std::int64_t offset, const Plane& plane) {
    fill_elements(out, kZero.data());
    MS_TRY(place, diagonal_of(out, offset, plane.row, plane.col));
    copy_elements(tensor, place);
    return {};
}

Result<Outputs> diag_embed_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    MS_TRY(plane, plane_of(tensor.rank() + 1, args.integer(2), args.integer(3)));
    return embedded(tensor, args.integer(1), plane);
}

Result<void> diag_embed_kernel(const Args& args, std::span<Tensor> outputs, Run&) {
    MS_TRY(plane, plane_of(outputs[0].rank(), args.integer(2), args.integer(3)));
    return embed(args.tensor(0), outputs[0], args.integer(1), plane);
}

Result<Outputs> diag_shape(const Args& args) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() == 1) return embedded(tensor, args.integer(1), {});
    if (tensor.rank() != 2) return runtime_error("diag(): Supports 1D or 2D tensors. Got {}D", tensor.rank());
    MS_TRY(diagonal, diagonal_of(tensor, args.integer(1), 0, 1));
    return Outputs{{diagonal.shape(), tensor.dtype(), std::nullopt}};
}

Result<void> diag_kernel(const Args& args, std::span<Tensor> outputs, Run&) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.rank() == 1) return embed(tensor, outputs[0], args.integer(1), {});
    MS_TRY(diagonal, diagonal_of(tensor, args.integer(1), 0, 1));
    copy_elements(diagonal, outputs[0]);
    return {};
}

Result<Value> diagflat(const Args& args, Run& run) {
    MS_TRY(row, run.call("reshape", {args[0], list_of(Shape{-1})}));
    return run.call("diag", {row, args[1]});
}

// Rows and columns of a block: a vector is one row, a number one cell.
Shape block_shape(const Tensor& tensor) {
    if (tensor.rank() == 2) return tensor.shape();
    return {1, tensor.rank() == 1 ? tensor.size(0) : 1};
}

Result<Outputs> block_diag_shape(const Args& args) {
    const auto tensors = args.variables(0);
    if (tensors.empty()) return Outputs{{{1, 0}, DType::f32, std::nullopt}};
    Shape shape = {0, 0};
    std::vector<Typed> operands;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = tensors[i]->tensor;
        if (tensor.rank() > 2)
            return runtime_error(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {} has {} dimensions", i,
                tensor.rank());
        for (int dim = 0; dim < 2; ++dim) shape[dim] = wrapping_add(shape[dim], block_shape(tensor)[dim]);
        operands.push_back({tensor.dtype(), tensor.rank() == 0 ? Category::zero_dim : Category::dimensioned});
    }
    MS_CHECK(countable(shape));
    return Outputs{{shape, result_type(operands), std::nullopt}};
}

Result<void> block_diag_kernel(const Args& args, std::span<Tensor> outputs, Run&) {
    fill_elements(outputs[0], kZero.data());
    Shape start = {0, 0};
    for (const auto& variable : args.variables(0)) {
        const Shape block = block_shape(variable->tensor);
        Tensor place = outputs[0];
        for (int dim = 0; dim < 2; ++dim) {
            place = place.narrow(dim, start[dim], block[dim]);
            start[dim] += block[dim];
        }
        copy_elements(variable->tensor, place);
    }
    return {};
}

}  // namespace

void add_diag(OpTable& table) {
    table.add(
        {"diagonal",
         "A diagonal as a view: the two dims go away and its elements become the last dim. offset > 0 lies above the "
         "main diagonal.",
         {viewed("(Tensor input, int offset=0, int dim1=0, int dim2=1)", kFunction | kMethod, diagonal)},
         {"x.diagonal()", "torch.diagonal(x, 1)", "x[None].diagonal(0, 1, 2)"}});
    table.add({"diag",
               "Of a vector the matrix with it as diagonal, of a matrix its diagonal, as a copy.",
               {computed("(Tensor input, int diagonal=0)", kMethod, diag_shape, diag_kernel),
                computed("(Tensor input, int diagonal=0, *, Tensor? out=None)", kFunction, diag_shape, diag_kernel)},
               {"torch.diag(r)", "x.diag(1)"}});
    table.add({"diag_embed",
               "The last dim as diagonals of new matrices, whose dims are the last two unless told otherwise.",
               {computed("(Tensor input, int offset=0, int dim1=-2, int dim2=-1)", kFunction | kMethod,
                         diag_embed_shape, diag_embed_kernel)},
               {"torch.diag_embed(x)", "r.diag_embed(1)"}});
    table.add({"diagflat",
               "The matrix with all elements, in row-major order, as its diagonal.",
               {composed("(Tensor input, int offset=0)", kFunction | kMethod, diagflat)},
               {"torch.diagflat(x)", "r.diagflat(-1)"}});
    table.add(
        {"block_diag",
         "Matrices along a diagonal, zeros elsewhere: the mask of sequences packed into one. A vector is one row.",
         {computed("(Tensor[...] tensors=())", kFunction, block_diag_shape, block_diag_kernel)},
         {"torch.block_diag(x, m, r)"}});
}

}  // namespace maskscope::ops
