// SPDX-License-Identifier: Apache-2.0
// A save writes a new file beside the old one, syncs it and renames it: a failed save leaves the old file whole.
#pragma once

#include "core/base/function_ref.h"
#include "core/base/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace maskscope::io {

// Takes bytes in order; returns an Error when the disk refuses them.
using Sink = FunctionRef<Result<void>(std::span<const std::byte>)>;

Result<void> save_atomically(const std::string& path, FunctionRef<Result<void>(Sink)> write);

}  // namespace maskscope::io
