// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tensor/tensor.h"

#include <cassert>
#include <utility>

namespace maskscope::ops {

// The tensor's elements in another shape and with other strides, from its first element on; the caller has made sure
// that they reach nothing else. (Views of an empty tensor may start anywhere; here they start at the beginning.)
inline Tensor seen_as(const Tensor& tensor, const Shape& shape, const Strides& strides) {
    const bool is_empty = element_count(shape).value_or(0) == 0;
    auto seen = Tensor::view_of(tensor.storage(), tensor.dtype(), shape, strides, is_empty ? 0 : tensor.offset());
    assert(seen.ok());
    return seen ? std::move(*seen) : Tensor();
}

}  // namespace maskscope::ops
