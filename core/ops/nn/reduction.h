// SPDX-License-Identifier: Apache-2.0
// The `reduction` argument of losses.
#pragma once

#include "core/ops/dispatch/run.h"

#include <cstdint>
#include <string>

namespace maskscope::ops {

enum class Reduction : std::uint8_t { none, mean, sum, batch_mean };

// Of the arguments size_average, reduce and reduction at those places; the first two are deprecated and noted, a place
// of -1 means that the function does not have them. "batchmean" is for kl_div alone.
struct ReductionPlaces {
    int size_average = -1;
    int reduce = -1;
    int reduction = -1;
};
Result<Reduction> reduction_of(const Args& args, const ReductionPlaces& places, Run& run,
                               bool admits_batch_mean = false);

Result<Value> reduced(const VariablePtr& losses, Reduction reduction, Run& run);

// "torch.Size([2, 3])".
std::string size_text(const Shape& shape);

}  // namespace maskscope::ops
