// SPDX-License-Identifier: GPL-3.0-or-later
// A tool in the hand: presses, moves and releases in image pixels become strokes and steps of the active layer.
//
// A polygon's ring is closed by Enter or a double-click. Closing it with Shift keeps the polygon open for another ring:
// a ring inside another cuts a hole.
#pragma once

#include "core/mask/shapes.h"
#include "ui/session/session.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace maskscope::ui {

// What is drawn over the picture while a shape is being made.
struct RubberBand {
    enum class Kind : std::uint8_t { none, rectangle, ellipse, line, path };
    Kind kind = Kind::none;
    std::vector<mask::Position> points;               // the two corners, or the ring under way
    std::vector<std::vector<mask::Position>> closed;  // rings that are finished
    std::optional<mask::Position> next;               // where the ring would go on
};

class ToolHand {
public:
    struct Touch {
        mask::Position at;
        bool erase = false;      // Alt
        bool constrain = false;  // Shift
    };

    explicit ToolHand(Session& session) : session_(session) {}
    void setEntry(EntryId image);

    void press(const Touch& touch);
    void move(const Touch& touch);
    void release(const Touch& touch);
    // Enter, double-click: the ring is done.
    bool close(bool another_ring);
    bool stepBack();  // takes the ring's last point back
    bool cancel();    // false when there was nothing to cancel
    bool busy() const { return pressed_ || !points_.empty() || !rings_.empty(); }

    RubberBand rubberBand() const;
    // Whether the tool paints with the brush's stamp.
    bool stamps() const;

    std::function<void(double)> picked;

private:
    std::optional<EditTarget> target();
    bool begin(const Touch& touch);
    void drag(const Touch& touch);
    void fillAt(const Touch& touch);
    void wandAt(const Touch& touch, const QString& name);
    void cut(const Touch& touch);
    void pickAt(mask::Position at);
    void paintRings();
    mask::Region shape(mask::Position to) const;
    QString stepName(bool erase) const;
    std::optional<Tensor> image(const QString& tool);

    Session& session_;
    EntryId image_ = EntryId::none;
    bool pressed_ = false;
    bool erase_ = false;
    bool constrain_ = false;
    mask::Position from_;
    mask::Position last_;
    mask::Rect bounds_;
    std::vector<mask::Position> points_;
    std::vector<std::vector<mask::Position>> rings_;
};

}  // namespace maskscope::ui
