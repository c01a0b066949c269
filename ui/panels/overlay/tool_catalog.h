// SPDX-License-Identifier: GPL-3.0-or-later
// The tools as people see them: icon, name, key. The tool column, the options and the menu read this one list.
#pragma once

#include "ui/session/overlay_state.h"

#include <QString>

#include <vector>

namespace maskscope::ui {

struct ToolInfo {
    Tool tool;
    const char* icon;
    const char* title;  // translated in context "tools"
    const char* key;    // "" where it has none
    const char* hint;   // what the hand does with it, one line
    bool attention;     // for masks of attention, by cells
};

const std::vector<ToolInfo>& toolCatalog();
const ToolInfo& infoOf(Tool tool);
QString titleOf(const ToolInfo& tool);
QString hintOf(const ToolInfo& tool);
// "Brush (B)"
QString titleWithKey(const ToolInfo& tool);

}  // namespace maskscope::ui
