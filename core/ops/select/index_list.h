// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/run.h"

namespace maskscope::ops {

// A nested list or tuple of numbers and tensors as the tensor that indexes: bool when all are, else int64 (fractions
// are dropped).
Result<VariablePtr> tensor_of_list(const Value& list, Run& run);

}  // namespace maskscope::ops
