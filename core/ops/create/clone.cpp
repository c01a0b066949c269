// SPDX-License-Identifier: Apache-2.0
// The same values in another tensor: a copy (clone, contiguous) or the same memory (detach, data).
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"

namespace maskscope::ops {
using namespace create;
namespace {

Result<Outputs> cloned_shape(const Args& args) {
    const Tensor& input = args.tensor(0);
    MS_TRY(strides, strides_like(input, args[1]));
    return Outputs{{input.shape(), input.dtype(), strides}};
}

Result<void> copy_input(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    copy_elements(args.tensor(0), outputs[0]);
    return {};
}

Result<Value> contiguous(const Args& args, Run& run) {
    const Tensor& input = args.tensor(0);
    MS_TRY(in_order, is_contiguous_in(input, args[1]));
    if (in_order) return args[0];
    const Value format = args.given(1) ? args[1] : Value("torch.contiguous_format");
    return run.call("clone", {args[0]}, {{"memory_format", format}});
}

// Shares the memory, not the gradient's history. To PyTorch it is no view: it may be changed in place freely.
Result<Value> detach(const Args& args, Run& run) {
    return Value(run.wrap(args.tensor(0)));
}

Result<Value> detach_in_place(const Args& args, Run& /*run*/) {
    const auto& input = args.variable(0);
    if (input->base)
        return runtime_error(
            "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
            "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
            "detach_() cannot be called on these gradients. To fix this error, please refer to the "
            "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.");
    input->requires_grad = false;
    input->is_leaf = true;
    input->autograd = nullptr;
    return args[0];
}

}  // namespace

void add_clone(OpTable& table) {
    table.add({"clone",
               "A copy with memory of its own, in the same order of memory; what was expanded becomes whole. Gradients "
               "flow through it.",
               {computed("(Tensor input, *, MemoryFormat? memory_format=None)", kFunction | kMethod, cloned_shape,
                         copy_input, kElementwise)},
               {"x.clone()", "torch.clone(x.t())"}});
    table.add({"contiguous",
               "The tensor itself when its elements already lie in row-major order, else a copy that does.",
               {composed("(Tensor input, *, MemoryFormat? memory_format=None)", kMethod, contiguous)},
               {"x.contiguous()", "x.t().contiguous()"}});
    table.add({"detach",
               "The same memory without the gradient's history: writing into it changes the original.",
               {composed("(Tensor input)", kFunction | kMethod, detach),
                composed("(Tensor input)", kInPlace, detach_in_place, kNoWrite)},
               {"x.detach()", "(x * 2).detach_()"}});
    table.add({"data",
               "The same memory without the gradient's history, as detach().",
               {composed("(Tensor input)", kProperty, detach)},
               {"x.data"}});
}

}  // namespace maskscope::ops
