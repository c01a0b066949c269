// SPDX-License-Identifier: GPL-3.0-or-later
// A tree whose rows are drawn by their delegate alone: no branches, no selection behind the row.
#pragma once

#include <QTreeView>

namespace maskscope::ui {

class WorkspaceTree : public QTreeView {
    Q_OBJECT
public:
    explicit WorkspaceTree(QWidget* parent);

protected:
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace maskscope::ui
