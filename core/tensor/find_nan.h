// SPDX-License-Identifier: Apache-2.0
// The first NaN of a tensor: where a person who opens a broken dump wants to land.
#pragma once

#include "core/jobs/job_context.h"
#include "core/tensor/tensor.h"

#include <optional>
#include <vector>

namespace maskscope {

// Its index in row-major order; nullopt when there is none or the context was cancelled. Reads until it finds one.
std::optional<std::vector<std::int64_t>> find_first_nan(const Tensor& tensor, const JobContext& context);

}  // namespace maskscope
