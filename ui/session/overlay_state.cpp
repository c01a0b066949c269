// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/overlay_state.h"

namespace maskscope::ui {

const char* nameOf(Tool tool) {
    switch (tool) {
        case Tool::pan:
            return "pan";
        case Tool::brush:
            return "brush";
        case Tool::eraser:
            return "eraser";
        case Tool::line:
            return "line";
        case Tool::rectangle:
            return "rectangle";
        case Tool::ellipse:
            return "ellipse";
        case Tool::polygon:
            return "polygon";
        case Tool::lasso:
            return "lasso";
        case Tool::fill:
            return "fill";
        case Tool::wand:
            return "wand";
        case Tool::grab_cut:
            return "grab_cut";
        case Tool::pick:
            return "pick";
        case Tool::cells:
            return "cells";
        case Tool::rows:
            return "rows";
        case Tool::columns:
            return "columns";
        case Tool::band:
            return "band";
    }
    return "";
}

}  // namespace maskscope::ui
