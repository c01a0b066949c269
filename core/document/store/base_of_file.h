// SPDX-License-Identifier: Apache-2.0
// A journal that was cut short may lack tiles that no step has touched: the mask's own file still has them.
#pragma once

#include "core/document/session_store.h"
#include "core/document/store/state.h"

#include <vector>

namespace maskscope::document::store {

// The plane as the file has it; an error when the file is not the one of the stamp.
Result<mask::Plane> base_of_file(const StoredMask& mask, std::int64_t number, const std::vector<FileStamp>& files);

// "coins.png has changed since: 1 mask of it was kept", for each file that is not what it was.
std::vector<std::string> changed_files(const SavedSession& session);

}  // namespace maskscope::document::store
