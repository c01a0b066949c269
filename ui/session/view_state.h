// SPDX-License-Identifier: GPL-3.0-or-later
// How one tensor is looked at. Plain values: no widget holds state of its own that a session would have to keep.
#pragma once

#include "core/document/document.h"
#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/colour.h"
#include "core/render/pool/viewport.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope::ui {

using document::EntryId;

struct MaskOverlay {
    std::optional<EntryId> mask;
    document::MaskConvention convention = document::MaskConvention::keep;
    render::MaskStyle style = render::MaskStyle::hatch;
    bool outline = true;
    double opacity = 1;
    friend bool operator==(const MaskOverlay&, const MaskOverlay&) = default;
};

struct ColourState {
    render::MapId map = render::MapId::tide;
    render::ScaleKind scale = render::ScaleKind::linear;
    render::RangeKind range = render::RangeKind::minmax;
    bool whole_tensor = false;  // range over the whole tensor instead of the slice shown
    double fixed_lo = 0;
    double fixed_hi = 1;
    friend bool operator==(const ColourState&, const ColourState&) = default;
};

struct ViewState {
    EntryId entry = EntryId::none;
    int row_dim = -1;  // -1: the tensor has no such dim and is shown as one row, or one cell
    int col_dim = -1;
    std::vector<std::int64_t> index;  // one per dim; those of row_dim and col_dim are ignored
    ColourState colour;
    MaskOverlay overlay;
    bool fit = true;            // keep the whole plane in view until the user zooms or pans
    render::Viewport viewport;  // logical size is the canvas's; col0, row0, pitch are kept
    std::optional<render::CellIndex> cursor;
    bool cursor_pinned = false;  // set by keyboard or click: a mouse that leaves does not clear it
    friend bool operator==(const ViewState&, const ViewState&) = default;
};

// The slice text of a state: "[0, 3, :, :]".
std::string slice_text(const ViewState& state);

}  // namespace maskscope::ui
