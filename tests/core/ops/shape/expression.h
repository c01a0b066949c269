// SPDX-License-Identifier: Apache-2.0
// Calls written as in Python, for tables of what PyTorch makes of them: "x.t().view(3, 1, 2)", "torch.cat([x, y],
// dim=1)", "F.pad(x, (1, -1))". Numbers, strings, lists, tuples, names, calls and attributes; no operators and no
// subscripts.
#pragma once

#include "core/ops/dispatch/run.h"

#include <map>
#include <string>
#include <string_view>

namespace maskscope::ops {

using Names = std::map<std::string, Value, std::less<>>;

Result<Value> evaluate(std::string_view expression, const Names& names, Run& run);

}  // namespace maskscope::ops
