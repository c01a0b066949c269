// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ops/dispatch/op_spec.h"

namespace maskscope::ops {

// Every op of Maskscope. Made at the first call.
const OpTable& op_table();

}  // namespace maskscope::ops
