// SPDX-License-Identifier: Apache-2.0
// Values of a script as JSON and as text.
#pragma once

#include "app/cli/command.h"
#include "core/ops/dispatch/value.h"
#include "core/tensor/stats.h"

#include <string>

namespace maskscope::cli {

// {min, max, mean, nan, posinf, neginf, zero, true_fraction}; min, max, mean over finite values.
Json stats_json(const TensorStats& stats, DType dtype);
Json dims_json(const Dims& dims);

// {"shape", "dtype", "values", ...}: nested values up to 10,000 elements, beyond that null and "stats".
Json tensor_json(const Tensor& tensor, const JobContext& context);
// Python's values as JSON has them: tuples are arrays, dicts objects, dtypes "torch.float32".
Json value_json(const ops::Value& value, const JobContext& context);

// repr(value)
std::string repr_of(const ops::Value& value);
// Text of a script, line by line without what could steer the terminal.
std::string printable_lines(std::string_view text);

}  // namespace maskscope::cli
