// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/promotion.h"

#include <algorithm>
#include <optional>

namespace maskscope::ops {
namespace {

using Maybe = std::optional<DType>;

Maybe joined(Maybe a, Maybe b) {
    if (!a) return b;
    if (!b) return a;
    return promote_types(*a, *b);
}

// The higher category wins unless the lower one holds a higher kind of number.
Maybe prefer(Maybe higher, Maybe lower) {
    if (!higher) return lower;
    if (is_floating(*higher) || !lower) return higher;
    if (*higher == DType::boolean || is_floating(*lower)) return promote_types(*higher, *lower);
    return higher;
}

}  // namespace

DType promote_types(DType a, DType b) {
    if (a == b) return a;
    if (a == DType::boolean) return b;
    if (b == DType::boolean) return a;
    const bool float_a = is_floating(a);
    const bool float_b = is_floating(b);
    if (float_a != float_b) return float_a ? a : b;
    if (float_a) {
        // float16 and bfloat16 hold neither each other's range nor precision.
        if (size_of(a) == 2 && size_of(b) == 2) return DType::f32;
        return size_of(a) > size_of(b) ? a : b;
    }
    // uint8 does not fit int8: the next signed type holds both.
    if (size_of(a) == 1 && size_of(b) == 1) return DType::i16;
    return size_of(a) > size_of(b) ? a : b;
}

DType result_type(std::span<const Typed> operands, DType default_dtype) {
    Maybe dimensioned;
    Maybe zero_dim;
    Maybe number;
    for (const auto& operand : operands) {
        switch (operand.category) {
            case Category::dimensioned:
                dimensioned = joined(dimensioned, operand.dtype);
                break;
            case Category::zero_dim:
                zero_dim = joined(zero_dim, operand.dtype);
                break;
            case Category::python_number:
                number = joined(number, is_floating(operand.dtype) ? default_dtype : operand.dtype);
                break;
        }
    }
    return prefer(dimensioned, prefer(zero_dim, number)).value_or(default_dtype);
}

bool can_cast(DType from, DType to) {
    if (is_floating(from) && is_integer(to)) return false;
    return to != DType::boolean || from == DType::boolean;
}

}  // namespace maskscope::ops
