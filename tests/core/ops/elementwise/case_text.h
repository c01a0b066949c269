// SPDX-License-Identifier: Apache-2.0
// Reads the values of make_cases.py and compares results with its answers.
#pragma once

#include "core/ops/dispatch/run.h"

#include <sstream>
#include <string>

namespace maskscope::ops {

// The next value; nullopt at ";" and at the end.
std::optional<Value> read_value(std::istringstream& in, Run& run);
// Empty when the result is the answer, floating-point numbers within so many units in the last place; else what
// differs.
std::string difference(const Result<Value>& result, const std::string& answer, std::int64_t ulps);

}  // namespace maskscope::ops
