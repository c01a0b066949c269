// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"

namespace maskscope::script {

// repr(float): the shortest digits that read back the same, "1e-05", "1e+16", "inf".
std::string float_repr(double value);
// format(value, spec) for float and int, by Python's format mini-language.
Result<std::string> format_float(double value, const std::string& spec);
Result<std::string> format_int(std::int64_t value, const std::string& spec);
Result<std::string> format_str(const std::string& value, const std::string& spec);

// A number as Python's int() and float() read it from a string; nullopt when they would not.
std::optional<double> float_from(const std::string& text);
std::optional<std::int64_t> int_from(const std::string& text, int base);

}  // namespace maskscope::script
