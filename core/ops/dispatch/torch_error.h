// SPDX-License-Identifier: Apache-2.0
// Errors in PyTorch's own words: marked verbatim, with the type that Python would raise.
#pragma once

#include "core/base/error.h"
#include "core/tensor/dtype.h"

#include <string>
#include <string_view>

namespace maskscope::ops {

// `pattern` is fmt's: torch_error("IndexError", "index {} is out of bounds", 5).
template <class... Args>
Error torch_error(const char* type, std::string pattern, const Args&... args) {
    Error error = make_error(ErrorKind::input, std::move(pattern), args...);
    error.type = type;
    error.message.verbatim = true;
    return error;
}
template <class... Args>
Error runtime_error(std::string pattern, const Args&... args) {
    return torch_error("RuntimeError", std::move(pattern), args...);
}
template <class... Args>
Error type_error(std::string pattern, const Args&... args) {
    return torch_error("TypeError", std::move(pattern), args...);
}
template <class... Args>
Error index_error(std::string pattern, const Args&... args) {
    return torch_error("IndexError", std::move(pattern), args...);
}
template <class... Args>
Error value_error(std::string pattern, const Args&... args) {
    return torch_error("ValueError", std::move(pattern), args...);
}

// "Float", "Long", "Half": how C++ PyTorch spells dtypes in its errors.
std::string_view scalar_type_name(DType dtype);
// '"add_stub" not implemented for 'Bool'': NotImplementedError.
Error not_implemented_for(std::string_view kernel, DType dtype);
// "Dimension out of range (expected to be in range of [-2, 1], but got 2)", IndexError; a dim in range becomes >= 0.
// A rank of 0 counts as 1.
Error dimension_out_of_range(int rank, std::int64_t dim);

// Evaluation cannot go on because a tensor has a shape but no data (shapes-only runs). Not shown as a failure.
Error needs_data(std::string_view what);
bool is_needs_data(const Error& error);

}  // namespace maskscope::ops
