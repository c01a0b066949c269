// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/overlay_image.h"

#include "core/base/checked.h"
#include "core/jobs/parallel.h"
#include "core/render/overlay/label_cells.h"

#include <algorithm>
#include <array>
#include <limits>

namespace maskscope::render {
namespace {

constexpr int kBand = 256;  // lines drawn at a time, so that label pixels take little room

Result<OverlayImage> empty_picture(const ImageData& image, int scale) {
    constexpr std::int64_t kMostSide = 32'767;  // what pictures are written with takes no more
    if (scale < 1) return usage_error(MS_TEXT("the scale of a picture is a whole number from 1 up, and not {}"), scale);
    const auto width = checked_mul<std::int64_t>(image.cols(), scale);
    const auto height = checked_mul<std::int64_t>(image.rows(), scale);
    if (!width || !height || *width > kMostSide || *height > kMostSide)
        return usage_error(MS_TEXT("{} x {} pixels at scale {} are more than the {} a side that a picture may have"),
                           image.cols(), image.rows(), scale, kMostSide);
    OverlayImage out;
    out.width = static_cast<int>(*width);
    out.height = static_cast<int>(*height);
    out.pixels.resize(static_cast<std::size_t>(*width) * static_cast<std::size_t>(*height));
    return out;
}

Error another_size(const ImageData& image, const mask::Plane& plane) {
    auto error = input_error(MS_TEXT("the mask has {} rows and {} columns, and the image {} and {}"), plane.rows(),
                             plane.cols(), image.rows(), image.cols());
    if (plane.rows() == image.cols() && plane.cols() == image.rows())
        return std::move(error).with_hint(MS_TEXT("Rows and columns are swapped: one of the two lies on its side"));
    return error;
}

bool fits(const ImageData& image, const mask::Plane& plane) {
    return plane.rows() == image.rows() && plane.cols() == image.cols();
}

// One line of drawing after another in bands; false: cancelled.
template <class Body>
bool for_bands(int height, const JobContext& context, Body body) {
    for (int y = 0; y < height; y += kBand) {
        if (context.cancelled()) return false;
        body(y, std::min(kBand, height - y));
    }
    return true;
}

}  // namespace

Result<OverlayImage> overlay_image(const ImageData& image, const Tone& tone, const std::vector<OverlayLayer>& layers,
                                   const Theme& theme, int scale, const JobContext& context) {
    for (const auto& layer : layers)
        if (!fits(image, *layer.plane)) return another_size(image, *layer.plane);
    MS_TRY(out, empty_picture(image, scale));
    const Viewport viewport{.pitch = static_cast<double>(scale), .width = out.width, .height = out.height};
    std::vector<LabelPool> pools(layers.size());
    LabelPixels labels;
    const bool done = for_bands(out.height, context, [&](int y, int height) {
        Rgb* pixels = out.pixels.data() + static_cast<std::ptrdiff_t>(y) * out.width;
        image.pool(viewport, 0, y, out.width, height, tone, theme[Token::bg_view], pixels, out.width);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            pools[i].pool(*layers[i].plane, layers[i].rule, viewport, 0, y, out.width, height, labels);
            lay_over(labels, layers[i].look, theme, 1, 0, y, pixels, out.width);
        }
    });
    if (!done) return cancelled_error();
    return std::move(out);
}

namespace {

// What each pixel is: three masks that never meet, as labels of one.
enum : std::int32_t { kNeither = 0, kHit = 1, kFalse = 2, kMissed = 3 };

Result<mask::Plane> agreement_plane(const mask::Plane& prediction, const mask::Plane& truth, Agreement& counts,
                                    const JobContext& context) {
    const std::int64_t rows = truth.rows();
    const std::int64_t cols = truth.cols();
    MS_TRY(cells, Tensor::uninitialised(Shape{rows, cols}, DType::u8));
    const CellLabels predicted(prediction.dtype(), {});
    const CellLabels wanted(truth.dtype(), {});
    const std::int64_t grain = mask::kTileSide;
    std::vector<std::array<std::int64_t, 4>> partial(static_cast<std::size_t>(chunk_count(rows, grain)));
    auto* const to = cells.writable_as<std::uint8_t>();
    parallel_for(Lane::background, rows, grain, [&](const Chunk& chunk) {
        std::vector<std::byte> raw(static_cast<std::size_t>(cols) * 8);
        std::vector<std::int32_t> left(static_cast<std::size_t>(cols));
        std::vector<std::int32_t> right(static_cast<std::size_t>(cols));
        auto& sums = partial[static_cast<std::size_t>(chunk.index)];
        const auto read = [&](const mask::Plane& plane, const CellLabels& labels, std::int64_t row, std::int32_t* out) {
            plane.copy_rect({row, 0, 1, cols}, raw.data(), static_cast<std::size_t>(cols) * plane.cell_bytes());
            labels.convert(raw.data(), cols, out);
        };
        for (std::int64_t row = chunk.begin; row < chunk.end && !context.cancelled(); ++row) {
            read(prediction, predicted, row, left.data());
            read(truth, wanted, row, right.data());
            for (std::size_t x = 0; x < left.size(); ++x) {
                const int kind = left[x] != 0 ? (right[x] != 0 ? kHit : kFalse) : (right[x] != 0 ? kMissed : kNeither);
                to[row * cols + static_cast<std::int64_t>(x)] = static_cast<std::uint8_t>(kind);
                ++sums[static_cast<std::size_t>(kind)];
            }
        }
    });
    if (context.cancelled()) return cancelled_error();
    counts = {};
    for (const auto& sums : partial) {
        counts.tn += sums[kNeither];
        counts.tp += sums[kHit];
        counts.fp += sums[kFalse];
        counts.fn += sums[kMissed];
    }
    return mask::Plane::of(cells, context);
}

}  // namespace

Result<OverlayImage> compare_image(const ImageData& image, const Tone& tone, const mask::Plane& prediction,
                                   const mask::Plane& truth, double opacity, const Theme& theme, Agreement* counts,
                                   const JobContext& context, int scale) {
    if (!fits(image, prediction)) return another_size(image, prediction);
    if (!fits(image, truth)) return another_size(image, truth);
    Agreement sums;
    MS_TRY(plane, agreement_plane(prediction, truth, sums, context));
    if (counts != nullptr) *counts = sums;
    const auto shared = std::make_shared<const mask::Plane>(std::move(plane));
    std::vector<OverlayLayer> layers;
    const auto add = [&](std::int32_t kind, Token token, Hatch hatch) {
        OverlayLayer layer{.plane = shared, .rule = {}, .look = {}};
        layer.look.opacity = opacity;
        layer.look.outline = false;
        layer.look.hatch = hatch;
        layer.look.colour = theme[token];
        for (const std::int32_t other : {kHit, kFalse, kMissed})
            if (other != kind) layer.look.hidden.insert(other);
        layers.push_back(std::move(layer));
    };
    add(kHit, Token::cmp_tp, Hatch::none);
    add(kFalse, Token::cmp_fp, Hatch::rising);
    add(kMissed, Token::cmp_fn, Hatch::falling);
    return overlay_image(image, tone, layers, theme, scale, context);
}

}  // namespace maskscope::render
