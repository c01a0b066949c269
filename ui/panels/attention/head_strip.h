// SPDX-License-Identifier: GPL-3.0-or-later
// Small multiples: every slice along the next outer dim, with its most severe states and one number.
#pragma once

#include "core/render/pool/heatmap_data.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QAbstractScrollArea>
#include <QPixmap>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QTimer;

namespace maskscope::ui {

class HeadStrip : public QAbstractScrollArea {
    Q_OBJECT
public:
    HeadStrip(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);
    std::int64_t sliceCount() const { return count_; }

signals:
    void isolateRequested();
    void sliceCountChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Slice {
        std::shared_ptr<const render::HeatmapData> plane;  // kept, so that its address says what was drawn
        bool prepared = false;
        render::Look look;
        int side = 0;  // device pixels
        QPixmap picture;
        std::vector<render::CellState> states;  // the two most severe ones
        std::optional<double> number;
        bool entropy = false;  // the number is a mean entropy, else the largest value
    };

    void refresh();
    void fill();  // draws what is in view and not drawn yet
    void measure(Slice& slice) const;
    void draw(Slice& slice) const;
    void choose(std::int64_t index);
    void reveal();
    void setScrollRange();
    void paintSlice(QPainter& painter, std::int64_t index, const QRect& box);
    std::int64_t current() const;
    std::int64_t sliceAt(QPoint position) const;
    QRect boxOf(std::int64_t index) const;
    int step() const;
    QString nameOf(std::int64_t index) const;

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    int dim_ = -1;
    std::int64_t count_ = 0;
    std::int64_t revealed_ = -1;
    std::map<std::int64_t, Slice> slices_;  // those in view
    QTimer* filling_;
};

}  // namespace maskscope::ui
