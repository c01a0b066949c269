// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace/workspace_tree.h"

#include <QAbstractItemDelegate>
#include <QStyleOptionViewItem>

namespace maskscope::ui {

WorkspaceTree::WorkspaceTree(QWidget* parent) : QTreeView(parent) {
    setHeaderHidden(true);
    setIndentation(0);
    setRootIsDecorated(false);
    setExpandsOnDoubleClick(false);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setProperty("surface", "panel");
    setAccessibleName(tr("Workspace"));
    viewport()->setAttribute(Qt::WA_Hover);
}

void WorkspaceTree::drawBranches(QPainter* /*painter*/, const QRect& /*rect*/, const QModelIndex& /*index*/) const {}

void WorkspaceTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem row = option;
    row.rect.setLeft(0);
    row.rect.setWidth(viewport()->width());
    const auto mouse = viewport()->mapFromGlobal(QCursor::pos());
    row.state.setFlag(QStyle::State_MouseOver, viewport()->underMouse() && row.rect.contains(mouse));
    row.state.setFlag(QStyle::State_HasFocus, hasFocus() && index == currentIndex());
    row.widget = this;
    itemDelegateForIndex(index)->paint(painter, row, index);
}

}  // namespace maskscope::ui
