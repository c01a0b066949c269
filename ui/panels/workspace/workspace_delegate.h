// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the rows of the workspace: groups and folders 28 px high, entries 40.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QStyledItemDelegate>

namespace maskscope::ui {

class Thumbnails;
class WorkspaceModel;

class WorkspaceDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    WorkspaceDelegate(Session& session, Style& style, WorkspaceModel& model, Thumbnails& thumbnails, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintFolder(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintEntry(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintFileName(QPainter& painter, const QRect& room, const document::Entry& entry) const;
    QPixmap imageThumbnail(EntryId id, QSize size) const;
    void paintThumbnail(QPainter& painter, const QRect& box, const document::Entry& entry) const;
    // The left edges that the two lines of text must keep clear of.
    struct Badges {
        int name_right = 0;
        int facts_right = 0;
    };
    // Right-aligned at `right`: the role beside the name, how a mask is meant below it.
    Badges paintBadges(QPainter& painter, int right, const QRect& row, const document::Entry& entry) const;

    Session& session_;
    Style& style_;
    WorkspaceModel& model_;
    Thumbnails& thumbnails_;
};

// "f16 [2, 12, 24, 24]", or the number of labels.
QString entryFacts(const document::Entry& entry);

}  // namespace maskscope::ui
