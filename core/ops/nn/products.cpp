// SPDX-License-Identifier: Apache-2.0
// mm, bmm, mv, dot, vdot: products of two operands of a fixed rank.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/product.h"
#include "core/ops/nn/product_rules.h"

namespace maskscope::ops {
namespace {

Result<Outputs> mm_shape(const Args& args) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    MS_CHECK(check_mm(a, b));
    return Outputs{{Shape{a.size(0), b.size(1)}, a.dtype(), {}}};
}

Result<Outputs> bmm_shape(const Args& args) {
    const Tensor& a = args.tensor(0);
    const Tensor& b = args.tensor(1);
    if (a.rank() != 3) return runtime_error("batch1 must be a 3D tensor");
    if (b.rank() != 3) return runtime_error("batch2 must be a 3D tensor");
    MS_CHECK(check_bmm({a.size(0), a.size(2), b.size(0), b.size(1)}, a.dtype(), b.dtype(), "bmm"));
    return Outputs{{Shape{a.size(0), a.size(1), b.size(2)}, a.dtype(), {}}};
}

Result<Outputs> mv_shape(const Args& args) {
    const Tensor& matrix = args.tensor(0);
    const Tensor& vector = args.tensor(1);
    if (matrix.rank() != 2 || vector.rank() != 1)
        return runtime_error("vector + matrix @ vector expected, got 1, {}, {}", matrix.rank(), vector.rank());
    // The result takes the vector's dtype, and is the first of the three that are told.
    const VectorSizes sizes{matrix.size(0), matrix.size(0), matrix.size(1), vector.size(0)};
    MS_CHECK(check_mv(sizes, vector.dtype(), matrix.dtype(), vector.dtype()));
    return Outputs{{Shape{matrix.size(0)}, matrix.dtype(), {}}};
}

Result<Outputs> dot_shape(const Args& args) {
    MS_CHECK(check_dot(args.tensor(0), args.tensor(1)));
    return Outputs{{Shape{}, args.tensor(0).dtype(), {}}};
}

Result<void> matrices_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return run_product({args.tensor(0), args.tensor(1), outputs[0], {}}, run);
}

Result<void> mv_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return run_product({args.tensor(0), args.tensor(1).unsqueeze(1), outputs[0].unsqueeze(1), {}}, run);
}

Result<void> dot_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    return run_product(
        {args.tensor(0).unsqueeze(0), args.tensor(1).unsqueeze(1), outputs[0].unsqueeze(0).unsqueeze(0), {}}, run);
}

double flops(const Args& args, std::span<const OutSpec> outputs) {
    const Tensor& a = args.tensor(0);
    return product_flops(outputs[0], a.size(a.rank() - 1));
}

}  // namespace

void add_products(OpTable& table) {
    const Overload without_out_dtype =
        computed("(Tensor input, Tensor mat2, ScalarType out_dtype, *, Tensor? out=None)", kFunction | kMethod,
                 refuse_out_dtype, matrices_kernel);
    table.add({"mm",
               "The product of two matrices, [n, k] times [k, m]. Nothing is broadcast here; matmul and @ do that.",
               {computed("(Tensor input, Tensor mat2, *, Tensor? out=None)", kFunction | kMethod, mm_shape,
                         matrices_kernel, 0, flops),
                without_out_dtype},
               {"torch.mm(x, y.t())", "x.mm(y.t())"}});
    table.add(
        {"bmm",
         "Matrix products of a batch, [b, n, k] times [b, k, m]. The batch sizes must be equal: nothing is broadcast.",
         {computed("(Tensor input, Tensor mat2, *, Tensor? out=None)", kFunction | kMethod, bmm_shape, matrices_kernel,
                   0, flops),
          without_out_dtype},
         {"torch.bmm(x[None], y.t()[None])"}});
    table.add({"mv",
               "A matrix times a vector, [n, k] times [k].",
               {computed("(Tensor input, Tensor vec, *, Tensor? out=None)", kFunction | kMethod, mv_shape, mv_kernel, 0,
                         flops)},
               {"torch.mv(x, r)"}});
    table.add({"dot",
               "The sum of the products of two vectors of equal length. It takes 1-D tensors only.",
               {computed("(Tensor input, Tensor tensor, *, Tensor? out=None)", kFunction | kMethod, dot_shape,
                         dot_kernel, 0, flops)},
               {"torch.dot(r, r)"}});
    table.add({"vdot",
               "The same as dot for real numbers: the sum of the products of two vectors.",
               {computed("(Tensor input, Tensor other, *, Tensor? out=None)", kFunction | kMethod, dot_shape,
                         dot_kernel, 0, flops)},
               {"torch.vdot(r, r)"}});
}

}  // namespace maskscope::ops
