// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/dispatch/torch_error.h"

#include <algorithm>

namespace maskscope::ops {

// The dim as >= 0; a 0-dim tensor counts as one of one dim.
inline Result<int> wrapped_dim(int rank, std::int64_t dim) {
    const int size = std::max(rank, 1);
    if (dim < -size || dim >= size) return dimension_out_of_range(rank, dim);
    return static_cast<int>(dim < 0 ? dim + size : dim);
}

}  // namespace maskscope::ops
