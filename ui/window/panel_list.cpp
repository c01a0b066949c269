// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_list.h"

#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/workspace/workspace_panel.h"

#include <QCoreApplication>

namespace maskscope::ui {

const std::vector<PanelSpec>& panelList() {
    static const std::vector<PanelSpec> panels = {
        {"workspace", QT_TRANSLATE_NOOP("panels", "Workspace"), Qt::LeftDockWidgetArea, 248,
         [](Session& session, Style& style) { return new WorkspacePanel(session, style); }},
        {"inspector", QT_TRANSLATE_NOOP("panels", "Inspector"), Qt::RightDockWidgetArea, 304,
         [](Session& session, Style& style) { return new InspectorPanel(session, style); }},
    };
    return panels;
}

}  // namespace maskscope::ui
