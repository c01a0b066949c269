// SPDX-License-Identifier: Apache-2.0
// Paints a display list to files. No Cairo type stands in this header.
#pragma once

#include "core/base/result.h"
#include "core/render/figure/display_list.h"

#include <string>
#include <vector>

namespace maskscope::render {

enum class PictureFormat : std::uint8_t { png, svg, pdf };
// By the extension of a path.
std::optional<PictureFormat> picture_format(std::string_view path);

// `scale` device pixels per logical pixel (PNG only). Written beside the target and renamed.
Result<void> write_picture(const DisplayList& list, const std::string& path, PictureFormat format, double scale = 1);

struct Raster {
    int width = 0;
    int height = 0;
    std::vector<Rgb> pixels;
};
Result<Raster> rasterise(const DisplayList& list, double scale = 1);

}  // namespace maskscope::render
