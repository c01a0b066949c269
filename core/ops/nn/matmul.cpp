// SPDX-License-Identifier: Apache-2.0
// matmul, which `@` calls: every rank of operands, leading dims broadcast.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/product.h"
#include "core/ops/nn/product_rules.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

std::int64_t product_of(const Shape& shape, int end) {
    std::int64_t out = 1;
    for (int i = 0; i < end; ++i) out *= shape[i];
    return out;
}

Shape leading(const Shape& shape, int count) {
    Shape out;
    for (int i = 0; i < count; ++i) out.push_back(shape[i]);
    return out;
}

// All dims but the last can become one without a copy.
bool rows_are_one_run(const Tensor& tensor, bool last_two_swapped) {
    const Tensor t = last_two_swapped ? tensor.transpose(tensor.rank() - 1, tensor.rank() - 2) : tensor;
    if (t.numel() == 0) return true;
    for (int i = 0; i + 2 < t.rank(); ++i) {
        if (t.strides()[i] != t.strides()[i + 1] * t.size(i + 1)) return false;
    }
    return true;
}

// PyTorch hands a batch times a matrix or vector to mm or mv where the rows of the batch are one matrix, and everything
// else to bmm. The values are the same; the words of a refusal are not.
Result<void> refuse_as_rows(const Tensor& batch, std::int64_t rows, std::int64_t depth, const Tensor& other,
                            int other_depth) {
    if (other.rank() == 1)
        return check_mv({rows, rows, depth, other.size(0)}, other.dtype(), batch.dtype(), other.dtype());
    const std::int64_t columns = other.size(1 - other_depth);
    if (depth != other.size(other_depth))
        return runtime_error("mm: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", rows, depth,
                             other.size(other_depth), columns);
    if (batch.dtype() != other.dtype())
        return runtime_error("expected m1 and m2 to have the same dtype, but got: {} != {}",
                             cpp_type_name(batch.dtype()), cpp_type_name(other.dtype()));
    if (has_no_products(batch.dtype())) return not_implemented_for("addmm_impl_cpu_", batch.dtype());
    return {};
}

Result<void> check_batches(const Args& args, const Shape& batch) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    const int ra = a.rank();
    const int rb = b.rank();
    if (ra >= 3 && rb <= 2 && (rows_are_one_run(a, false) || args.variable(1)->requires_grad))
        return refuse_as_rows(a, product_of(a.shape(), ra - 1), a.size(ra - 1), b, 0);
    if (rb >= 3 && ra <= 2 && (args.variable(0)->requires_grad || (ra == 1 && rows_are_one_run(b, true))))
        return refuse_as_rows(b, product_of(b.shape(), rb - 2) * b.size(rb - 1), b.size(rb - 2), a, ra - 1);
    const std::int64_t count = product_of(batch, batch.rank());
    return check_bmm({count, a.size(ra - 1), count, b.size(rb == 1 ? 0 : rb - 2)}, a.dtype(), b.dtype(), "bmm");
}

Result<void> check(const Args& args, const Shape& batch) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    if (a.rank() >= 3 || b.rank() >= 3) return check_batches(args, batch);
    if (a.rank() == 2 && b.rank() == 2) return check_mm(a, b);
    if (b.rank() == 2) return check_mm(a.unsqueeze(0), b);
    if (a.rank() == 1) return check_dot(a, b);
    return check_mv({a.size(0), a.size(0), a.size(1), b.size(0)}, b.dtype(), a.dtype(), b.dtype());
}

// The dims in front of the two (or the one) that the product is about.
Result<Shape> batch_of(const Tensor& a, const Tensor& b) {
    return broadcast_shapes(leading(a.shape(), std::max(a.rank() - 2, 0)),
                            leading(b.shape(), std::max(b.rank() - 2, 0)));
}

Result<Outputs> shape(const Args& args) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    if (a.rank() == 0 || b.rank() == 0)
        return runtime_error("both arguments to matmul need to be at least 1D, but they are {}D and {}D", a.rank(),
                             b.rank());
    MS_TRY(batch, batch_of(a, b));
    MS_CHECK(check(args, batch));
    Shape out = batch;
    if (a.rank() > 1) out.push_back(a.size(a.rank() - 2));
    if (b.rank() > 1) out.push_back(b.size(b.rank() - 1));
    return Outputs{{out, a.dtype(), {}}};
}

Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    const bool is_row = args.tensor(0).rank() == 1;
    const bool is_column = args.tensor(1).rank() == 1;
    const Tensor a = is_row ? args.tensor(0).unsqueeze(0) : args.tensor(0);
    const Tensor b = is_column ? args.tensor(1).unsqueeze(1) : args.tensor(1);
    Tensor out = outputs[0];
    if (is_row) out = out.unsqueeze(is_column ? out.rank() : out.rank() - 1);
    if (is_column) out = out.unsqueeze(out.rank());
    Shape shape_a = leading(out.shape(), out.rank() - 2);
    Shape shape_b = shape_a;
    for (int i = 2; i > 0; --i) {
        shape_a.push_back(a.size(a.rank() - i));
        shape_b.push_back(b.size(b.rank() - i));
    }
    MS_TRY(whole_a, expand(a, shape_a));
    MS_TRY(whole_b, expand(b, shape_b));
    return run_product({whole_a, whole_b, out, {}}, run);
}

double flops(const Args& args, std::span<const OutSpec> outputs) {
    const Tensor& a = args.tensor(0);
    return product_flops(outputs[0], a.size(a.rank() - 1));
}

}  // namespace

void add_matmul(OpTable& table) {
    table.add(
        {"matmul",
         "The matrix product, also written @. The last two dims are multiplied, those in front are broadcast; a 1-D "
         "operand is a row on the left and a column on the right, and its dim is gone from the result.",
         {computed("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction | kMethod, shape, kernel, 0, flops)},
         {"torch.matmul(x, y.t())", "x @ y.t()", "x.t() @ y", "x @ r", "r @ r", "x[None, :, None] @ y.t()"}});
}

}  // namespace maskscope::ops
