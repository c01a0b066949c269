// SPDX-License-Identifier: Apache-2.0
// Whether a tensor takes part in gradients.
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"

namespace maskscope::ops {
using namespace create;
namespace {

Result<Value> requires_grad(const Args& args, Run& /*run*/) {
    return Value(args.variable(0)->requires_grad);
}

Result<Value> set_requires_grad(const Args& args, Run& /*run*/) {
    const auto& input = args.variable(0);
    const bool wanted = args.flag(1);
    if (!input->is_leaf && !wanted)
        return runtime_error(
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
            "subgraph that doesn't require differentiation use var_no_grad = var.detach().");
    if (wanted && !is_floating(input->tensor.dtype()))
        return runtime_error("only Tensors of floating point dtype can require gradients");
    input->requires_grad = wanted;
    return args[0];
}

Result<Value> is_leaf(const Args& args, Run& /*run*/) {
    return Value(args.variable(0)->is_leaf);
}

Result<Value> grad(const Args& /*args*/, Run& /*run*/) {
    return Value();
}

}  // namespace

void add_gradient_flags(OpTable& table) {
    table.add(
        {"requires_grad",
         "Whether gradients are wanted for this tensor, or flow through it. x.requires_grad_() asks for them; only "
         "floating tensors can have any.",
         {composed("(Tensor input)", kProperty, requires_grad, kQuery),
          composed("(Tensor input, bool requires_grad=True)", kInPlace, set_requires_grad, kNoWrite)},
         {"x.requires_grad", "x.clone().requires_grad_()", "x.clone().requires_grad_(False)"}});
    table.add({"is_leaf",
               "True for tensors that no recorded op made: gradients are collected in leaves.",
               {composed("(Tensor input)", kProperty, is_leaf, kQuery)},
               {"x.is_leaf"}});
    table.add({"grad",
               "The gradient that was collected in this tensor; None before there is one.",
               {composed("(Tensor input)", kProperty, grad, kQuery)},
               {"x.grad"}});
}

}  // namespace maskscope::ops
