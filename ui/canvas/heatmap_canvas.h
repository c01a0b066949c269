// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of one tensor's slice: painted from the figure's display list, moved by wheel, trackpad, mouse and keys.
// It keeps no state that a session would have to save: cursor and viewport live in the ViewState.
#pragma once

#include "core/render/figure/heatmap_figure.h"
#include "ui/canvas/qt_painter.h"
#include "ui/kit/style.h"
#include "ui/session/session.h"

#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>

class QContextMenuEvent;
class QMenu;
class QNativeGestureEvent;

namespace maskscope::ui {

class EmptyCard;
class ErrorCard;

class HeatmapCanvas : public QWidget {
    Q_OBJECT
public:
    HeatmapCanvas(Session& session, Style& style, QWidget* parent = nullptr);
    ~HeatmapCanvas() override;

    void setEntry(EntryId id);
    EntryId entry() const { return id_; }

    // Device pixels per cell as shown; 0 when there is nothing to show.
    double pitch() const;
    void zoom(int steps);  // about the middle of the picture
    void setPitch(double pitch);
    void fit();
    void stepOuterDim(int which, int steps);
    // Puts the cursor there, pinned, and brings it into view.
    void goTo(const render::CellIndex& cell);
    void setCrosshair(bool shown);
    bool crosshair() const { return crosshair_; }

    // Where things lie, in widget pixels.
    std::optional<render::CellIndex> cellAt(QPointF position) const;
    QRectF boxOf(const render::CellIndex& cell) const;
    const render::Viewport& viewport() const { return viewport_; }
    const render::DisplayList& list();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void pitchChanged(double pitch);
    void exportRequested();
    void goToRequested();  // the window asks for a coordinate
    void doubleClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, pressed, panning };

    // heatmap_canvas.cpp: from session to picture
    void refresh();  // data, layout and viewport anew
    void layOut();
    void pool();
    void poolInBackground();
    void showMessage();
    void cursorMoved();
    void changeViewport(const render::Viewport& viewport);
    double unit() const;                          // widget pixels per logical pixel of the figure
    double ratio() const;                         // device pixels per widget pixel
    QPointF devicePoint(QPointF position) const;  // in the data area
    QString note() const;
    void paintNote(QPainter& painter);

    // canvas_input.cpp: from hands to session
    void moveCursor(std::optional<render::CellIndex> cell, bool pinned);
    void moveCursorBy(std::int64_t rows, std::int64_t cols);
    bool moveByKey(QKeyEvent* event);
    void zoomAt(double pitch, QPointF position);
    void pinch(QNativeGestureEvent* event);
    void beginDrag(QMouseEvent* event);
    void hover(QPointF position);
    void updateMouseCursor();
    void fillMenu(QMenu& menu);

    Session& session_;
    Style& style_;
    QtPainter painter_;
    EntryId id_ = EntryId::none;
    EmptyCard* empty_ = nullptr;
    ErrorCard* error_ = nullptr;

    std::shared_ptr<const render::HeatmapData> data_;  // null: nothing to paint
    render::FigureSpec spec_;
    render::FigureLayout layout_;
    render::Viewport viewport_;
    render::Pooled pooled_;
    struct PooledKey {
        const render::HeatmapData* data = nullptr;
        bool prepared = false;
        render::PoolRule rule = render::PoolRule::largest;
        render::Viewport viewport;
        friend bool operator==(const PooledKey&, const PooledKey&) = default;
    };
    PooledKey pooled_key_;
    bool refining_ = false;
    render::DisplayList list_;
    bool list_stale_ = true;
    bool crosshair_ = true;

    std::optional<render::CellIndex> pinned_;  // comes back when the mouse leaves
    Drag drag_ = Drag::none;
    Qt::MouseButton drag_button_ = Qt::NoButton;
    QPointF drag_from_;
    render::Viewport drag_viewport_;
    bool space_down_ = false;
    int wheel_rest_ = 0;      // eighths of a degree not yet a step
    double pinch_pitch_ = 0;  // the free pitch of a pinch under way
};

}  // namespace maskscope::ui
