// SPDX-License-Identifier: Apache-2.0
// Words and numbers of a script's parts.
#pragma once

#include "core/script/syntax/ast.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace maskscope::script {

// As CPython names it in "cannot assign to ...": "function call", "literal", "True".
const char* kind_in_words(const Expr& expr);

// Whether CPython takes `expr = ...` for a comparison with one = too few: what binds at least as tightly as |, and is
// no list, tuple, generator, True, False or None.
bool may_mean_equal(const Expr& expr);

// The value of an integer literal (decimal, 0x, 0o, 0b, underscores); empty when it takes more than 64 bits.
std::optional<std::uint64_t> integer_value(std::string_view literal);
// The value of a float literal, correctly rounded; beyond the range it is 0 or infinity as in Python.
double float_value(std::string_view literal);

// 2**63, which is a literal only behind a minus.
inline constexpr std::uint64_t kLowestInteger = std::uint64_t{1} << 63U;

}  // namespace maskscope::script
