// SPDX-License-Identifier: Apache-2.0
// --device: where a command computes.
#pragma once

#include "core/base/result.h"

#include <string>

namespace maskscope::ops {
class Backend;
}

namespace maskscope::cli {

// Null is the CPU. "cuda" is refused where it is not to be had, with the reason.
Result<ops::Backend*> backend_for(const std::string& device);

}  // namespace maskscope::cli
