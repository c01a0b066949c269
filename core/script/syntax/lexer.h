// SPDX-License-Identifier: Apache-2.0
// Cuts a script's text into tokens as Python 3.12 does: indentation, brackets across lines, f-strings with code inside.
#pragma once

#include "core/base/error.h"
#include "core/script/syntax/ast.h"
#include "core/script/syntax/token.h"

#include <optional>
#include <string>
#include <vector>

namespace maskscope::script {

inline constexpr std::size_t kMostBrackets = 200;  // open at one place, as in CPython

struct TokenList {
    // The source with the prompts and the output of a pasted console session blanked out; as long as the source, so
    // that spans hold for both.
    std::string text;
    std::uint32_t prompt_width = 0;  // columns that a prompt takes on each line; 0 where there are none

    std::vector<Token> tokens;  // the last one is `end` or `error`
    std::vector<Comment> comments;
    std::optional<Error> error;  // of the `error` token

    std::string_view text_of(Span span) const {
        return std::string_view(text).substr(span.begin, span.end - span.begin);
    }
};

TokenList tokenize(const Source& source);

}  // namespace maskscope::script
