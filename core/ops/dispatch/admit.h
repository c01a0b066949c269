// SPDX-License-Identifier: Apache-2.0
// Which values a parameter takes, and what they become.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/schema.h"

namespace maskscope::ops {

// Does torch's parser take the value for the parameter? (Before any conversion; only the first element of a list is
// looked at, as there.)
bool admits(const Parameter& parameter, const Value& value);
// The value in the parameter's own type: 0-dim tensors become numbers, an int a list of one. `call` is "view", for
// errors.
Result<Value> admitted(const Parameter& parameter, const Value& value, const std::string& call, std::size_t place);
// How torch's parser names the type of a value: "Tensor", "int", "torch.dtype", "NoneType".
std::string shown_type(const Value& value);
// The same with the element types: "list of [int, float]", "tuple of (int,)".
std::string shown_type_in_full(const Value& value);

}  // namespace maskscope::ops
