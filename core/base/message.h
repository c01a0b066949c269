// SPDX-License-Identifier: Apache-2.0
// A sentence for the user, kept as pattern and arguments so that the command line can print it and the
// window can translate the pattern.
#pragma once

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

// Marks an English pattern for the translator. Patterns use fmt's placeholders: "{}" or "{0}".
#define MS_TEXT(pattern) pattern

namespace maskscope {

struct Message {
    std::string pattern;
    std::vector<std::string> args;
    bool verbatim = false;  // PyTorch's own words: never translated

    bool empty() const { return pattern.empty(); }
    // The English sentence.
    std::string text() const;
};

template <class... Args>
Message message(std::string pattern, const Args&... args) {
    return Message{std::move(pattern), {fmt::format("{}", args)...}, false};
}

}  // namespace maskscope
