// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers between starts. MASKSCOPE_CONFIG_DIR moves it to another folder.
#pragma once

#include "core/render/look/theme.h"

#include <QByteArray>
#include <QStringList>

namespace maskscope::ui {

struct WindowSettings {
    render::ThemeId theme = render::ThemeId::light;
    int interface_size = 100;
    QByteArray geometry;
    QByteArray docks;
    QStringList recent_files;

    static WindowSettings load();
    void save() const;
};

// Where settings live and under which name; call once, before the first load.
void prepareSettings();

}  // namespace maskscope::ui
