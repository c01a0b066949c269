// SPDX-License-Identifier: Apache-2.0
// Overwriting every element: fill, zero_, copy_.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"
#include "core/tensor/broadcast.h"

namespace maskscope::ops {
using namespace create;
namespace {

Outputs as_input(const Args& args) {
    const Tensor& input = args.tensor(0);
    return {{input.shape(), input.dtype(), preserved_strides(input)}};
}

Result<void> refuse_dimensions(const Tensor& value) {
    if (value.rank() == 0) return {};
    return runtime_error("fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
                         value.rank());
}

Result<Outputs> number_shape(const Args& args) {
    MS_CHECK(refuse_overflow(args[1], args.tensor(0).dtype()));
    return as_input(args);
}

Result<void> fill_number(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    const Element element = element_of(args[1], outputs[0].dtype());
    fill_elements(outputs[0], element.data());
    return {};
}

Result<Outputs> tensor_shape(const Args& args) {
    MS_CHECK(refuse_dimensions(args.tensor(1)));
    return as_input(args);
}

Result<void> copy_other(const Args& args, std::span<Tensor> outputs, Run& run) {
    if (!args[1].is_tensor()) return fill_number(args, outputs, run);
    copy_elements(args.tensor(1), outputs[0]);
    return {};
}

// In place the value may lie inside the tensor that it fills (x.fill_(x[0])): its number is taken first.
Result<Value> fill_in_place(const Args& args, Run& run) {
    const auto& value = args.variable(1);
    MS_CHECK(refuse_dimensions(value->tensor));
    const Tensor& input = args.tensor(0);
    if (value->requires_grad || !value->tensor.has_data()) {
        MS_TRY(filled, run.in_place("copy", {args[0], args[1]}));
        return Value(filled);
    }
    MS_TRY(number, number_at(value->tensor.data(), value->tensor.dtype()));
    // Converted as an element is, and not refused as a Python number is.
    MS_TRY(converted, number_at(element_of(number, input.dtype()).data(), input.dtype()));
    MS_TRY(filled, run.in_place("fill", {args[0], converted}));
    return Value(filled);
}

Result<Outputs> copied_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    Shape shape = input.shape();
    if (args[1].is_tensor()) {
        MS_TRY(broadcast, broadcast_shapes(shape, args.tensor(1).shape()));
        shape = broadcast;
    }
    return Outputs{{shape, input.dtype(), std::nullopt}};
}

Result<Outputs> zero_shape(const Args& args) {
    return as_input(args);
}

Result<void> fill_zero(const Args& /*args*/, std::span<Tensor> outputs, Run& /*run*/) {
    fill_elements(outputs[0], Element{}.data());
    return {};
}

}  // namespace

void add_fill(OpTable& table) {
    constexpr unsigned kWhole = kElementwise | kAllowsExpandedSelf;
    table.add(
        {"fill",
         "Writes one number into every element; x.fill_(v) changes x and all its views. The dtype stays: an int64 "
         "tensor filled with 2.9 holds 2, and a number outside the dtype's range is refused.",
         {composed("(Tensor input, Tensor value)", kInPlace, fill_in_place, kAllowsExpandedSelf),
          computed("(Tensor input, Tensor value)", kFunction, tensor_shape, copy_other, kWhole),
          computed("(Tensor input, Scalar value)", kFunction | kInPlace, number_shape, fill_number, kWhole)},
         {"torch.fill(x, 2.5)", "x.clone().fill_(7)", "torch.fill(x, s)", "x.clone().fill_(s)"}});
    table.add({"zero",
               "Sets every element to zero, in place.",
               {computed("(Tensor input)", kInPlace, zero_shape, fill_zero, kWhole)},
               {"x.clone().zero_()"}});
    table.add(
        {"copy",
         "Writes the elements of another tensor into this one, which keeps its shape and dtype; a smaller source is "
         "repeated by broadcasting.",
         {computed("(Tensor input, TensorOrScalar other, bool non_blocking=False)", kInPlace, copied_shape, copy_other,
                   kElementwise)},
         {"x.clone().copy_(r)", "i.clone().copy_(x)"}});
}

}  // namespace maskscope::ops
