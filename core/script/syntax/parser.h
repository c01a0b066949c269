// SPDX-License-Identifier: Apache-2.0
// Reads a mask script: the subset of Python 3 that masks are written in.
#pragma once

#include "core/base/result.h"
#include "core/script/syntax/ast.h"

#include <memory>
#include <string>

namespace maskscope::script {

inline constexpr std::size_t kLongestScript = std::size_t{1} << 20U;  // bytes

// The module, or the first error: of type SyntaxError, IndentationError or TabError, in CPython 3.12's words where it
// has them, with where.line and where.span (bytes of the text). Pasted prompts (">>> ") and a text that is indented
// as a whole are read as if they were not there; spans stay those of the given text.
// Takes time proportional to the text and a bounded stack, whatever the bytes are.
Result<std::shared_ptr<const Module>> parse(std::string text);

}  // namespace maskscope::script
