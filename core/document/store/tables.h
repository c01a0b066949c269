// SPDX-License-Identifier: Apache-2.0
// A State to and from the tables.
#pragma once

#include "core/document/store/database.h"
#include "core/document/store/state.h"

#include <cstddef>
#include <string>
#include <vector>

namespace maskscope::document::store {

// Writes what is marked in one transaction, and about `base_bytes` of the tiles that no step has touched. After a
// failure all marks stand as they did.
Result<void> write_marked(Database& database, State& state, std::size_t base_bytes);
// More of those tiles, by themselves: a mask of a gigabyte must not hold up a stroke.
Result<void> write_base(Database& database, State& state, std::size_t base_bytes);
bool base_pending(const State& state);

// Everything is checked against everything. Without `problems` the first fault is the answer; with it, what cannot be
// read is left out and told there.
Result<State> read_state(Database& database, std::vector<std::string>* problems);

}  // namespace maskscope::document::store
