// SPDX-License-Identifier: Apache-2.0
#include "core/ops/nn/product_rules.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/tensor/broadcast.h"

#include <array>
#include <cmath>
#include <string>

namespace maskscope::ops {

bool has_no_products(DType dtype) {
    return dtype == DType::boolean || dtype == DType::u16 || dtype == DType::u32 || dtype == DType::u64;
}

Result<void> check_mm(const Tensor& a, const Tensor& b) {
    if (a.rank() != 2) return runtime_error("mm: self must be a matrix, got {}-D tensor", a.rank());
    if (b.rank() != 2) return runtime_error("mm: mat2 must be a matrix, got {}-D tensor", b.rank());
    if (a.size(1) != b.size(0))
        return runtime_error("mm: mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", a.size(0), a.size(1),
                             b.size(0), b.size(1));
    if (a.dtype() != b.dtype())
        return runtime_error("expected m1 and m2 to have the same dtype, but got: {} != {}", cpp_type_name(a.dtype()),
                             cpp_type_name(b.dtype()));
    if (has_no_products(a.dtype())) return not_implemented_for("addmm_impl_cpu_", a.dtype());
    return {};
}

Result<void> check_bmm(const BatchedSizes& sizes, DType a, DType b, std::string_view name) {
    if (sizes.batch_a != sizes.batch_b || sizes.depth_a != sizes.depth_b)
        return runtime_error(
            "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: [{}, {}].", sizes.batch_a,
            sizes.depth_a, sizes.batch_b, sizes.depth_b);
    if (a != b) return runtime_error("expected scalar type {} but found {}", scalar_type_name(a), scalar_type_name(b));
    if (has_no_products(a)) return not_implemented_for(name, a);
    return {};
}

Result<void> check_mv(const VectorSizes& sizes, DType input, DType matrix, DType vector) {
    if (sizes.depth != sizes.vector || (sizes.input != sizes.rows && sizes.input != 1))
        return runtime_error("size mismatch, got input ({}), mat ({}x{}), vec ({})", sizes.input, sizes.rows,
                             sizes.depth, sizes.vector);
    if (input != matrix || input != vector)
        return runtime_error("addmv input tensors must have the same dtype, but got {}, {}, and {}",
                             scalar_type_name(input), scalar_type_name(matrix), scalar_type_name(vector));
    if (has_no_products(matrix)) return not_implemented_for("addmv_impl_cpu", matrix);
    return {};
}

Result<void> check_expand(const Tensor& tensor, const Shape& to) {
    if (tensor.rank() > to.rank())
        return runtime_error(
            "expand(torch.{}Tensor{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the "
            "number of dimensions in the tensor ({})",
            scalar_type_name(tensor.dtype()), text_of(tensor.shape()), text_of(to), to.rank(), tensor.rank());
    MS_TRY(expanded, expand(tensor, to));
    static_cast<void>(expanded);
    return {};
}

Result<void> check_factor(const Value& factor, DType dtype) {
    if (is_floating(dtype)) return {};
    return refuse_overflow(factor, dtype);
}

Result<void> check_dot(const Tensor& a, const Tensor& b) {
    if (a.rank() != 1 || b.rank() != 1)
        return runtime_error("1D tensors expected, but got {}D and {}D tensors", a.rank(), b.rank());
    if (a.dtype() != b.dtype())
        return runtime_error("dot : expected both vectors to have same dtype, but found {} and {}",
                             scalar_type_name(a.dtype()), scalar_type_name(b.dtype()));
    if (a.size(0) != b.size(0))
        return runtime_error(
            "inconsistent tensor size, expected tensor {} and src {} to have the same number of elements, but got {} "
            "and "
            "{} elements respectively",
            text_of(a.shape()), text_of(b.shape()), a.size(0), b.size(0));
    if (has_no_products(a.dtype())) return not_implemented_for("dot", a.dtype());
    return {};
}

Result<Outputs> refuse_out_dtype(const Args& args) {
    return torch_error("NotImplementedError", "Could not run 'aten::{}.dtype' with arguments from the 'CPU' backend.",
                       args.name());
}

}  // namespace maskscope::ops
