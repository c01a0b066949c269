// SPDX-License-Identifier: Apache-2.0
#include "core/ops/dispatch/generator.h"

namespace maskscope::ops {

void Generator::manual_seed(std::uint64_t seed) {
    seed_ = seed;
    // The engine takes the low half only, as torch's does.
    engine_.seed(static_cast<std::uint32_t>(seed));
    next_normal.reset();
}

}  // namespace maskscope::ops
