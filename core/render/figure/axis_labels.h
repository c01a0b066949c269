// SPDX-License-Identifier: Apache-2.0
// The labels of rows and columns: how much room they take, and drawing those that fit without touching.
#pragma once

#include "core/render/figure/heatmap_figure.h"

#include <string>
#include <string_view>
#include <vector>

namespace maskscope::render {

// Whitespace and control characters made visible, and punctuation that would vanish at 12 px put into quotes: “.”
std::string label_text(std::string_view token);

// What all labels of an axis need, in logical pixels along the text.
struct LabelRoom {
    double index = 0;
    double tokens = 0;  // 0 when there are none
    double total() const { return index + (index > 0 && tokens > 0 ? 8 : 0) + tokens; }
};
// `count` cells. Without room for tokens (0) the indices stand for them.
LabelRoom row_label_room(const AxisLabels& labels, std::int64_t count, double most_for_tokens);
// Columns have no index beside their tokens while every one of them is likely to be labelled.
LabelRoom col_label_room(const AxisLabels& labels, std::int64_t count, double most_for_tokens);

// One axis, seen through the viewport.
struct AxisView {
    std::int64_t count = 0;
    std::int64_t first = 0;  // visible cells [first, last)
    std::int64_t last = 0;
    double pitch = 1;    // logical pixels
    double painted = 1;  // pitch without the gap
    double start = 0;    // logical pixel of cell `first`'s edge, in the list
    std::optional<std::int64_t> cursor;
    double middle_of(std::int64_t cell) const {
        return start + static_cast<double>(cell - first) * pitch + painted / 2;
    }
};

void draw_row_labels(const AxisLabels& labels, const LabelRoom& room, const AxisView& view, const Box& box,
                     const Theme& theme, std::vector<DisplayItem>& out);
void draw_col_labels(const AxisLabels& labels, const LabelRoom& room, const AxisView& view, const Box& box,
                     const Theme& theme, std::vector<DisplayItem>& out);

// The smallest of 1, 2, 5, 10, 20 ... cells whose labels are at least `room` pixels apart.
std::int64_t label_step(double pitch, double room);

}  // namespace maskscope::render
