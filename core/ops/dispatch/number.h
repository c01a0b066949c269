// SPDX-License-Identifier: Apache-2.0
// Python numbers on their way into elements.
#pragma once

#include "core/base/result.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace maskscope::ops {

using Element = std::array<std::byte, 8>;

// The number is outside the dtype's range. Unsigned integers take the negatives of their range (-1 becomes the
// largest), infinities fit any floating dtype, and everything fits bool.
bool overflows(const Value& number, DType dtype);
// Nothing to refuse in what is no number. RuntimeError "value cannot be converted to type int8_t without overflow".
Result<void> refuse_overflow(const Value& number, DType dtype);
// "unsigned char", "c10::Half": the C++ type of an element, as many errors of torch name it.
std::string_view cpp_type_name(DType dtype);

// The number's bytes in that dtype, converted as .to() does.
Element element_of(const Value& number, DType dtype);
// The element as a Python number: bool, int or float. OverflowError for a uint64 beyond 63 bits, which ints of a script
// cannot hold.
Result<Value> number_at(const std::byte* element, DType dtype);
// A number as C++ prints it, which torch's errors do: six digits.
std::string short_number(double value);
// The only element of a tensor that has data, likewise.
Result<Value> number_in(const Tensor& tensor);
// The dtype of a tensor made of that number.
DType dtype_of_number(const Value& number, DType default_dtype);

}  // namespace maskscope::ops
