// SPDX-License-Identifier: GPL-3.0-or-later
// The context menus of the workspace: everything one can do with an entry or a file.
#pragma once

#include "ui/session/session.h"

#include <memory>

class QMenu;

namespace maskscope::ui {

std::unique_ptr<QMenu> menu_of_entry(Session& session, EntryId id);
std::unique_ptr<QMenu> menu_of_file(Session& session, const QString& path);
// "attn.npz::layer3", as the command line takes it.
QString address_of(const document::Entry& entry);

}  // namespace maskscope::ui
