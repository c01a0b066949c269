// SPDX-License-Identifier: Apache-2.0
#include "core/base/message.h"

#include <fmt/args.h>
#include <fmt/format.h>

namespace maskscope {

std::string Message::text() const {
    if (verbatim && args.empty()) return pattern;
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    for (const auto& arg : args) store.push_back(arg);
    try {
        return fmt::vformat(pattern, store);
    } catch (const fmt::format_error&) {
        // A pattern that does not fit its arguments is our slip; the user still sees the words.
        return pattern;
    }
}

}  // namespace maskscope
