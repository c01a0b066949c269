// SPDX-License-Identifier: GPL-3.0-or-later
// The layers over an image as the session file keeps them: masks by file and key, since ids are a run's own.
#pragma once

#include "ui/session/overlay_state.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace maskscope::ui {

using NameOfEntry = std::function<std::pair<std::string, std::string>(EntryId)>;
using EntryOfName = std::function<EntryId(const std::string& path, const std::string& key)>;

std::string wordsOf(const OverlayState& state, const NameOfEntry& name);
// Layers whose mask is not open are left out; nullopt when the words are none of ours.
std::optional<OverlayState> overlayOf(const std::string& words, const EntryOfName& entry);

}  // namespace maskscope::ui
