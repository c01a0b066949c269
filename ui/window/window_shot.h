// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the whole window, taken when all it waits for is there.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace maskscope::ui {

class Session;

// Calls `done` once no file and no job is on its way and the window has been painted since; false after `timeout_ms`.
void whenSettled(Session& session, QWidget& window, int timeout_ms, const std::function<void(bool)>& done);
// Saves the window as PNG in device pixels.
bool saveWindow(QWidget& window, const QString& path);

}  // namespace maskscope::ui
