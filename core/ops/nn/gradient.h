// SPDX-License-Identifier: Apache-2.0
// Ops with a kernel of their own take it only where no gradient is wanted; else they are built of ops that have one.
#pragma once

#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/variable.h"

#include <initializer_list>

namespace maskscope::ops {

// None counts as needing nothing.
inline bool wants_gradient(const Run& run, std::initializer_list<Value> tensors) {
    if (!run.grad_enabled) return false;
    for (const auto& value : tensors) {
        if (value.is_tensor() && value.tensor()->requires_grad) return true;
    }
    return false;
}

}  // namespace maskscope::ops
