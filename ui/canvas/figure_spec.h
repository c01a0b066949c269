// SPDX-License-Identifier: GPL-3.0-or-later
// What the figure needs to know of a view, read from the session.
#pragma once

#include "core/render/figure/heatmap_figure.h"
#include "ui/session/session.h"

#include <QString>

#include <vector>

namespace maskscope::ui {

// The dims that are on neither axis and have more than one index, innermost first: Shift+wheel steps the first,
// Ctrl+Shift+wheel the second, and the first one's slices are the small multiples.
std::vector<int> outerDims(const ViewState& state, const Shape& shape);

// Labels, colours and cursor of a view; size, device ratio, titles and the legend are the caller's.
render::FigureSpec figureSpec(Session& session, EntryId id, render::ThemeId theme);

// On diverging maps the value of largest magnitude stands for several cells.
render::PoolRule poolRule(const ViewState& state);

// "weights[0, 3, :, :]"
QString sliceTitle(const Session& session, EntryId id);

}  // namespace maskscope::ui
