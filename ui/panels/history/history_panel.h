// SPDX-License-Identifier: GPL-3.0-or-later
// The named steps, with a jump to any of them.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QAbstractListModel>
#include <QWidget>

class QLabel;
class QListView;

namespace maskscope::ui {

class IconButton;

// Row 0 is how the masks were before the first step that is still kept; row n is the n-th step.
class HistoryModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { icon_role = Qt::UserRole, amount_role, undone_role, current_role };

    explicit HistoryModel(Session& session, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    void refresh();

private:
    QVariant first(int role) const;

    Session& session_;
    int rows_ = 0;
};

class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    HistoryPanel(Session& session, Style& style, QWidget* parent = nullptr);
    QListView* list() const { return list_; }
    QString footer() const;

private:
    void refresh();

    Session& session_;
    Style& style_;
    HistoryModel* model_;
    QListView* list_;
    IconButton* undo_;
    IconButton* redo_;
    QLabel* footer_;
};

}  // namespace maskscope::ui
