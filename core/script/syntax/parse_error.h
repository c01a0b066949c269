// SPDX-License-Identifier: Apache-2.0
// Errors of reading a script. Python's own words stay as they are in every language of the window.
#pragma once

#include "core/base/error.h"
#include "core/script/syntax/source.h"

#include <fmt/core.h>

#include <string>
#include <utility>

namespace maskscope::script {

inline Error placed(Error error, Span span, int line) {
    error.where.line = line;
    error.where.span = {static_cast<int>(span.begin), static_cast<int>(span.end)};
    return error;
}

// `words` are CPython's.
inline Error python_error(const char* type, Span span, int line, std::string words) {
    Error error;
    error.type = type;
    error.message.pattern = std::move(words);
    error.message.verbatim = true;
    return placed(std::move(error), span, line);
}

inline Error syntax_error(Span span, int line, std::string words) {
    return python_error("SyntaxError", span, line, std::move(words));
}

// What Python has and the mask script leaves out.
inline Error not_in_script(Span span, int line, const std::string& what) {
    Error error = input_error(MS_TEXT("{} is not part of the mask script"), what);
    error.type = "SyntaxError";
    return placed(std::move(error), span, line);
}

}  // namespace maskscope::script
