// SPDX-License-Identifier: Apache-2.0
// The elements of any tensor in row-major order, handed out in pieces: a view of a large file is saved without a
// second copy of it in memory.
#pragma once

#include "core/io/save.h"
#include "core/tensor/tensor.h"

namespace maskscope::io {

// Refuses a tensor whose file changed meanwhile.
Result<void> write_elements(const Tensor& tensor, Sink sink);

}  // namespace maskscope::io
