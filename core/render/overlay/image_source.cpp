// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/image_source.h"

#include <algorithm>

namespace maskscope::render {
namespace {

constexpr int kBlock = 512;  // pixels converted at a time

bool is_opaque(std::span<const std::array<std::uint8_t, 4>> palette) {
    return std::all_of(palette.begin(), palette.end(), [](const auto& colour) { return colour[3] == 255; });
}

Result<void> check(const Tensor& image, bool indexed) {
    const bool has_rank = image.rank() == 2 || image.rank() == 3;
    const std::int64_t channels = image.rank() == 3 ? image.size(2) : 1;
    if (!has_rank || channels < 1 || channels > 4)
        return input_error(
            MS_TEXT("an image has the shape [rows, columns] or [rows, columns, 1 to 4 channels], and this "
                    "tensor has {}"),
            text_of(image.shape()));
    if (image.numel() == 0)
        return input_error(MS_TEXT("an image of the shape {} has no pixel"), text_of(image.shape()));
    if (image.size(0) > INT32_MAX || image.size(1) > INT32_MAX)
        return input_error(MS_TEXT("an image of the shape {} is too large to be drawn"), text_of(image.shape()));
    if (!image.has_data()) return input_error(MS_TEXT("this image has a shape and no data"));
    if (indexed && (channels != 1 || (image.dtype() != DType::u8 && image.dtype() != DType::u16)))
        return input_error(MS_TEXT("palette indices are one channel of uint8 or uint16, and this image has {} of {}"),
                           channels, name_of(image.dtype()));
    return {};
}

void set_kind(ImageSource& source) {
    const DType dtype = source.tensor.dtype();
    if (dtype == DType::u8 || !source.palette.empty()) {
        source.level = LevelType::u8;
        source.largest = 255;
        source.full_alpha = 255;
    } else if (dtype == DType::u16) {
        source.level = LevelType::u16;
        source.largest = 65535;
        source.full_alpha = 65535;
    } else {
        source.level = LevelType::f32;
        source.full_alpha = is_floating(dtype) || dtype == DType::boolean ? 1 : 255;
    }
}

void multiply_alpha(float* pixels, std::int64_t count, int channels, float full) {
    for (std::int64_t i = 0; i < count; ++i, pixels += channels) {
        const float share = pixels[channels - 1] / full;
        // What no one sees may hold anything, NaN too.
        for (int c = 0; c + 1 < channels; ++c) pixels[c] = share == 0 ? 0 : pixels[c] * share;
    }
}

}  // namespace

std::size_t size_of(LevelType type) {
    return type == LevelType::u8 ? 1 : type == LevelType::u16 ? 2 : 4;
}

Result<ImageSource> ImageSource::of(const Tensor& image, std::span<const std::array<std::uint8_t, 4>> palette) {
    if (!image.defined()) return input_error(MS_TEXT("there is no image"));
    MS_CHECK(check(image, !palette.empty()));
    ImageSource out;
    out.tensor = image.rank() == 2 ? image.unsqueeze(2) : image;
    out.rows = image.size(0);
    out.cols = image.size(1);
    out.stored = static_cast<int>(out.tensor.size(2));
    out.palette.assign(palette.begin(), palette.end());
    out.shown = palette.empty() ? out.stored : is_opaque(palette) ? 3 : 4;
    set_kind(out);
    const auto& strides = out.tensor.strides();
    out.row_stride = strides[0] * static_cast<std::int64_t>(maskscope::size_of(image.dtype()));
    const bool side_by_side = (out.stored == 1 || strides[2] == 1) && (out.cols == 1 || strides[1] == out.stored);
    out.plain = image.dtype() == DType::u8 && palette.empty() && !out.has_alpha() && side_by_side;
    return out;
}

void ImageSource::read(std::int64_t row, std::int64_t col, std::int64_t count, float* out) const {
    std::array<float, kBlock> line;
    const auto& strides = tensor.strides();
    for (std::int64_t done = 0; done < count; done += kBlock) {
        const std::int64_t part = std::min<std::int64_t>(kBlock, count - done);
        float* to = out + done * shown;
        for (int channel = 0; channel < stored; ++channel) {
            const std::array<std::int64_t, 3> index{row, col + done, channel};
            convert_to_f32(tensor.address_of(index), tensor.dtype(), strides[1], part, line.data());
            if (palette.empty()) {
                for (std::int64_t i = 0; i < part; ++i) to[i * shown + channel] = line[static_cast<std::size_t>(i)];
                continue;
            }
            for (std::int64_t i = 0; i < part; ++i) {
                const auto entry = static_cast<std::size_t>(line[static_cast<std::size_t>(i)]);
                const auto colour = entry < palette.size() ? palette[entry] : std::array<std::uint8_t, 4>{0, 0, 0, 255};
                for (int c = 0; c < shown; ++c) to[i * shown + c] = colour[static_cast<std::size_t>(c)];
            }
        }
        if (has_alpha()) multiply_alpha(to, part, shown, static_cast<float>(full_alpha));
    }
}

}  // namespace maskscope::render
