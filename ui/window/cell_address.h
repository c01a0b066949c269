// SPDX-License-Identifier: GPL-3.0-or-later
// Coordinates as people type them: "[0, 3, 14, 13]", "14, 13" (row and column of the slice shown), "weights[0, 3]",
// "query 14 key 13".
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::ui {

// What the coordinate is relative to.
struct AddressContext {
    std::string name;  // of the tensor; may stand before the bracket
    Shape shape;
    std::vector<std::string> dims;    // names, may be fewer than the rank
    std::vector<std::int64_t> index;  // where the view is; one per dim
    int row_dim = 0;
    int col_dim = 1;
};

// The full index. Negative numbers count from the end, as in Python. Error: what is wrong, with the range allowed.
Result<std::vector<std::int64_t>> cell_address(std::string_view text, const AddressContext& context);

// Whether the text is meant as a coordinate at all, rather than as words.
bool looks_like_address(std::string_view text);

}  // namespace maskscope::ui
