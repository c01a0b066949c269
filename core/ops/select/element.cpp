// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/element.h"

namespace maskscope::ops {

Result<Element> held_element(const Value& number, DType dtype) {
    MS_CHECK(refuse_overflow(number, dtype));
    return element_of(number, dtype);
}

Result<Element> held_element(const Tensor& tensor, DType dtype) {
    MS_TRY(number, number_in(tensor));
    return held_element(number, dtype);
}

}  // namespace maskscope::ops
