// SPDX-License-Identifier: Apache-2.0
// Errors in Python's own words.
#pragma once

#include "core/ops/dispatch/torch_error.h"

#include <string>

namespace maskscope::script {

using ops::index_error;
using ops::runtime_error;
using ops::type_error;
using ops::value_error;

template <class... Args>
Error name_error(std::string pattern, const Args&... args) {
    return ops::torch_error("NameError", std::move(pattern), args...);
}
template <class... Args>
Error attribute_error(std::string pattern, const Args&... args) {
    return ops::torch_error("AttributeError", std::move(pattern), args...);
}
template <class... Args>
Error key_error(std::string pattern, const Args&... args) {
    return ops::torch_error("KeyError", std::move(pattern), args...);
}
inline Error zero_division(const char* text) {
    return ops::torch_error("ZeroDivisionError", "{}", text);
}
// Python's ints have no end, ours have 64 bits.
inline Error too_large_an_int() {
    Error error = make_error(ErrorKind::input, MS_TEXT("an integer of the script is beyond 64 bits"));
    error.type = "OverflowError";
    return error;
}
// What the mask script leaves to a real Python.
template <class... Args>
Error not_in_the_language(std::string pattern, const Args&... args) {
    Error error = make_error(ErrorKind::input, std::move(pattern), args...);
    error.type = "NotImplementedError";
    return error;
}

}  // namespace maskscope::script
