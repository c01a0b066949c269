// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings.h"

#include <QCoreApplication>
#include <QSettings>

#include <algorithm>

namespace maskscope::ui {

void prepareSettings() {
    QCoreApplication::setOrganizationName(QStringLiteral("maskscope"));
    QCoreApplication::setApplicationName(QStringLiteral("maskscope"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    const QString folder = qEnvironmentVariable("MASKSCOPE_CONFIG_DIR");
    if (!folder.isEmpty()) QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder);
}

WindowSettings WindowSettings::load() {
    const QSettings stored;
    WindowSettings settings;
    if (stored.value(QStringLiteral("theme")).toString() == QLatin1String("dark")) {
        settings.theme = render::ThemeId::dark;
    }
    settings.interface_size = std::clamp(stored.value(QStringLiteral("interface_size"), 100).toInt(), 80, 250);
    settings.geometry = stored.value(QStringLiteral("geometry")).toByteArray();
    settings.docks = stored.value(QStringLiteral("docks")).toByteArray();
    settings.recent_files = stored.value(QStringLiteral("recent_files")).toStringList();
    return settings;
}

void WindowSettings::save() const {
    QSettings stored;
    stored.setValue(QStringLiteral("theme"),
                    theme == render::ThemeId::dark ? QStringLiteral("dark") : QStringLiteral("light"));
    stored.setValue(QStringLiteral("interface_size"), interface_size);
    stored.setValue(QStringLiteral("geometry"), geometry);
    stored.setValue(QStringLiteral("docks"), docks);
    stored.setValue(QStringLiteral("recent_files"), recent_files);
}

}  // namespace maskscope::ui
