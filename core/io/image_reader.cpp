// SPDX-License-Identifier: Apache-2.0
#include "core/io/image_reader.h"

#include "core/base/checked.h"
#include "core/io/limits.h"

#include <algorithm>
#include <array>

namespace maskscope::io {
namespace {

struct Magic {
    std::string_view bytes;
    std::string_view format;
};
constexpr std::array<Magic, 6> kMagics = {{
    {{"\x89PNG\r\n\x1a\n", 8}, "png"},
    {{"\xff\xd8\xff", 3}, "jpeg"},
    {{"II*\0", 4}, "tiff"},
    {{"MM\0*", 4}, "tiff"},
    {{"II+\0", 4}, "tiff"},  // BigTIFF
    {{"MM\0+", 4}, "tiff"},
}};

}  // namespace

std::string_view image_magic(std::span<const std::byte> head) {
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    for (const auto& magic : kMagics)
        if (text.starts_with(magic.bytes)) return magic.format;
    if (text.size() >= 12 && text.starts_with("RIFF") && text.substr(8, 4) == "WEBP") return "webp";
    return {};
}

bool is_image(std::span<const std::byte> head, std::string_view extension, std::string_view format,
              std::span<const std::string_view> extensions) {
    const auto magic = image_magic(head);
    if (!magic.empty()) return magic == format;
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

Shape image_shape(const PixelGrid& grid) {
    return grid.channels > 1 ? Shape{grid.height, grid.width, grid.channels} : Shape{grid.height, grid.width};
}

Result<Item> image_item(const PixelGrid& grid, ImageFacts facts) {
    if (grid.height < 1 || grid.width < 1 || grid.channels < 1)
        return input_error(MS_TEXT("the image has no pixels ({} x {})"), grid.width, grid.height);
    if (grid.height > kMaxImageSide || grid.width > kMaxImageSide)
        return input_error(MS_TEXT("the image claims {} x {} pixels; a side of more than {} is not read"), grid.width,
                           grid.height, kMaxImageSide);
    Item item;
    item.dtype = grid.dtype;
    item.shape = image_shape(grid);
    item.dim_names = {"height", "width"};
    if (grid.channels > 1) item.dim_names.emplace_back("channel");
    const auto count = element_count(item.shape);
    const auto bytes = count ? checked_mul(*count, static_cast<std::int64_t>(size_of(grid.dtype))) : std::nullopt;
    if (!bytes)
        return input_error(MS_TEXT("the image claims {} x {} pixels of {} channels: too many to count"), grid.width,
                           grid.height, grid.channels);
    item.bytes = static_cast<std::size_t>(*bytes);
    item.note = describe(facts);
    item.image = std::make_shared<const ImageFacts>(std::move(facts));
    return item;
}

void make_printable(std::span<char> text) {
    for (char& c : text)
        if (c != '\0' && (c < ' ' || c > '~')) c = '?';
}

}  // namespace maskscope::io
