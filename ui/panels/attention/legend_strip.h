// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of 40 px under the picture: colour bar with ticks, then the states with their counts. A click on a state
// walks through its cells.
#pragma once

#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/colour.h"
#include "ui/canvas/qt_painter.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

namespace maskscope::ui {

class ColourBar : public QWidget {
    Q_OBJECT
public:
    explicit ColourBar(Style& style, QWidget* parent = nullptr);
    // below, above: visible values lie outside the range at that end.
    void setScale(const QString& title, const render::Look& look, bool below, bool above);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    void setShort(bool is_short);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTicks(QPainter& painter, const QRect& bar);
    int titleWidth() const;
    int barWidth() const;
    Style& style_;
    QString title_;
    render::Look look_;
    bool below_ = false;
    bool above_ = false;
    bool short_ = false;
};

class StateButton : public QAbstractButton {
    Q_OBJECT
public:
    StateButton(Style& style, render::CellState state, QWidget* parent = nullptr);
    render::CellState state() const { return state_; }
    // -1: still counting.
    void setCount(const QString& name, std::int64_t count);
    std::int64_t count() const { return count_; }
    void setNamed(bool named);
    int widthWith(bool named) const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString countText() const;
    Style& style_;
    QtPainter painter_;
    render::CellState state_;
    QString name_;
    std::int64_t count_ = -1;
    bool named_ = true;
};

class LegendStrip : public QWidget {
    Q_OBJECT
public:
    LegendStrip(Session& session, Style& style, QWidget* parent = nullptr);
    void setEntry(EntryId id);

signals:
    void cellChosen(const maskscope::render::CellIndex& cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void makeRoom();
    void walk(render::CellState state);

    Session& session_;
    Style& style_;
    EntryId id_ = EntryId::none;
    ColourBar* bar_;
    std::vector<StateButton*> states_;
};

}  // namespace maskscope::ui
