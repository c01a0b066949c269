// SPDX-License-Identifier: Apache-2.0
// A laid-out view as plain drawing commands in logical pixels. QPainter paints it on the screen, Cairo paints it for
// the command line and for every export, and goldens compare it.
#pragma once

#include "core/render/look/theme.h"
#include "core/render/pool/cell_state.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace maskscope::render {

struct Point {
    double x = 0;
    double y = 0;
};
struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
};

// What a frame of that line width is drawn along to lie inside the box.
inline Box inset(const Box& box, double by) {
    return {box.x + by, box.y + by, box.width - 2 * by, box.height - 2 * by};
}

enum class Face : std::uint8_t { ui, ui_medium, ui_semibold, mono, mono_bold };
enum class Align : std::uint8_t { left, centre, right };

// Device pixels 0xffRRGGBB, drawn nearest-neighbour into box.
struct ImageItem {
    Box box;
    int width = 0;
    int height = 0;
    std::shared_ptr<const std::vector<Rgb>> pixels;
};
// The stroke is centred on the box's edge.
struct RectItem {
    Box box;
    Rgb fill = 0;    // 0: none
    Rgb stroke = 0;  // 0: none
    double stroke_width = 1;
    double radius = 0;
};
struct LineItem {
    Point from;
    Point to;
    Rgb colour = 0;
    double width = 1;
    bool dashed = false;
};
struct PolylineItem {
    std::vector<Point> points;
    bool closed = false;
    Rgb stroke = 0;
    Rgb fill = 0;
    double width = 1;
};
// `baseline` is the left, middle or right end of the base line; rotation is 0 or -90 degrees about it.
struct TextItem {
    Point baseline;
    std::string text;
    Face face = Face::ui;
    double size = 12;
    Rgb colour = 0;
    Align align = Align::left;
    bool upwards = false;
};
// The drawing of a state for one cell (style section "cell states").
struct GlyphItem {
    Box cell;
    CellState state = CellState::value;
    Rgb ink = 0;
    double hatch_spacing = 5;  // masked only; the hatch is anchored to the view's origin
};
// Everything until the matching end is clipped to box.
struct ClipItem {
    Box box;
    bool begin = true;
};

using DisplayItem = std::variant<ImageItem, RectItem, LineItem, PolylineItem, TextItem, GlyphItem, ClipItem>;

struct DisplayList {
    double width = 0;  // logical pixels
    double height = 0;
    Rgb background = 0;
    std::vector<DisplayItem> items;
};

// One line per item with rounded numbers, for goldens.
std::string to_text(const DisplayList& list);

}  // namespace maskscope::render
