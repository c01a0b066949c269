// SPDX-License-Identifier: GPL-3.0-or-later
// The mask of attention being edited, made to what a pattern says: one step each, by the mask's own convention.
#pragma once

namespace maskscope::ui {

class Session;

// Query i sees the keys up to i; with more keys than queries both end together, as cached steps have it.
void makeCausal(Session& session);
// Causal, and no more than `size` keys back, the query's own among them.
void makeWindow(Session& session, int size);

}  // namespace maskscope::ui
