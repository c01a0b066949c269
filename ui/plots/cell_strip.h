// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a row in their colours and states, with rotated labels below that thin out and never overlap.
#pragma once

#include "core/render/pool/colour.h"
#include "core/render/pool/row_profile.h"
#include "ui/canvas/qt_painter.h"
#include "ui/kit/style.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

namespace maskscope::ui {

class CellStrip : public QWidget {
    Q_OBJECT
public:
    explicit CellStrip(Style& style, QWidget* parent = nullptr);

    void setRow(const render::RowProfile* profile, const std::vector<std::string>* tokens, const render::Look& look);
    void setMarked(std::optional<std::int64_t> col);
    // Where column 0 begins and the last one ends, in widget pixels.
    void setSpan(double left, double right);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void columnClicked(qint64 col);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void paintCells(QPainter& painter);
    void paintLabels(QPainter& painter);
    QString labelOf(std::int64_t col) const;

    Style& style_;
    QtPainter painter_;
    const render::RowProfile* profile_ = nullptr;  // the plot's, which owns this widget
    const std::vector<std::string>* tokens_ = nullptr;
    render::Look look_;
    std::optional<std::int64_t> marked_;
    double left_ = 0;
    double right_ = 0;
};

}  // namespace maskscope::ui
