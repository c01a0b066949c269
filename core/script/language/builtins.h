// SPDX-License-Identifier: Apache-2.0
// len, range, print and the others; the types; the exceptions.
#pragma once

#include "core/script/language/object.h"

#include <string>

namespace maskscope::script {

// Null when Python has no such builtin, or the language not.
const Value* find_builtin(const std::string& name);

// What each file of builtins adds.
using BuiltinMap = std::unordered_map<std::string, Value>;
void add_sequence_builtins(BuiltinMap& map);
void add_number_builtins(BuiltinMap& map);
void add_object_builtins(BuiltinMap& map);
void add_type_builtins(BuiltinMap& map);

// Argument i, or named so; null when missing.
const Value* argument(const Arguments& arguments, std::size_t i, std::string_view name);
// Python's words for a wrong number of positional arguments ("f expected at most 2 arguments, got 3").
Result<void> expect_arguments(const Arguments& arguments, const char* name, std::size_t least, std::size_t most);

}  // namespace maskscope::script
