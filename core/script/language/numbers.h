// SPDX-License-Identifier: Apache-2.0
// Python's arithmetic on int, bool and float; ints have 64 bits and say so when that is not enough.
#pragma once

#include "core/base/result.h"
#include "core/script/language/object.h"

namespace maskscope::script {

// Both are numbers. TypeError for what Python refuses (1.5 << 2).
Result<Value> number_binary(BinaryOp op, const Value& left, const Value& right);
Result<Value> number_unary(UnaryOp op, const Value& operand);
// int(x) of a float: toward zero.
Result<Value> int_of(double value);
// round(x), half to even; and with digits.
Result<Value> round_number(const Value& value, std::optional<std::int64_t> digits);

}  // namespace maskscope::script
