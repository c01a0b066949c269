// SPDX-License-Identifier: Apache-2.0
// A trace for people.
#pragma once

#include "core/base/error.h"
#include "core/script/trace/trace.h"

#include <string>

namespace maskscope::cli {

// A table of the steps, with what was broadcast below each; in a narrow terminal a step takes two lines.
std::string trace_text(const script::Trace& trace, std::size_t width);

// "NAME:3: RuntimeError: ...", the line with the place marked, and the hint.
std::string script_error_text(const Error& error, const std::string& source, const std::string& name,
                              std::size_t width);

}  // namespace maskscope::cli
