// SPDX-License-Identifier: Apache-2.0
// What losses over classes refuse, in PyTorch's words and order.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/tensor/tensor.h"

#include <string_view>

namespace maskscope::ops {

// weight may be null. `from_logits`: log_softmax comes first.
Result<void> check_class_loss(const Tensor& input, const Tensor& target, const Tensor* weight, bool from_logits);
Result<void> check_class_weight(const Tensor* weight, std::int64_t classes, std::string_view prefix);

}  // namespace maskscope::ops
