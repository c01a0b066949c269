// SPDX-License-Identifier: Apache-2.0
// From the arguments as written to the overload that torch chooses and its arguments in order. Wrong ones are refused
// in the words of torch's argument parser, or in Python's for functions that torch defines in Python.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/ops/dispatch/run.h"

#include <span>

namespace maskscope::ops {

struct Bound {
    const Overload* overload = nullptr;
    Args args;
};

// For methods, in-place forms and properties positional[0] is the tensor. Form::internal may use every overload.
Result<Bound> bind(const OpSpec& spec, Form form, std::span<const Value> positional, std::span<const Named> named);

}  // namespace maskscope::ops
