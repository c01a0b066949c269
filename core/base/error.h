// SPDX-License-Identifier: Apache-2.0
// What went wrong, as a value: what, where, what to do.
#pragma once

#include "core/base/message.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace maskscope {

// Decides the exit code of the command line and the tone of the window.
enum class ErrorKind {
    usage,        // the caller asked in the wrong way
    input,        // the file or script is at fault
    unavailable,  // what was asked for is not to be had on this machine
    cancelled,    // the user stopped it; not a failure
};

struct Where {
    std::string file;
    std::optional<std::uint64_t> offset;  // byte in the file
    std::optional<int> line;              // 1-based, scripts and text files
    std::optional<std::array<int, 2>> span;
};

struct Error {
    ErrorKind kind = ErrorKind::input;
    std::string type = "ValueError";  // Python's exception type where there is one
    Message message;
    Where where;
    Message hint;  // what to do; may be empty

    // One line: the message, then file and offset where they are known.
    std::string text() const;

    Error in_file(std::string path) &&;
    Error at(std::uint64_t offset) &&;
    Error at_line(int line) &&;
    template <class... Args>
    Error with_hint(std::string pattern, const Args&... args) && {
        hint = maskscope::message(std::move(pattern), args...);
        return std::move(*this);
    }
};

template <class... Args>
Error make_error(ErrorKind kind, std::string pattern, const Args&... args) {
    Error error;
    error.kind = kind;
    error.message = message(std::move(pattern), args...);
    return error;
}

template <class... Args>
Error input_error(std::string pattern, const Args&... args) {
    return make_error(ErrorKind::input, std::move(pattern), args...);
}

template <class... Args>
Error usage_error(std::string pattern, const Args&... args) {
    return make_error(ErrorKind::usage, std::move(pattern), args...);
}

Error cancelled_error();
// "Cannot open: No such file or directory", from errno.
Error system_error(const char* doing, int errno_value);

}  // namespace maskscope
