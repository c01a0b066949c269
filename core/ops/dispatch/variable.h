// SPDX-License-Identifier: Apache-2.0
// What a script's name refers to: a tensor with an identity. Two names of one Variable see each other's changes; a view
// is a Variable of its own on the same Storage.
#pragma once

#include "core/tensor/tensor.h"

#include <cstdint>
#include <memory>

namespace maskscope::ops {

struct Variable {
    Tensor tensor;
    std::uint64_t id = 0;            // unique within a run
    std::shared_ptr<Variable> base;  // of a view: the Variable that owns the storage (never a view itself)
    bool made_in_no_grad = false;    // a view made while gradients were off
    bool requires_grad = false;
    bool is_leaf = true;
    // Belongs to core/autograd; nothing else looks inside.
    std::shared_ptr<void> autograd;
};
using VariablePtr = std::shared_ptr<Variable>;

}  // namespace maskscope::ops
