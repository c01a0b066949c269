// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/tensor/dims.h"

#include <string>

namespace maskscope::cli {

// "2,3", "[2, 3]", "(2,)", "2x3", "torch.Size([2, 3])"; "()" and "[]" have no dims.
Result<Shape> shape_from(const std::string& text);

}  // namespace maskscope::cli
