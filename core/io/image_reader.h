// SPDX-License-Identifier: Apache-2.0
// What the readers of images share: which of them a file belongs to, and the item that they make.
#pragma once

#include "core/io/format.h"
#include "core/io/image_facts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace maskscope::io {

// "png", "jpeg", "tiff", "webp" by the first bytes; "" for all else.
std::string_view image_magic(std::span<const std::byte> head);
// The bytes decide. Only where they are nobody's does the extension count: the reader then says what is wrong.
bool is_image(std::span<const std::byte> head, std::string_view extension, std::string_view format,
              std::span<const std::string_view> extensions);

// [height, width] or [height, width, channels], with names, bytes and note; `load` is left to the caller. Refuses sides
// beyond kMaxImageSide and sizes that 63 bits cannot count.
struct PixelGrid {
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 1;
    DType dtype = DType::u8;
    friend bool operator==(const PixelGrid&, const PixelGrid&) = default;
};
Shape image_shape(const PixelGrid& grid);
Result<Item> image_item(const PixelGrid& grid, ImageFacts facts);

// A library's message as text for a sentence: it may quote bytes of the file.
void make_printable(std::span<char> text);

}  // namespace maskscope::io
