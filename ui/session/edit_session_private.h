// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind EditSession, shared by its source files.
#pragma once

#include "ui/session/edit_session.h"

#include <QTimer>

#include <map>
#include <set>
#include <utility>

namespace maskscope::ui {

struct EditSession::Private {
    struct Stroke {
        EditTarget target;
        mask::PaintRule rule;
    };
    using PlaneId = std::pair<EntryId, std::int64_t>;

    std::optional<Stroke> stroke;
    QTimer report;  // while a stroke is under way: tells the journal how far it is
    QTimer told;    // after a step: other views of the masks are made anew when the hand rests
    QTimer trouble_watch;
    std::set<EntryId> edited;                    // since `told`
    std::set<EntryId> ahead;                     // of the document's tensor
    std::map<PlaneId, std::uint64_t> revisions;  // counts changes, so that late results are known as such
    std::set<EntryId> journalled;                // what they were stands in the journal
    QString folder;
    QString trouble;
    int untitled = 0;
    std::optional<document::SavedSession> restoring;  // its files are on their way
};

}  // namespace maskscope::ui
