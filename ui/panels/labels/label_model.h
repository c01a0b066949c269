// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of the active layer as rows.
#pragma once

#include "ui/kit/style.h"
#include "ui/session/layer_labels.h"

#include <QAbstractTableModel>

namespace maskscope::ui {

class LabelModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { seen, locked, id, class_name, pixels, share, bounds, zoom, kColumns };
    enum Role { sort_role = Qt::UserRole, label_role, on_role, under_role, in_hand_role, share_role };

    LabelModel(Session& session, Style& style, QObject* parent = nullptr);
    void refresh();
    // The arrow of the sorted column stands in its title: beside it, it would lie over right-aligned words.
    void setSorted(int column, Qt::SortOrder order);
    void setUnder(std::optional<double> label);
    const LabelCount& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    int rowOf(double label) const;  // -1: not in the table

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const LabelCount& row, int column) const;
    static QString title(int column);
    QVariant sortValue(const LabelCount& row, int column) const;
    bool isSeen(double label) const;
    bool isLocked(double label) const;

    Session& session_;
    Style& style_;
    std::vector<LabelCount> rows_;
    std::int64_t most_ = 1;
    std::optional<LayerState> layer_;
    std::optional<double> under_;
    int sorted_ = id;
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace maskscope::ui
