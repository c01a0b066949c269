// SPDX-License-Identifier: Apache-2.0
// What PyTorch refuses before it writes into a tensor that is already there.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/args.h"
#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/variable.h"

namespace maskscope::ops {

// A leaf that requires grad, or a view of one.
Result<void> refuse_leaf(const Variable& target, bool grad_enabled);
// The result would be larger, or of a dtype that the target cannot take.
Result<void> refuse_result(const Variable& target, const OutSpec& out);
// Several elements of the target, or of the target and an input, are one place in memory.
Result<void> refuse_overlap(const Variable& target, const Args& args, const Overload& overload);

Error internal_overlap_error();
Error partial_overlap_error();

}  // namespace maskscope::ops
