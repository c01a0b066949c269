// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/torch_error.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

constexpr const char* kNeedsData = "NeedsData";

// In the order of DType.
constexpr std::array<std::string_view, kDTypeCount> kScalarTypes = {
    "Bool",  "Byte",   "Char",   "Short",  "Int",    "Long",          "Half",       "BFloat16",
    "Float", "Double", "UInt16", "UInt32", "UInt64", "Float8_e4m3fn", "Float8_e5m2"};

}  // namespace

std::string_view scalar_type_name(DType dtype) {
    return kScalarTypes[static_cast<std::size_t>(dtype)];
}

Error not_implemented_for(std::string_view kernel, DType dtype) {
    return torch_error("NotImplementedError", "\"{}\" not implemented for '{}'", kernel, scalar_type_name(dtype));
}

Error dimension_out_of_range(int rank, std::int64_t dim) {
    const int size = std::max(rank, 1);
    return index_error("Dimension out of range (expected to be in range of [{}, {}], but got {})", -size, size - 1,
                       dim);
}

Error needs_data(std::string_view what) {
    Error error = make_error(ErrorKind::unavailable,
                             MS_TEXT("{} depends on values that a run of shapes alone does not have"), what);
    error.type = kNeedsData;
    return error;
}

bool is_needs_data(const Error& error) {
    return error.type == kNeedsData;
}

}  // namespace maskscope::ops
