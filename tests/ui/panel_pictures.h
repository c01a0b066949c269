// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of panels to look at, both themes and two interface sizes, when MASKSCOPE_KEEP names a folder.
#pragma once

#include "ui/kit/style.h"

#include <QCoreApplication>
#include <QDir>
#include <QWidget>

namespace maskscope::ui {

inline void keepPicture(QWidget& panel, Style& style, const QString& name) {
    const auto folder = qEnvironmentVariable("MASKSCOPE_KEEP");
    if (folder.isEmpty()) return;
    const auto size = panel.size();
    for (const int percent : {100, 150}) {
        for (const auto theme : {render::ThemeId::light, render::ThemeId::dark}) {
            style.setInterfaceSize(percent);
            style.setTheme(theme);
            panel.resize(size * percent / 100);
            QCoreApplication::processEvents();
            panel.grab().save(QDir(folder).filePath(
                QStringLiteral("%1_%2_%3.png")
                    .arg(name, theme == render::ThemeId::light ? QStringLiteral("light") : QStringLiteral("dark"))
                    .arg(percent)));
        }
    }
    style.setInterfaceSize(100);
    style.setTheme(render::ThemeId::light);
    panel.resize(size);
}

}  // namespace maskscope::ui
