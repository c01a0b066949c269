// SPDX-License-Identifier: Apache-2.0
// Methods of str, list, tuple, dict and set.
#pragma once

#include "core/script/language/object.h"

#include <string>
#include <vector>

namespace maskscope::script {

// "%d of %s" % (1, "x")
Result<Value> percent_format(Interpreter& interpreter, const std::string& pattern, const Value& operand);

// The bound method, or null when the type has none of that name.
Value str_method(const std::string& self, const std::string& name);
Value list_method(const std::shared_ptr<ops::List>& self, const std::string& name);
Value tuple_method(const std::shared_ptr<const ops::Tuple>& self, const std::string& name);
Value dict_method(const std::shared_ptr<ops::Dict>& self, const std::string& name);
Value set_method(const Value& self, const std::string& name);

// A container inside itself could never be freed: refused.
Result<void> refuse_cycle(const Value& container, const Value& item);

}  // namespace maskscope::script
