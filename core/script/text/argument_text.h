// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/dispatch/value.h"

#include <string>

namespace maskscope::script {

// An argument of an op as a step shows it: "-inf", "[1, 2]", "torch.float32", "'mean'", "[:, None]".
std::string argument_text(const ops::Value& value);

}  // namespace maskscope::script
