// SPDX-License-Identifier: Apache-2.0
// Tensors and views that the tests of overlays are made of.
#pragma once

#include "core/mask/plane.h"
#include "core/render/pool/viewport.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace maskscope::test {

template <class T>
Tensor tensor_of(const Shape& shape, DType dtype, const std::function<T(std::int64_t)>& value) {
    Tensor out = *Tensor::uninitialised(shape, dtype);
    T* to = out.writable_as<T>();
    for (std::int64_t i = 0; i < out.numel(); ++i) to[i] = value(i);
    return out;
}

inline Tensor random_bytes(const Shape& shape, unsigned seed) {
    std::mt19937 random(seed);
    return tensor_of<std::uint8_t>(shape, DType::u8,
                                   [&](std::int64_t) { return static_cast<std::uint8_t>(random() & 0xffU); });
}

inline render::Viewport view(double col0, double row0, double pitch, int width, int height) {
    return {.col0 = col0, .row0 = row0, .pitch = pitch, .width = width, .height = height};
}

// The cells of a pixel along a side, by the rules of the grid and written down anew: [begin, end), empty outside.
struct CellSpan {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};
inline CellSpan cells_under(double origin, double pitch, int pixel, std::int64_t cells) {
    const std::int64_t at = std::llround(origin * pitch) + pixel;
    if (pitch >= 1) {
        const auto size = static_cast<std::int64_t>(pitch);
        if (at < 0 || at >= cells * size) return {};
        return {at / size, at / size + 1};
    }
    const auto begin = static_cast<std::int64_t>(std::floor(static_cast<double>(at) / pitch));
    const auto end = static_cast<std::int64_t>(std::floor(static_cast<double>(at + 1) / pitch));
    if (at < 0 || begin >= cells) return {};
    return {begin, std::min(end, cells)};
}

}  // namespace maskscope::test
