// SPDX-License-Identifier: Apache-2.0
// Channels as the pixels of a larger image, and back.
#include "core/base/checked.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/copy.h"
#include "core/ops/shape/geometry.h"
#include "core/ops/shape/memory_format.h"

#include <array>

namespace maskscope::ops {
namespace {

using namespace geometry;

enum class Way { shuffle, unshuffle };

// The large image seen as [..., C, H, r, W, r]: its pixels in blocks of r by r.
Result<Tensor> in_blocks(const Tensor& image, std::int64_t factor) {
    std::vector<std::int64_t> sizes(image.shape().begin(), image.shape().end());
    std::vector<std::int64_t> strides(image.strides().begin(), image.strides().end());
    for (const std::size_t dim : {sizes.size() - 1, sizes.size() - 2}) {
        sizes[dim] /= factor;
        sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(dim) + 1, factor);
        strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(dim) + 1, strides[dim]);
        strides[dim] = wrapping_mul(strides[dim], factor);
    }
    MS_TRY(shape, shape_of(sizes));
    return restrided(image, shape, Strides(std::span(strides)), image.offset());
}

// The small image [..., C * r * r, H, W] seen in the same order.
Result<Tensor> in_channels(const Tensor& image, std::int64_t factor) {
    const int channel = image.rank() - 3;
    std::vector<std::int64_t> sizes(image.shape().begin(), image.shape().begin() + channel);
    std::vector<std::int64_t> strides(image.strides().begin(), image.strides().begin() + channel);
    const std::int64_t step = image.strides()[channel];
    const std::array<std::int64_t, 5> block = {image.size(channel) / (factor * factor), image.size(channel + 1), factor,
                                               image.size(channel + 2), factor};
    const std::array<std::int64_t, 5> block_strides = {wrapping_mul(step, factor * factor),
                                                       image.strides()[channel + 1], wrapping_mul(step, factor),
                                                       image.strides()[channel + 2], step};
    sizes.insert(sizes.end(), block.begin(), block.end());
    strides.insert(strides.end(), block_strides.begin(), block_strides.end());
    MS_TRY(shape, shape_of(sizes));
    return restrided(image, shape, Strides(std::span(strides)), image.offset());
}

template <Way way>
Result<Outputs> shape(const Args& args) {
    const Tensor& image = args.tensor(0);
    const std::int64_t factor = args.integer(1);
    const std::string_view before = way == Way::shuffle ? "upscale" : "downscale";
    const std::string_view name = way == Way::shuffle ? "pixel_shuffle" : "pixel_unshuffle";
    if (image.rank() < 3)
        return runtime_error("{} expects input to have at least 3 dimensions, but got input with {} dimension(s)", name,
                             image.rank());
    if (factor <= 0) return runtime_error("{} expects a positive {}_factor, but got {}", name, before, factor);
    const auto square = checked_mul(factor, factor);
    if (way == Way::shuffle && !square)
        return value_error("upscale factor is too large, (upscale_factor)^2 overflowed: upscale_factor={}", factor);
    Shape out = image.shape();
    const int channel = image.rank() - 3;
    if (way == Way::shuffle) {
        if (out[channel] % *square != 0)
            return runtime_error(
                "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of "
                "upscale_factor, but "
                "input.size(-3)={} is not divisible by {}",
                out[channel], *square);
        out[channel] /= *square;
    }
    for (int dim = channel + 1; dim < image.rank(); ++dim) {
        if (way == Way::shuffle) {
            out[dim] = wrapping_mul(out[dim], factor);
        } else if (out[dim] % factor != 0) {
            return runtime_error(
                "pixel_unshuffle expects {} to be divisible by downscale_factor, but input.size({})={} is "
                "not divisible by {}",
                dim == channel + 1 ? "height" : "width", dim - image.rank(), out[dim], factor);
        } else {
            out[dim] /= factor;
        }
    }
    if (way == Way::unshuffle) out[channel] = wrapping_mul(out[channel], square.value_or(0));
    std::vector<std::int64_t> in_between(static_cast<std::size_t>(image.rank()) + 2, 1);
    MS_CHECK(shape_of(in_between));
    MS_CHECK(countable(out));
    const Tensor* const inputs[] = {&image};
    return Outputs{{out, image.dtype(), channels_last_of(inputs, out)}};
}

template <Way way>
Result<void> kernel(const Args& args, std::span<Tensor> outputs, Run&) {
    const std::int64_t factor = args.integer(1);
    if (outputs[0].numel() == 0) return {};
    MS_TRY(blocks, in_blocks(way == Way::shuffle ? outputs[0] : args.tensor(0), factor));
    MS_TRY(channels, in_channels(way == Way::shuffle ? args.tensor(0) : outputs[0], factor));
    if (way == Way::shuffle)
        copy_elements(channels, blocks);
    else
        copy_elements(blocks, channels);
    return {};
}

}  // namespace

void add_pixel_shuffle(OpTable& table) {
    table.add(
        {"pixel_shuffle",
         "An image of r * r times the channels as one r times as high and wide: [C * r * r, H, W] becomes [C, H * r, "
         "W * r].",
         {computed("(Tensor input, int upscale_factor)", kFunction | kFunctional, shape<Way::shuffle>,
                   kernel<Way::shuffle>)},
         {"F.pixel_shuffle(x.view(4, 1, 3), 2)"}});
    table.add({"pixel_unshuffle",
               "Blocks of r by r pixels as channels: [C, H * r, W * r] becomes [C * r * r, H, W].",
               {computed("(Tensor input, int downscale_factor)", kFunction | kFunctional, shape<Way::unshuffle>,
                         kernel<Way::unshuffle>)},
               {"F.pixel_unshuffle(x.view(1, 2, 6), 2)"}});
}

}  // namespace maskscope::ops
