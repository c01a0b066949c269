// SPDX-License-Identifier: Apache-2.0
// Which label each device pixel of a mask's plane shows. From one pixel a cell up: the cell's. Below: the largest share
// among what is not background, so that an object of one cell is still seen in a million. Whether an outline runs
// there.
#pragma once

#include "core/mask/plane.h"
#include "core/render/pool/viewport.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope::render {

// How a plane's cells become labels. Integers and bool are labels as they stand; beyond 32 bits they saturate, so that
// such ids share one colour. Floating values are rounded, what is not zero never to 0; NaN is 0.
struct LabelRule {
    bool soft = false;  // 1 where value >= threshold, else 0; NaN is 0
    double threshold = 0.5;
    bool inverted = false;  // keep masks drawn as what they drop: 1 where the label would be 0, else 0
    friend bool operator==(const LabelRule&, const LabelRule&) = default;
};

// How far from an area's border its pixels still know it. An outline is at most that wide, and what changes may change
// the outline as many pixels around: whoever redraws a part adds kEdgeReach device pixels on each side.
inline constexpr int kEdgeReach = 8;

// width * height entries each, row by row.
struct LabelPixels {
    int width = 0;
    int height = 0;
    std::vector<std::int32_t> label;  // 0: background or outside; negative labels stay negative
    std::vector<std::uint8_t> share;  // of the cells under the pixel that hold it, 1 to 255; 0 where label is 0
    // Steps along the axes to the nearest pixel with another label: 1 on the border, up to kEdgeReach; 0 farther away,
    // and where label is 0. Pixels around the part count, also those beyond the view: pool() reads them itself, so that
    // parts meet without seams and nobody has to ask for a margin.
    std::vector<std::uint8_t> edge;
};

// Summaries of blocks that were pooled before, found again by tile stamp: after a stroke only its tiles are read.
class LabelPool {
public:
    LabelPool();
    ~LabelPool();
    LabelPool(LabelPool&&) noexcept;
    LabelPool& operator=(LabelPool&&) noexcept;
    // Pixels [x0, x0 + width) x [y0, y0 + height) of the viewport. Ties go to the smaller label. Below pitch 1/4 a
    // block of cells belongs to the pixel that its centre lies in. Not thread-safe: one for each layer of a view.
    void pool(const mask::Plane& plane, const LabelRule& rule, const Viewport& viewport, int x0, int y0, int width,
              int height, LabelPixels& out);

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::render
