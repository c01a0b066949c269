// SPDX-License-Identifier: Apache-2.0
// addmm, baddbmm, addmv: beta * input + alpha * product, in one pass.
#include "core/ops/dispatch/overload.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/nn/product.h"
#include "core/ops/nn/product_rules.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
namespace {

// Of all three ops, in the order of their parameters.
enum Place : int { kInput = 0, kA = 1, kB = 2, kBeta = 3, kAlpha = 4, kOut = 5 };

Result<Outputs> planned(const Args& args, const Shape& shape) {
    const DType dtype = args.tensor(kA).dtype();
    MS_CHECK(check_factor(args[kBeta], dtype));
    MS_CHECK(check_factor(args[kAlpha], dtype));
    return Outputs{{shape, dtype, {}}};
}

// In place the input may not be the smaller one.
Result<void> check_input(const Args& args, const Shape& shape) {
    const Tensor& input = args.tensor(kInput);
    if (args.in_place() && input.shape() != shape)
        return runtime_error("Bad in-place call: input tensor size {} and output tensor size {} should match",
                             text_of(input.shape()), text_of(shape));
    return check_expand(input, shape);
}

Result<void> check_dtypes(DType a, DType b, std::string_view name_a, std::string_view name_b) {
    if (a == b) return {};
    return runtime_error("{} and {} must have the same dtype, but got {} and {}", name_a, name_b, scalar_type_name(a),
                         scalar_type_name(b));
}

Result<Outputs> addmm_shape(const Args& args) {
    const Tensor& a = args.tensor(kA);
    const Tensor& b = args.tensor(kB);
    if (a.rank() != 2) return runtime_error("addmm: self must be a matrix, got {}-D tensor", a.rank());
    if (b.rank() != 2) return runtime_error("addmm: mat2 must be a matrix, got {}-D tensor", b.rank());
    MS_CHECK(check_dtypes(args.tensor(kInput).dtype(), b.dtype(), "self", "mat2"));
    MS_CHECK(check_dtypes(a.dtype(), b.dtype(), "mat1", "mat2"));
    if (a.size(1) != b.size(0))
        return runtime_error("addmm: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", a.size(0), a.size(1),
                             b.size(0), b.size(1));
    const Shape shape{a.size(0), b.size(1)};
    MS_CHECK(check_input(args, shape));
    if (has_no_products(a.dtype())) return not_implemented_for("addmm_impl_cpu_", a.dtype());
    return planned(args, shape);
}

Result<Outputs> baddbmm_shape(const Args& args) {
    const Tensor& a = args.tensor(kA);
    const Tensor& b = args.tensor(kB);
    if (b.rank() < 3) return dimension_out_of_range(b.rank(), 2);
    if (a.rank() < 2) return dimension_out_of_range(a.rank(), 1);
    const Shape shape{a.size(0), a.size(1), b.size(2)};
    MS_CHECK(check_input(args, shape));
    if (a.rank() != 3) return runtime_error("batch1 must be a 3D tensor");
    if (b.rank() != 3) return runtime_error("batch2 must be a 3D tensor");
    const DType input = args.tensor(kInput).dtype();
    if (input != a.dtype())
        return runtime_error("Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}",
                             cpp_type_name(input), cpp_type_name(a.dtype()), cpp_type_name(b.dtype()));
    MS_CHECK(check_bmm({a.size(0), a.size(2), b.size(0), b.size(1)}, a.dtype(), b.dtype(), "baddbmm"));
    return planned(args, shape);
}

Result<Outputs> addmv_shape(const Args& args) {
    const Tensor& input = args.tensor(kInput);
    const Tensor& matrix = args.tensor(kA);
    const Tensor& vector = args.tensor(kB);
    if (input.rank() > 1 || matrix.rank() != 2 || vector.rank() != 1)
        return runtime_error("vector + matrix @ vector expected, got {}, {}, {}", input.rank(), matrix.rank(),
                             vector.rank());
    const VectorSizes sizes{input.numel(), matrix.size(0), matrix.size(1), vector.size(0)};
    MS_CHECK(check_mv(sizes, input.dtype(), matrix.dtype(), vector.dtype()));
    const Shape shape{matrix.size(0)};
    MS_CHECK(check_input(args, shape));
    return planned(args, shape);
}

Result<void> matrices_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(input, expand(args.tensor(kInput), outputs[0].shape()));
    return run_product({args.tensor(kA), args.tensor(kB), outputs[0], input, args.number(kAlpha), args.number(kBeta)},
                       run);
}

Result<void> addmv_kernel(const Args& args, std::span<Tensor> outputs, Run& run) {
    MS_TRY(input, expand(args.tensor(kInput), outputs[0].shape()));
    return run_product({args.tensor(kA), args.tensor(kB).unsqueeze(1), outputs[0].unsqueeze(1), input.unsqueeze(1),
                        args.number(kAlpha), args.number(kBeta)},
                       run);
}

constexpr unsigned kForms = kFunction | kMethod | kInPlace;

double flops(const Args& args, std::span<const OutSpec> outputs) {
    const Tensor& a = args.tensor(kA);
    return product_flops(outputs[0], a.size(a.rank() - 1));
}

}  // namespace

void add_addmm(OpTable& table) {
    table.add(
        {"addmm",
         "beta * input + alpha * (mat1 @ mat2); input is broadcast to the product. With beta=0 input is not read at "
         "all, so its NaN stay out.",
         {computed("(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None)",
                   kForms, addmm_shape, matrices_kernel, 0, flops),
          computed("(Tensor input, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1, "
                   "Tensor? out=None)",
                   kFunction | kMethod, refuse_out_dtype, matrices_kernel)},
         {"torch.addmm(s, x, y.t())"}});
    table.add(
        {"baddbmm",
         "beta * input + alpha * bmm(batch1, batch2); how additive attention masks join the scores in one step.",
         {computed("(Tensor input, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None)",
                   kForms, baddbmm_shape, matrices_kernel, 0, flops),
          computed("(Tensor input, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar "
                   "alpha=1, Tensor? out=None)",
                   kFunction | kMethod, refuse_out_dtype, matrices_kernel)},
         {"torch.baddbmm(s, x[None], y.t()[None], alpha=0.5)"}});
    table.add({"addmv",
               "beta * input + alpha * (mat @ vec).",
               {computed("(Tensor input, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor? out=None)",
                         kForms, addmv_shape, addmv_kernel, 0, flops)},
               {"torch.addmv(s, x, r)"}});
}

}  // namespace maskscope::ops
