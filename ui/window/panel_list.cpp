// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panel_list.h"

#include "ui/panels/history/history_panel.h"
#include "ui/panels/inspector/inspector_panel.h"
#include "ui/panels/labels/labels_panel.h"
#include "ui/panels/workspace/workspace_panel.h"

#include <QCoreApplication>

namespace maskscope::ui {

const std::vector<PanelSpec>& panelList() {
    static const std::vector<PanelSpec> panels = {
        {"workspace", QT_TRANSLATE_NOOP("panels", "Workspace"), Qt::LeftDockWidgetArea, 248, false,
         [](Session& session, Style& style) { return new WorkspacePanel(session, style); }},
        {"history", QT_TRANSLATE_NOOP("panels", "History"), Qt::LeftDockWidgetArea, 248, true,
         [](Session& session, Style& style) { return new HistoryPanel(session, style); }},
        {"inspector", QT_TRANSLATE_NOOP("panels", "Inspector"), Qt::RightDockWidgetArea, 304, false,
         [](Session& session, Style& style) { return new InspectorPanel(session, style); }},
        {"labels", QT_TRANSLATE_NOOP("panels", "Labels"), Qt::BottomDockWidgetArea, 200, true,
         [](Session& session, Style& style) { return new LabelsPanel(session, style); }},
    };
    return panels;
}

}  // namespace maskscope::ui
