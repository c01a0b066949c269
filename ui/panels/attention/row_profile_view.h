// SPDX-License-Identifier: GPL-3.0-or-later
// The right half of the view: the row under the cursor in numbers, as bars and as a sorted table.
#pragma once

#include "core/render/figure/heatmap_figure.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QTimer;

namespace maskscope::ui {

class RowPlot;
class Segmented;
class TokenTable;

class RowProfileView : public QWidget {
    Q_OBJECT
public:
    RowProfileView(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);

signals:
    void cellChosen(const maskscope::render::CellIndex& cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Metric {
        QLabel* name;
        QLabel* value;
    };
    QWidget* makeHeader();
    QWidget* makeMetrics();
    void invalidate();
    void follow();  // the cursor moved
    void fill();
    void nameRow();
    std::vector<double> meanOverSlices(QString& label) const;

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    std::int64_t row_ = 0;  // the cursor's, and stays when the cursor goes
    bool stale_ = true;
    QTimer* filling_;
    QLabel* row_name_;
    QString full_name_;  // "query 14 “lay”"
    Segmented* scale_;
    std::vector<Metric> metrics_;
    RowPlot* plot_;
    TokenTable* table_;
};

}  // namespace maskscope::ui
