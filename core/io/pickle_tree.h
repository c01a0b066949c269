// SPDX-License-Identifier: Apache-2.0
// Flattens the containers of a pickle into named leaves: {"model": {"w": x, "list": [y]}} gives "model.w" and
// "model.list[0]", as a person would write the way there.
#pragma once

#include "core/io/pickle.h"

#include <map>
#include <string>
#include <vector>

namespace maskscope::io::pickle {

struct TensorLeaf {
    std::string key;  // "" when the file holds one tensor and nothing around it; never twice the same
    std::uint32_t tensor = 0;
};
struct TextsLeaf {
    std::string key;
    std::vector<std::string> texts;
};

struct Leaves {
    std::vector<TensorLeaf> tensors;  // in the file's order
    std::vector<TextsLeaf> texts;     // lists of nothing but texts, such as token labels
    // Everything else, in Python's words: "step" -> "7". Lists of plain values are one entry.
    std::map<std::string, std::string> plain;
};

// Refuses nesting beyond limits.h (a container that holds itself has no end) and trees that repeat without measure.
Result<Leaves> flatten(const Pickle& pickle);

}  // namespace maskscope::io::pickle
