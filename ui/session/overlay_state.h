// SPDX-License-Identifier: GPL-3.0-or-later
// How an image and the masks over it are looked at, and the tool in hand. Plain values.
#pragma once

#include "core/document/document.h"
#include "core/mask/brush.h"
#include "core/mask/fill.h"
#include "core/render/overlay/compose.h"
#include "core/render/overlay/image_data.h"
#include "core/render/overlay/resize.h"

#include <cstdint>
#include <set>
#include <vector>

namespace maskscope::ui {

using document::EntryId;

// One plane of one mask entry over the image.
struct LayerState {
    EntryId mask = EntryId::none;
    std::int64_t plane = 0;
    bool visible = true;
    bool locked = false;
    bool fill = true;
    bool outline = true;
    render::Hatch hatch = render::Hatch::none;
    double threshold = 0.5;                                         // soft masks
    render::ResizeRule resize = render::ResizeRule::nearest_exact;  // where the mask has another size than the image
    std::set<std::int64_t> hidden_labels;
    std::set<std::int64_t> locked_labels;
    friend bool operator==(const LayerState&, const LayerState&) = default;
};

// Two layers compared in place.
enum class CompareMode : std::uint8_t { none, wipe, flicker };

struct OverlayState {
    std::vector<LayerState> layers;  // bottom first
    int active = -1;                 // the layer that tools change; -1: none
    double opacity = 0.45;
    bool outlines = true;
    bool ids = true;
    bool grid = true;  // pixel grid, from 8 device pixels a pixel up
    bool loupe = true;
    bool rulers = true;
    CompareMode compare = CompareMode::none;
    int compare_with = -1;  // the layer on the wipe's left, or every other flicker; -1: none, the bare image
    double wipe = 0.5;      // share of the view's width
    render::Tone tone;
    bool natural_tone = true;  // the image's own; tone is ignored
    friend bool operator==(const OverlayState&, const OverlayState&) = default;
};

enum class Tool : std::uint8_t {
    pan,
    brush,
    eraser,
    line,
    rectangle,
    ellipse,
    polygon,
    lasso,
    fill,
    wand,
    grab_cut,
    pick,
    // attention masks
    cells,
    rows,
    columns,
    band,
};

// "grab_cut": what a step of the history is filed under.
const char* nameOf(Tool tool);

struct ToolState {
    Tool tool = Tool::pan;
    mask::Brush brush;
    double label = 1;  // what is painted; soft masks: the value
    bool empty_only = false;
    bool fill_by_image = false;  // bucket: by the image's colour instead of the label
    double tolerance = 16;
    mask::Neighbours neighbours = mask::Neighbours::four;
    bool anywhere = false;  // wand: not only connected pixels
    int band_lower = 0;     // band: col - row
    int band_upper = 0;
    friend bool operator==(const ToolState&, const ToolState&) = default;
};

}  // namespace maskscope::ui
