// SPDX-License-Identifier: GPL-3.0-or-later
// Opens what people hand over: tensors, images and masks, and sessions.
#pragma once

#include "ui/session/session.h"

#include <QStringList>

#include <functional>

namespace maskscope::ui {

inline constexpr const char* kSessionExtension = ".msk";

// Images come to the front of the masks that lie over them. A file with unsaved edits is shown, not read anew.
void openPaths(Session& session, const QStringList& paths, const std::function<void(const Failure&)>& failed);

// Once the files on their way are open, the first image among `paths` is shown; of all that is open where there are
// none.
void imageToFront(Session& session, const QStringList& paths);

}  // namespace maskscope::ui
