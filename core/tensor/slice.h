// SPDX-License-Identifier: Apache-2.0
// Python's basic indexing as text: "[0, 2, :, -1, 1:3, ..., None]".
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <string_view>
#include <vector>

namespace maskscope {

struct SliceItem {
    enum class Kind { index, range, ellipsis, new_axis } kind = Kind::range;
    std::optional<std::int64_t> start;  // the index itself for Kind::index
    std::optional<std::int64_t> stop;
    std::int64_t step = 1;
};

// Takes the text with its brackets; "" and "[]" select everything.
Result<std::vector<SliceItem>> parse_slice(std::string_view text);
// Which dims of the input remain, in order, is told through `kept` when it is not null (-1 for a new axis).
// Errors in PyTorch's words ("index 5 is out of bounds for dimension 0 with size 3", IndexError).
Result<Tensor> apply_slice(const Tensor& tensor, const std::vector<SliceItem>& items, std::vector<int>* kept = nullptr);

}  // namespace maskscope
