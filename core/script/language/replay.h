// SPDX-License-Identifier: Apache-2.0
// Makes again what a trace could not keep.
#pragma once

#include "core/base/result.h"
#include "core/script/language/evaluate.h"

namespace maskscope::script {

// The output of a step as it was right after it, also when a later step has overwritten it: the script runs again up to
// there. `step` and `output` are the indices in the trace of the same script, inputs and options. Errors: those of the
// script; or the step is not reached, which inputs that have changed explain.
Result<Tensor> replay(const std::shared_ptr<const Module>& module, const std::vector<Input>& inputs,
                      const Options& options, int step, int output);

}  // namespace maskscope::script
