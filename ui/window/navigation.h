// SPDX-License-Identifier: GPL-3.0-or-later
// Moves through a tensor that menus, palette and keys share.
#pragma once

#include "core/render/pool/cell_state.h"
#include "ui/session/session.h"
#include "ui/window/cell_address.h"

#include <cstdint>
#include <vector>

namespace maskscope::ui {

// Of the view of an entry; nullopt when it has none.
std::optional<AddressContext> addressContext(const Session& session, EntryId id);
// Shows the slice that holds the cell and pins the cursor on it.
void goToIndex(Session& session, EntryId id, const std::vector<std::int64_t>& index);
// The dimensions on neither axis with more than one index, innermost first.
std::vector<int> steppedDims(const Session& session, EntryId id);
// Steps the n-th of them; stops at the ends.
void stepDim(Session& session, EntryId id, int which, std::int64_t steps);
void swapRowsAndColumns(Session& session, EntryId id);
// Moves the cursor to the next cell of a state after it, wrapping around. Works in the background; says nothing when
// the slice has none.
void goToNext(Session& session, EntryId id, render::CellState state);

}  // namespace maskscope::ui
