// SPDX-License-Identifier: Apache-2.0
// The .msk file: one window has it at a time, and it is replaced whole or not at all.
#pragma once

#include "core/base/function_ref.h"
#include "core/document/store/file_lock.h"

#include <string>

namespace maskscope::document::store {

// "coins.msk is open in another window (process 1234). Close it there, or open a copy."
Result<FileLock> lock_msk(const std::string& path);

// `write` makes the new file under the name it is given, which stands there empty, beside the old one. `own`: the
// caller's lock on the old file, if it has it. The lock that comes back is on the new one.
Result<FileLock> replace_msk(const std::string& path, const FileLock* own,
                             FunctionRef<Result<void>(const std::string&)> write);

}  // namespace maskscope::document::store
