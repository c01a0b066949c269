// SPDX-License-Identifier: Apache-2.0
#include "core/mask/morphology.h"

#include "core/mask/dilate.h"

#include <cmath>

namespace maskscope::mask {
namespace {

std::vector<int> half_widths_of(int radius, Element element) {
    std::vector<int> out;
    for (int d = 0; d <= radius; ++d) {
        int width = radius;
        if (element == Element::disc)
            while (width * width + d * d > radius * radius) --width;
        out.push_back(width);
    }
    return out;
}

// What the background near the region does not reach. Beyond one cell around the region's bounds there is nothing
// nearer than in that frame, so the frame is enough.
Region eroded(const Region& region, const Rect& plane, std::span<const int> half_widths, const JobContext& context) {
    if (region.empty()) return {};
    const Rect bounds = region.bounds();
    const Rect frame = intersection({bounds.row - 1, bounds.col - 1, bounds.rows + 2, bounds.cols + 2}, plane);
    const auto background = subtract(Region::of_rect(frame), region);
    return subtract(region, dilated(background, frame, half_widths, context));
}

}  // namespace

Result<Region> morph(const Region& region, const Rect& plane, Morph how, int radius, Element element,
                     const JobContext& context) {
    if (radius < 0 || radius > kMaxMorphRadius)
        return usage_error(MS_TEXT("a radius is from 0 to {} pixels, and here it is {}"), kMaxMorphRadius, radius);
    const auto inside = region.clipped(plane);
    const auto widths = half_widths_of(radius, element);
    Region out;
    switch (how) {
        case Morph::dilate:
            out = dilated(inside, plane, widths, context);
            break;
        case Morph::erode:
            out = eroded(inside, plane, widths, context);
            break;
        case Morph::open:
            out = dilated(eroded(inside, plane, widths, context), plane, widths, context);
            break;
        case Morph::close:
            out = eroded(dilated(inside, plane, widths, context), plane, widths, context);
            break;
    }
    if (context.cancelled()) return cancelled_error();
    return out;
}

}  // namespace maskscope::mask
