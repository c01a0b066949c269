// SPDX-License-Identifier: Apache-2.0
// An image ready to be drawn at any zoom: [h, w] or [h, w, c] with c = 1 to 4 of any real dtype. Below one pixel an
// image pixel a device pixel shows the mean, as stored (sRGB), of what lies under it. Levels have blocks of 4 x 4, 8 x
// 8 ... image pixels and cost 1/12 of the image; from four image pixels a device pixel up, a pixel counts as its
// block's mean.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/render/look/theme.h"
#include "core/render/pool/viewport.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace maskscope::render {

// How stored numbers become brightness: (value - lo) / (hi - lo), then the power 1 / gamma. NaN is drawn in st.nan, of
// the theme that the background belongs to. Palette colours are numbers from 0 to 255.
struct Tone {
    double lo = 0;
    double hi = 255;
    double gamma = 1;
    friend bool operator==(const Tone&, const Tone&) = default;
};

class ImageData {
public:
    // `palette` (may be empty) turns u8 or u16 indices into colours; an index beyond it is opaque black. Two and four
    // channels have alpha last: full at 255, at 65535 for u16, at 1 for floating images and bool.
    static Result<std::shared_ptr<ImageData>> of(const Tensor& image,
                                                 std::span<const std::array<std::uint8_t, 4>> palette = {});
    ~ImageData();

    std::int64_t rows() const;
    std::int64_t cols() const;
    int channels() const;
    const Tensor& tensor() const;
    // 0 to 255 for u8 and palettes, 0 to 1 for bool, the least and the largest finite value for others (found by
    // prepare(); before it the dtype's range, 0 to 1 for floating images).
    Tone natural_tone() const;

    // Builds the levels; pooling works before that, only slower. Advances the progress by the pixels of each pass.
    // Error: cancelled, no memory, or changed on disk.
    Result<void> prepare(const JobContext& context);
    bool prepared() const;

    // Pixels [x0, x0 + width) x [y0, y0 + height) of the viewport as 0xffRRGGBB, `background` beyond the image.
    // Thread-safe.
    void pool(const Viewport& viewport, int x0, int y0, int width, int height, const Tone& tone, Rgb background,
              Rgb* pixels, int stride) const;

private:
    struct Private;
    explicit ImageData(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::render
