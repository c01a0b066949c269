// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/in_place.h"

#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/promotion.h"

namespace maskscope::ops {

Result<void> refuse_leaf(const Variable& target, bool grad_enabled) {
    if (!grad_enabled) return {};
    if (target.requires_grad && target.is_leaf && !target.made_in_no_grad)
        return runtime_error("a leaf Variable that requires grad is being used in an in-place operation.");
    if (target.made_in_no_grad && target.requires_grad)
        return runtime_error(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this "
            "use "
            "case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and "
            "the "
            "inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both "
            "outside (if "
            "you want the inplace to be tracked).");
    if (target.base && target.base->requires_grad && target.base->is_leaf)
        return runtime_error("a view of a leaf Variable that requires grad is being used in an in-place operation.");
    return {};
}

Result<void> refuse_result(const Variable& target, const OutSpec& out) {
    if (out.shape != target.tensor.shape())
        return runtime_error("output with shape {} doesn't match the broadcast shape {}",
                             text_of(target.tensor.shape()), text_of(out.shape));
    if (!can_cast(out.dtype, target.tensor.dtype()))
        return runtime_error("result type {} can't be cast to the desired output type {}", scalar_type_name(out.dtype),
                             scalar_type_name(target.tensor.dtype()));
    return {};
}

Error internal_overlap_error() {
    return runtime_error(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation.");
}

Error partial_overlap_error() {
    return runtime_error(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
        "location. Please clone() the tensor before performing the operation.");
}

Result<void> refuse_overlap(const Variable& target, const Args& args, const Overload& overload) {
    if ((overload.traits & kAllowsExpandedSelf) == 0 && has_internal_overlap(target.tensor))
        return internal_overlap_error();
    for (int i = 1; i < args.count(); ++i) {
        if (!args[i].is_tensor() || !target.tensor.has_data()) continue;
        // What writes to parts reads a 0-dim value before it writes.
        if ((overload.traits & (kAllowsExpandedSelf | kUpdates)) != 0 && args.tensor(i).rank() == 0) continue;
        if (overlap_of(target.tensor, args.tensor(i)) == Overlap::partial) return partial_overlap_error();
    }
    return {};
}

}  // namespace maskscope::ops
