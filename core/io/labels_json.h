// SPDX-License-Identifier: Apache-2.0
// JSON lists: of strings (labels) or of numbers nested as a tensor is.
#pragma once

#include "core/io/format.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace maskscope::io {

// Its shape is [labels], or [rows, longest row] where there are several rows.
Item label_item(std::string key, Labels labels);

// A list of strings is one row; a list of lists of strings has a row each, and these may differ in length.
Result<Labels> labels_from_json(std::string_view text, std::uint64_t offset);

// The same, or a tensor: bool when all are true or false, int64 when all are integers, else float64. Lists of one level
// must have one length. "nan", "inf", "-inf" and what Python writes (NaN, Infinity, -Infinity) are numbers.
Result<std::variant<Labels, Tensor>> list_from_json(std::string_view text, std::uint64_t offset);

}  // namespace maskscope::io
