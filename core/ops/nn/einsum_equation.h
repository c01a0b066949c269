// SPDX-License-Identifier: Apache-2.0
// The text of an einsum: "bqd,bkd->bqk", "...ij,...jk", "ii->i".
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace maskscope::ops {

// Letters count from 0 ('A'..'Z', then 'a'..'z': the order in which an implied output names them).
inline constexpr int kLetters = 52;
inline constexpr int kEllipsis = kLetters;
char letter_of(int subscript);

struct Equation {
    std::vector<std::vector<int>> operands;  // subscripts, kEllipsis where "..." stands
    std::vector<int> output;
};
// With the output implied where there is none: the ellipsis, then each letter that stands once.
Result<Equation> parse_equation(std::string_view text, std::size_t operand_count);

// Which dims of an operand stand for which label: letters that are in the equation, in the order output first, and the
// dims that the ellipsis covers.
struct Labels {
    int count = 0;                           // of all, the output's first
    int output_count = 0;                    // dims of the result
    std::vector<std::vector<int>> operands;  // label of each dim
};
// Checks the sizes: equal or 1 under one label.
Result<Labels> label_dims(const Equation& equation, const std::vector<Shape>& shapes);

}  // namespace maskscope::ops
