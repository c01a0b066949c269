// SPDX-License-Identifier: Apache-2.0
// torch.add(a, b, out=c): what is refused before, and how the result gets there after.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/args.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/variable.h"

namespace maskscope::ops {

class Run;

// What was given as `out`: None, a tensor, or one for each result.
Value out_argument(const Args& args, const Overload& overload);
// Gradients do not flow through `out`, and it may not overlap itself or a part of an input.
Result<void> refuse_out(const Value& out, const Args& args, const Overload& overload, bool grad_enabled);
// out[...] = computed, tensor by tensor; gives what the call gives. A tensor of another shape takes the result's, as
// PyTorch still does with a warning: here it is a note of the step.
Result<Value> write_out(const Value& out, const Value& computed, const Args& args, const Overload& overload, Run& run);

}  // namespace maskscope::ops
