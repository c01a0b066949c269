// SPDX-License-Identifier: Apache-2.0
// PyTorch's type promotion: tensors with dimensions decide before 0-dim tensors, and those before Python numbers; a
// lower category only matters when its kind of number (bool < integer < floating) is higher.
#pragma once

#include "core/tensor/dtype.h"

#include <initializer_list>
#include <span>

namespace maskscope::ops {

enum class Category : std::uint8_t { dimensioned, zero_dim, python_number };

struct Typed {
    DType dtype = DType::f32;
    Category category = Category::dimensioned;
};

// torch.promote_types.
DType promote_types(DType a, DType b);
// torch.result_type of any number of operands; a Python float counts as `default_dtype`, an int as i64, a bool as
// boolean.
DType result_type(std::span<const Typed> operands, DType default_dtype = DType::f32);
inline DType result_type(std::initializer_list<Typed> operands, DType default_dtype = DType::f32) {
    return result_type(std::span<const Typed>(operands.begin(), operands.size()), default_dtype);
}
// torch.can_cast: may a result of that dtype be stored in place? (floating into integer may not, integer into bool
// not.)
bool can_cast(DType from, DType to);

}  // namespace maskscope::ops
