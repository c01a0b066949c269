// SPDX-License-Identifier: Apache-2.0
// Imports bind names and load nothing.
#pragma once

#include "core/base/result.h"
#include "core/script/syntax/ast.h"

namespace maskscope::script {

class Interpreter;

Result<void> import_module(Interpreter& interpreter, const ImportName& name);
Result<void> import_from(Interpreter& interpreter, const ImportFrom& statement);

}  // namespace maskscope::script
