// SPDX-License-Identifier: GPL-3.0-or-later
// The profile of one row: a bar for each key, the mean of the slices as a dashed line, the cells themselves under the
// bars and their tokens below. No QCustomPlot type stands in this header.
#pragma once

#include "core/render/pool/colour.h"
#include "core/render/pool/row_profile.h"
#include "ui/kit/style.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::ui {

struct RowPlotContent {
    render::RowProfile profile;
    std::vector<double> mean;         // per column, empty: no line
    QString mean_label;               // "mean of 12 heads"
    std::vector<std::string> tokens;  // per column, empty: indices
    QString value_name;               // "weight"
    render::Look look;
};

class RowPlot : public QWidget {
    Q_OBJECT
public:
    explicit RowPlot(Style& style, QWidget* parent = nullptr);
    ~RowPlot() override;

    void setContent(RowPlotContent content);
    void setCursor(std::optional<std::int64_t> col);
    using QWidget::setCursor;
    void setLog(bool log);

signals:
    void columnClicked(qint64 col);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::ui
