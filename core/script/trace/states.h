// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/jobs/job_context.h"
#include "core/script/trace/trace.h"
#include "core/tensor/tensor.h"

#include <optional>

namespace maskscope::script {

// What a step's output holds; nothing when the count was cancelled.
std::optional<States> count_states(const Tensor& tensor, const JobContext& context);

}  // namespace maskscope::script
