// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/overlay/tool_catalog.h"

#include <QCoreApplication>

#include <algorithm>

namespace maskscope::ui {

const std::vector<ToolInfo>& toolCatalog() {
    static const std::vector<ToolInfo> tools = {
        {Tool::pan, "hand", QT_TRANSLATE_NOOP("tools", "Look and move"), "H",
         QT_TRANSLATE_NOOP("tools", "Drag to move, wheel to zoom"), false},
        {Tool::brush, "brush", QT_TRANSLATE_NOOP("tools", "Brush"), "B",
         QT_TRANSLATE_NOOP("tools", "[ and ] change size, Alt erases"), false},
        {Tool::eraser, "eraser", QT_TRANSLATE_NOOP("tools", "Eraser"), "E",
         QT_TRANSLATE_NOOP("tools", "[ and ] change size"), false},
        {Tool::line, "line", QT_TRANSLATE_NOOP("tools", "Line"), "N",
         QT_TRANSLATE_NOOP("tools", "Drag from end to end, Alt erases"), false},
        {Tool::rectangle, "rectangle", QT_TRANSLATE_NOOP("tools", "Rectangle"), "R",
         QT_TRANSLATE_NOOP("tools", "Drag from corner to corner, Alt erases"), false},
        {Tool::ellipse, "ellipse", QT_TRANSLATE_NOOP("tools", "Ellipse"), "O",
         QT_TRANSLATE_NOOP("tools", "Drag from corner to corner, Alt erases"), false},
        {Tool::polygon, "poly", QT_TRANSLATE_NOOP("tools", "Polygon"), "P",
         QT_TRANSLATE_NOOP("tools", "Enter closes, Backspace takes a point back"), false},
        {Tool::lasso, "lasso", QT_TRANSLATE_NOOP("tools", "Lasso"), "L",
         QT_TRANSLATE_NOOP("tools", "Drag around the area, Alt erases"), false},
        {Tool::fill, "bucket", QT_TRANSLATE_NOOP("tools", "Fill"), "F",
         QT_TRANSLATE_NOOP("tools", "Click an area to fill it"), false},
        {Tool::wand, "wand", QT_TRANSLATE_NOOP("tools", "Wand"), "W",
         QT_TRANSLATE_NOOP("tools", "Click a colour to paint what is like it"), false},
        {Tool::grab_cut, "grabcut", QT_TRANSLATE_NOOP("tools", "GrabCut"), "G",
         QT_TRANSLATE_NOOP("tools", "Drag a box around an object: its outline is guessed"), false},
        {Tool::pick, "pick", QT_TRANSLATE_NOOP("tools", "Pick a label"), "I",
         QT_TRANSLATE_NOOP("tools", "Click a label to paint with it"), false},
        {Tool::cells, "cells", QT_TRANSLATE_NOOP("tools", "Cells"), "", QT_TRANSLATE_NOOP("tools", "Drag over cells"),
         true},
        {Tool::rows, "rows", QT_TRANSLATE_NOOP("tools", "Rows"), "",
         QT_TRANSLATE_NOOP("tools", "Drag over whole rows: queries"), true},
        {Tool::columns, "columns", QT_TRANSLATE_NOOP("tools", "Columns"), "",
         QT_TRANSLATE_NOOP("tools", "Drag over whole columns: keys"), true},
        {Tool::band, "band", QT_TRANSLATE_NOOP("tools", "Band"), "",
         QT_TRANSLATE_NOOP("tools", "Click to paint a band along the diagonal"), true},
    };
    return tools;
}

const ToolInfo& infoOf(Tool tool) {
    const auto& all = toolCatalog();
    const auto found = std::find_if(all.begin(), all.end(), [tool](const ToolInfo& one) { return one.tool == tool; });
    return found != all.end() ? *found : all.front();
}

QString titleOf(const ToolInfo& tool) {
    return QCoreApplication::translate("tools", tool.title);
}

QString hintOf(const ToolInfo& tool) {
    return QCoreApplication::translate("tools", tool.hint);
}

QString titleWithKey(const ToolInfo& tool) {
    const auto title = titleOf(tool);
    return *tool.key == '\0' ? title : QStringLiteral("%1 (%2)").arg(title, QLatin1String(tool.key));
}

}  // namespace maskscope::ui
