// SPDX-License-Identifier: Apache-2.0
// Python's set, in order of insertion.
#pragma once

#include "core/script/language/object.h"

namespace maskscope::script {

struct SetObject : ops::Object {
    std::string_view type_name() const override { return "set"; }
    Values items;  // no two equal
};

// Repeats are dropped; an unhashable item is refused in Python's words.
Result<Value> make_set(Interpreter& interpreter, Values items);
// Lists, dicts and sets cannot be keys.
Result<void> check_hashable(const Value& value);
Result<std::vector<Value>> default_values(Interpreter& interpreter, const std::vector<Parameter>& parameters);

}  // namespace maskscope::script
