// SPDX-License-Identifier: Apache-2.0
// How the elements of an image tensor become channels to draw: palette looked up, alpha multiplied in.
#pragma once

#include "core/base/result.h"
#include "core/tensor/tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope::render {

// What a level stores for a channel.
enum class LevelType : std::uint8_t { u8, u16, f32 };
std::size_t size_of(LevelType type);

struct ImageSource {
    Tensor tensor;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    int stored = 1;         // channels of the tensor
    int shown = 1;          // after the palette; 2 and 4: alpha last
    double full_alpha = 1;  // the stored value of an opaque pixel
    LevelType level = LevelType::f32;
    int largest = 0;  // values are whole numbers up to it; 0: any
    // u8 without alpha and palette, the channels of a pixel and the pixels of a row side by side.
    bool plain = false;
    std::int64_t row_stride = 0;  // bytes
    std::vector<std::array<std::uint8_t, 4>> palette;

    static Result<ImageSource> of(const Tensor& image, std::span<const std::array<std::uint8_t, 4>> palette);

    bool has_alpha() const { return shown == 2 || shown == 4; }
    int colours() const { return has_alpha() ? shown - 1 : shown; }
    const std::uint8_t* plain_row(std::int64_t row) const {
        return reinterpret_cast<const std::uint8_t*>(tensor.data()) + row * row_stride;
    }
    // `count` pixels of `shown` numbers each. Colours are multiplied by alpha / full_alpha.
    void read(std::int64_t row, std::int64_t col, std::int64_t count, float* out) const;
};

}  // namespace maskscope::render
