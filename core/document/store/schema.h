// SPDX-License-Identifier: Apache-2.0
// The tables of a session: the journal's and the .msk file's are the same.
#pragma once

#include "core/document/store/database.h"

#include <cstdint>
#include <string>

namespace maskscope::document::store {

inline constexpr std::int64_t kApplicationId = 0x4d736b53;  // "MskS" in the file's header
inline constexpr std::int64_t kSchemaVersion = 1;

Result<void> create_schema(Database& database);
// Ours, of a version that this Maskscope reads, with the tables that it should have and nothing else.
Result<void> check_schema(Database& database);
// The header of a .msk, before the library is let at it: cut off, not a session, too new.
Result<void> check_header(const std::string& path);
// Every row of the attached `source`, whose tables must be the same.
Result<void> copy_from_source(Database& database);

}  // namespace maskscope::document::store
