// SPDX-License-Identifier: Apache-2.0
#include "core/script/language/replay.h"

namespace maskscope::script {

Result<Tensor> replay(const std::shared_ptr<const Module>& module, const std::vector<Input>& inputs,
                      const Options& options, int step, int output) {
    Options again = options;
    again.time = false;
    again.trace = true;
    again.only_step = step;
    const Evaluation evaluation = evaluate(module, inputs, again);
    const auto at = static_cast<std::size_t>(step);
    if (step >= 0 && at < evaluation.trace.steps.size()) {
        const auto& outputs = evaluation.trace.steps[at].outputs;
        const auto index = static_cast<std::size_t>(output);
        if (output >= 0 && index < outputs.size() && outputs[index].tensor.defined()) return outputs[index].tensor;
        return usage_error(MS_TEXT("step {} has no output {}"), step, output);
    }
    if (evaluation.error) return *evaluation.error;
    return usage_error(MS_TEXT("the script has {} steps now, there is no step {}: its inputs may have changed"),
                       evaluation.trace.steps.size(), step);
}

}  // namespace maskscope::script
