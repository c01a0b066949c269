// SPDX-License-Identifier: Apache-2.0
// What dtype would come out, and what kind of number a tensor holds.
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/elementwise/rows.h"

namespace maskscope::ops {
namespace {

Result<Value> query_result_type(const Args& args, Run& run) {
    return Value(result_type({typed_of(args[0]), typed_of(args[1])}, run.default_dtype));
}

Result<Value> query_promote_types(const Args& args, Run&) {
    return Value(promote_types(*args.dtype(0), *args.dtype(1)));
}

Result<Value> query_can_cast(const Args& args, Run&) {
    return Value(can_cast(*args.dtype(0), *args.dtype(1)));
}

Result<Value> is_floating_point(const Args& args, Run&) {
    return Value(is_floating(args.tensor(0).dtype()));
}

Result<Value> never(const Args&, Run&) {
    return Value(false);
}

Result<Value> is_signed(const Args& args, Run&) {
    const DType dtype = args.tensor(0).dtype();
    const bool is_unsigned = dtype == DType::boolean || dtype == DType::u8 || dtype == DType::u16 ||
                             dtype == DType::u32 || dtype == DType::u64;
    return Value(!is_unsigned);
}

Result<Value> is_nonzero(const Args& args, Run&) {
    const Tensor& tensor = args.tensor(0);
    if (tensor.numel() == 0) return runtime_error("Boolean value of Tensor with no values is ambiguous");
    if (tensor.numel() > 1) return runtime_error("Boolean value of Tensor with more than one value is ambiguous");
    if (!tensor.has_data()) return needs_data("is_nonzero()");
    return Value(to_double(load_scalar(tensor.data(), tensor.dtype())) != 0);
}

Overload query(std::string_view signature, unsigned forms, Composite composite) {
    return composed(signature, forms, composite, kQuery);
}

}  // namespace

void add_type_queries(OpTable& table) {
    add_row(table,
            {"result_type",
             "The dtype of arithmetic between the two, with PyTorch's rule for numbers and 0-dim tensors.",
             {"torch.result_type(x, 1)", "torch.result_type(i, 1.5)"},
             {}},
            {query("(Tensor tensor, Tensor other)", kFunction, query_result_type),
             query("(Scalar scalar, Tensor tensor)", kFunction, query_result_type),
             query("(Tensor tensor, Scalar other)", kFunction, query_result_type),
             query("(Scalar scalar1, Scalar scalar2)", kFunction, query_result_type)});
    add_row(table,
            {"promote_types",
             "The smallest dtype that both convert to.",
             {"torch.promote_types(torch.int32, torch.float16)"},
             {}},
            {query("(ScalarType type1, ScalarType type2)", kFunction, query_promote_types)});
    add_row(table,
            {"can_cast",
             "Whether an in-place op may store the first dtype in the second.",
             {"torch.can_cast(torch.float32, torch.int64)"},
             {}},
            {query("(ScalarType from_, ScalarType to)", kFunction, query_can_cast)});
    const auto about_tensor = [&](std::string_view name, std::string_view meaning, std::string_view sample,
                                  Composite composite) {
        add_row(table, {name, meaning, {sample}, {}}, {query("(Tensor input)", kFunction | kMethod, composite)});
    };
    about_tensor("is_floating_point", "Whether the dtype is a floating-point one.", "torch.is_floating_point(x)",
                 is_floating_point);
    about_tensor("is_complex", "False: complex tensors are not among ours.", "torch.is_complex(x)", never);
    about_tensor("is_signed", "Whether the dtype has negative numbers.", "x.is_signed()", is_signed);
    about_tensor("is_nonzero", "The truth value of a tensor with one element, as `if` asks for it.", "s.is_nonzero()",
                 is_nonzero);
}

}  // namespace maskscope::ops
