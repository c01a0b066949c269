// SPDX-License-Identifier: Apache-2.0
#include "core/mask/fill.h"
#include "core/mask/flood.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace maskscope::mask {
namespace {

// The image's rows of pixels as numbers, whatever its strides and dtype.
class Pixels {
public:
    Pixels(const Tensor& image, std::int64_t row, std::int64_t col, double tolerance)
        : image_(image), channels_(image.rank() == 3 ? image.size(2) : 1), tolerance_(tolerance) {
        for (std::int64_t c = 0; c < channels_; ++c) {
            double value = 0;
            convert_to_f64(address(row, col, c), image_.dtype(), 1, 1, &value);
            seed_.push_back(value);
        }
    }

    // Which of the pixels [col, col + count) of a row are like the seed's; at most 64.
    std::uint64_t like_seed(std::int64_t row, std::int64_t col, std::int64_t count) const {
        Flags flags;
        flags.fill(1);
        for (std::int64_t c = 0; c < channels_; ++c) {
            const auto* values = address(row, col, c);
            const double seed = seed_[static_cast<std::size_t>(c)];
            switch (image_.dtype()) {
                case DType::u8:
                    compare_whole<std::uint8_t>(values, seed, count, flags);
                    break;
                case DType::u16:
                    compare_whole<std::uint16_t>(values, seed, count, flags);
                    break;
                default:
                    compare_floating(values, seed, count, flags);
                    break;
            }
        }
        return packed(flags);
    }

private:
    using Flags = std::array<std::uint8_t, kTileSide>;  // 0 or 1; bytes, so that compilers make vectors of them

    static std::uint64_t packed(const Flags& flags) {
        constexpr std::uint64_t kGather = 0x0102040810204080;  // the lowest bit of each byte into the highest byte
        std::uint64_t out = 0;
        for (std::size_t i = 0; i < flags.size(); i += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, flags.data() + i, sizeof bytes);
            out |= (bytes * kGather >> 56) << i;
        }
        return out;
    }

    const std::byte* address(std::int64_t row, std::int64_t col, std::int64_t channel) const {
        const auto& strides = image_.strides();
        const auto offset = row * strides[0] + col * strides[1] + (image_.rank() == 3 ? channel * strides[2] : 0);
        return image_.data() + offset * static_cast<std::int64_t>(size_of(image_.dtype()));
    }

    // What is within the tolerance is a range of whole numbers: one subtraction and one comparison, without a sign.
    template <class T>
    void compare_whole(const std::byte* values, double seed, std::int64_t count, Flags& flags) const {
        const auto low = static_cast<T>(std::ceil(std::max(seed - tolerance_, 0.0)));
        const auto high = static_cast<T>(std::floor(std::min(seed + tolerance_, largest_finite(image_.dtype()))));
        const auto width = static_cast<T>(high - low);
        const auto stride = image_.strides()[1] * static_cast<std::int64_t>(sizeof(T));
        for (std::int64_t i = 0; i < count; ++i) {
            T value;
            std::memcpy(&value, values + i * stride, sizeof value);
            flags[static_cast<std::size_t>(i)] &= static_cast<T>(value - low) <= width ? 1 : 0;
        }
    }

    // Equal infinities are alike though their difference is no number; NaN is like nothing.
    void compare_floating(const std::byte* values, double seed, std::int64_t count, Flags& flags) const {
        std::array<double, kTileSide> numbers{};
        convert_to_f64(values, image_.dtype(), image_.strides()[1], count, numbers.data());
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
            flags[i] &= std::abs(numbers[i] - seed) <= tolerance_ || numbers[i] == seed ? 1 : 0;
    }

    const Tensor& image_;
    std::int64_t channels_;
    double tolerance_;
    std::vector<double> seed_;
};

Result<void> check(const Tensor& image, std::int64_t row, std::int64_t col, double tolerance) {
    if (!image.defined() || image.rank() < 2 || image.rank() > 3)
        return usage_error(MS_TEXT("the wand needs an image of the shape [rows, columns] or [rows, columns, channels], "
                                   "and here it is {}"),
                           image.defined() ? text_of(image.shape()) : "none");
    const auto dtype = image.dtype();
    if (dtype != DType::u8 && dtype != DType::u16 && !is_floating(dtype))
        return usage_error(MS_TEXT("the wand reads uint8, uint16 and floating images, and this one is {}"),
                           name_of(dtype));
    if (image.rank() == 3 && image.size(2) < 1) return usage_error(MS_TEXT("the image has no channels"));
    constexpr std::int64_t kMostSide = std::numeric_limits<std::int32_t>::max();
    if (image.size(0) > kMostSide || image.size(1) > kMostSide)
        return usage_error(MS_TEXT("the image has a side of more than {} pixels"), kMostSide);
    if (!Rect{0, 0, image.size(0), image.size(1)}.contains(row, col))
        return usage_error(MS_TEXT("there is no pixel at row {}, column {}: the image has {} rows and {} columns"), row,
                           col, image.size(0), image.size(1));
    if (!(tolerance >= 0)) return usage_error(MS_TEXT("a tolerance is zero or more, and here it is {}"), tolerance);
    return {};
}

}  // namespace

Result<Region> wand(const Tensor& image, std::int64_t row, std::int64_t col, const WandOptions& options,
                    const JobContext& context) {
    MS_CHECK(check(image, row, col, options.tolerance));
    const Pixels pixels(image, row, col, options.tolerance);
    const TileGrid grid{image.size(0), image.size(1)};
    const auto matches = [&](std::int64_t tile, TileBits& bits) {
        const Rect rect = grid.rect_of(tile);
        for (std::int64_t r = 0; r < rect.rows; ++r)
            bits[static_cast<std::size_t>(r)] = pixels.like_seed(rect.row + r, rect.col, rect.cols);
        return Coverage::some;
    };
    if (!options.anywhere) return flood(grid, row, col, options.neighbours, matches, context);
    auto out = region_of_tiles(grid, matches, context);
    if (context.cancelled()) return cancelled_error();
    return out;
}

}  // namespace maskscope::mask
