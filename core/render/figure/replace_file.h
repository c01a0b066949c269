// SPDX-License-Identifier: Apache-2.0
// Writing a picture so that a failure leaves the old one whole.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace maskscope::render {

// Writes a temporary file beside `path`, syncs it and renames it over `path`. An existing file keeps its permissions.
// Errors: no such directory, not writable, disk full; nothing is left behind.
Result<void> replace_file(const std::string& path, std::string_view bytes);

}  // namespace maskscope::render
