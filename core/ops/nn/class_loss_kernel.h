// SPDX-License-Identifier: Apache-2.0
// The loss of one class among several for every place of a target: nll_loss, and cross_entropy without the matrix of
// log-probabilities.
#pragma once

#include "core/ops/dispatch/op_spec.h"
#include "core/ops/nn/reduction.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::ops {

struct ClassLoss {
    Tensor input;                  // [N, C, ...]: logits or log-probabilities
    Tensor target;                 // [N, ...] of int64 or uint8
    std::optional<Tensor> weight;  // [C]
    Tensor out;                    // [N, ...], or one element after a reduction
    std::int64_t ignore_index = -100;
    double smoothing = 0;  // of logits
    bool from_logits = true;
    Reduction reduction = Reduction::mean;
};
// Ignored places are not read, so their NaN stays out; with nothing left the mean is NaN.
Result<void> run_class_loss(const ClassLoss& loss, Run& run);

// Every target is a class or the ignored one; IndexError otherwise.
Result<void> check_targets(const Tensor& target, std::int64_t classes, std::int64_t ignore_index);

}  // namespace maskscope::ops
