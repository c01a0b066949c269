// SPDX-License-Identifier: GPL-3.0-or-later
// The state behind ImageCanvas, shared by its source files.
#pragma once

#include "ui/canvas/image_canvas.h"
#include "ui/canvas/image_marks.h"
#include "ui/canvas/image_picture.h"
#include "ui/canvas/label_places.h"
#include "ui/canvas/tools/brush_mark.h"
#include "ui/canvas/tools/tool_hand.h"

#include <QTimer>

#include <map>
#include <tuple>

class QMenu;
class QNativeGestureEvent;

namespace maskscope::ui {

class EmptyCard;
class ErrorCard;

struct ImageCanvas::Private {
    enum class Drag : std::uint8_t { none, panning, wiping, painting };

    explicit Private(ImageCanvas& canvas);

    // image_canvas.cpp: from session to picture
    void refresh();
    void showMessage();
    void layOut();
    PictureSource source();
    std::optional<PictureLayer> pictureLayer(const OverlayState& state, int index);
    std::shared_ptr<const mask::Plane> planeOf(const LayerState& layer, const mask::Plane& plane);
    void touched(EntryId mask, std::int64_t plane, const QRect& cells);
    void placeLabels();
    void changeViewport(const render::Viewport& to);
    void cursorMoved();
    void toolsChanged();
    MarkFrame frame() const;
    QRect deviceArea() const;  // of the picture in device pixels of the widget
    double ratio() const { return q.devicePixelRatioF(); }
    QString layerTitle(int layer) const;
    void paintMarks(QPainter& painter);
    void updateMarks();  // brush, rulers: where they were and where they are
    const OverlayState* overlay() const { return q.session_.overlay(q.id_); }
    Tool tool() const { return q.session_.edits().tools().tool; }

    // image_canvas_input.cpp: from hands to session
    ToolHand::Touch touchOf(QPointF widget, Qt::KeyboardModifiers keys) const;
    void zoomAt(double pitch, QPointF widget);
    void hover(QPointF widget);
    void moveCursor(std::optional<render::CellIndex> cell, bool pinned);
    bool moveByKey(QKeyEvent* event);
    bool toolKey(QKeyEvent* event);
    bool isOurs(const QKeyEvent& event) const;
    void changeBrush(int by);
    void pinch(QNativeGestureEvent* event);
    void updateMouseCursor();
    void fillMenu(QMenu& menu);
    void endDrag();

    ImageCanvas& q;
    ImagePicture picture;
    ToolHand hand;
    BrushMark brush_mark;
    Tool in_hand = Tool::pan;  // to see that another one was taken
    render::Viewport viewport;
    std::shared_ptr<const render::ImageData> image;
    mask::Rect size;  // of the image; empty: nothing to show
    EmptyCard* empty = nullptr;
    ErrorCard* error = nullptr;

    using LayerId = std::pair<EntryId, std::int64_t>;
    std::map<LayerId, std::vector<LabelPlace>> places;
    std::map<LayerId, const mask::Plane*> placed;  // what they were counted of; gone when it has changed
    QTimer place_timer;
    // Planes of another size, brought to the image's.
    struct Resized {
        render::ResizeRule rule;
        std::shared_ptr<const mask::Plane> plane;
    };
    std::map<LayerId, Resized> resized;

    QTimer flicker;
    bool other = false;  // the flicker's other side is shown

    std::optional<mask::Position> mouse;  // in image pixels, while it is over the picture
    QRect marked;                         // what the marks at the mouse were drawn on
    std::optional<render::CellIndex> pinned;
    Drag drag = Drag::none;
    Qt::MouseButton button = Qt::NoButton;
    QPointF drag_from;
    render::Viewport drag_viewport;
    bool space = false;
    int wheel_rest = 0;
    double pinch_pitch = 0;
};

}  // namespace maskscope::ui
