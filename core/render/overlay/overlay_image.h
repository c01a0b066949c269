// SPDX-License-Identifier: Apache-2.0
// The whole picture of an image with masks, pixel for pixel: what `overlay` writes and what an export of the view is.
#pragma once

#include "core/base/result.h"
#include "core/mask/plane.h"
#include "core/render/overlay/compose.h"
#include "core/render/overlay/image_data.h"

#include <memory>
#include <vector>

namespace maskscope::render {

struct OverlayLayer {
    std::shared_ptr<const mask::Plane> plane;  // of the image's size
    LabelRule rule;
    LayerLook look;
};
struct OverlayImage {
    int width = 0;
    int height = 0;
    std::vector<Rgb> pixels;
};
// One device pixel an image pixel, times `scale` (a whole number).
Result<OverlayImage> overlay_image(const ImageData& image, const Tone& tone, const std::vector<OverlayLayer>& layers,
                                   const Theme& theme, int scale = 1, const JobContext& context = {});
// Prediction against ground truth: tp plain, fp hatched rising, fn hatched falling; non-zero is foreground.
struct Agreement {
    std::int64_t tp = 0, fp = 0, fn = 0, tn = 0;
};
Result<OverlayImage> compare_image(const ImageData& image, const Tone& tone, const mask::Plane& prediction,
                                   const mask::Plane& truth, double opacity, const Theme& theme, Agreement* counts,
                                   const JobContext& context = {}, int scale = 1);

}  // namespace maskscope::render
