// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/dispatch/run.h"

namespace maskscope::ops {

// Turns the sums of a scatter into means: each place by the number of elements that went there (and one for its own
// value where that counts). Integers round down.
Result<void> divide_by_counts(Tensor& self, const Tensor& index, int dim, bool include_self, Run& run);

}  // namespace maskscope::ops
