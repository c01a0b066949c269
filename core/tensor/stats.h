// SPDX-License-Identifier: Apache-2.0
// What a tensor holds, in numbers: exact, in one pass over its bytes.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/jobs/parallel.h"
#include "core/tensor/tensor.h"

#include <cstdint>

namespace maskscope {

struct TensorStats {
    std::int64_t count = 0;
    std::int64_t nan = 0;
    std::int64_t posinf = 0;
    std::int64_t neginf = 0;
    std::int64_t zero = 0;    // of either sign; False in a bool tensor
    std::int64_t finite = 0;  // count without NaN and the infinities
    // Over finite values, in the tensor's own kind of number; meaningless when finite is 0.
    Scalar min = 0.0;
    Scalar max = 0.0;
    double mean = 0;  // in f64; the share of True of a bool tensor
};

// The same numbers for any number of threads. Advances the progress by one for each element of the shape.
// Error: cancelled, or changed on disk.
Result<TensorStats> compute_stats(const Tensor& tensor, const JobContext& context, Lane lane = Lane::background);

}  // namespace maskscope
