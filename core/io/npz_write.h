// SPDX-License-Identifier: Apache-2.0
// Writing NumPy archives: stored members whose data begin at multiples of 64, so that they are mapped when read back.
#pragma once

#include "core/io/format.h"

namespace maskscope::io {

// Keys become NAME.npy; an empty key is arr_0, as NumPy names what has no name. An .npz has no place for metadata.
Result<void> write_npz(const std::string& path, std::span<const NamedTensor> tensors,
                       const std::map<std::string, std::string>& metadata);

}  // namespace maskscope::io
