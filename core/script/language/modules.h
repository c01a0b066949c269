// SPDX-License-Identifier: Apache-2.0
// torch, torch.nn.functional, math and the few names of numpy: what stands behind a dot.
#pragma once

#include "core/script/language/object.h"

#include <string>

namespace maskscope::script {

// "torch.nn.functional", "math", "typing": modules that code on masks imports. Any other name is a module without
// attributes, which fails when it is used.
bool is_module(const std::string& dotted);
Value module_named(const std::string& dotted);
Result<Value> module_attribute(Interpreter& interpreter, const ModuleObject& module, const std::string& name);

// The names of torch and of math that are no ops; null when there is none.
const Value* find_torch_name(const std::string& name);
const Value* find_math_name(const std::string& name);

}  // namespace maskscope::script
