// SPDX-License-Identifier: Apache-2.0
// Journals without a window.
#pragma once

#include "core/document/session_store.h"

#include <string>
#include <vector>

namespace maskscope::document::store {

std::vector<LeftBehind> find_left_behind(const std::string& folder);
// Takes away those that hold nothing which a file does not have.
void remove_empty_journals(const std::string& folder);

}  // namespace maskscope::document::store
