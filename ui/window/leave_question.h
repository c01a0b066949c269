// SPDX-License-Identifier: GPL-3.0-or-later
// The one question before the window closes over edits that no file holds.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

class QWidget;

namespace maskscope::ui {

enum class Leave { save, discard, stay };

Leave askToLeave(Session& session, Style& style, QWidget* window);

}  // namespace maskscope::ui
