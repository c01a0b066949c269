// SPDX-License-Identifier: GPL-3.0-or-later
// The table of labels: eye, lock, id, class, pixels, bounds, and the link that shows it.
#pragma once

#include "ui/panels/labels/label_model.h"

#include <QSortFilterProxyModel>
#include <QTableView>

#include <set>
#include <vector>

namespace maskscope::ui {

class LabelTable : public QTableView {
    Q_OBJECT
public:
    LabelTable(Session& session, Style& style, QWidget* parent = nullptr);
    LabelModel& labels() { return *model_; }
    // By the table's order.
    std::vector<double> selected() const;
    void selectLabels(const std::vector<double>& labels);

signals:
    void seenClicked(double label);
    void lockClicked(double label);
    void zoomClicked(const maskscope::mask::Rect& cells);
    void labelClicked(double label);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOutColumns();
    void clickedAt(const QModelIndex& index);

    Style& style_;
    LabelModel* model_;
    QSortFilterProxyModel* sorted_;
};

}  // namespace maskscope::ui
