// SPDX-License-Identifier: GPL-3.0-or-later
// The panels that stand around the documents. A new panel is one row here.
#pragma once

#include <Qt>
#include <QtGlobal>

#include <functional>
#include <vector>

class QString;
class QWidget;

namespace maskscope::ui {

class Session;
class Style;

struct PanelSpec {
    const char* id;     // of the dock, for the saved state
    const char* title;  // in the View menu
    Qt::DockWidgetArea area;
    int size;          // width, or height of one at the bottom, at 100 %
    bool images_only;  // shown while an image is
    std::function<QWidget*(Session&, Style&)> factory;
};

const std::vector<PanelSpec>& panelList();

}  // namespace maskscope::ui
