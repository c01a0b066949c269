// SPDX-License-Identifier: Apache-2.0
// Writing .safetensors files that every reader of the format takes.
#pragma once

#include "core/io/format.h"

namespace maskscope::io {

// Wide elements come first, so that every tensor lies at a multiple of its element size; the order is kept among
// equals.
Result<void> write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                               const std::map<std::string, std::string>& metadata);

}  // namespace maskscope::io
