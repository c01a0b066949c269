// SPDX-License-Identifier: Apache-2.0
#include "core/io/image_facts.h"

#include <fmt/format.h>

#include <optional>

namespace maskscope::io {
namespace {

constexpr std::uint16_t kOrientationTag = 0x0112;
constexpr std::uint16_t kShortType = 3;
constexpr std::size_t kEntryBytes = 12;

// Numbers of a TIFF structure, in its own byte order; nothing where the block ends before.
class Block {
public:
    static std::optional<Block> of(std::span<const std::byte> bytes) {
        if (bytes.size() < 8 || bytes[0] != bytes[1]) return std::nullopt;
        const auto mark = static_cast<char>(bytes[0]);
        if (mark != 'I' && mark != 'M') return std::nullopt;
        Block block(bytes, mark == 'M');
        if (block.number(2, 2) != 42U) return std::nullopt;
        return block;
    }

    std::optional<std::uint32_t> number(std::size_t at, std::size_t width) const {
        if (at > bytes_.size() || bytes_.size() - at < width) return std::nullopt;
        std::uint32_t out = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t place = big_endian_ ? i : width - 1 - i;
            out = (out << 8U) | static_cast<std::uint32_t>(bytes_[at + place]);
        }
        return out;
    }

private:
    Block(std::span<const std::byte> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

    std::span<const std::byte> bytes_;
    bool big_endian_;
};

const char* kind_text(PixelKind kind) {
    switch (kind) {
        case PixelKind::palette:
            return "palette indices";
        case PixelKind::grey_alpha:
            return "grey and alpha";
        case PixelKind::rgb:
            return "RGB";
        case PixelKind::rgba:
            return "RGB and alpha";
        case PixelKind::grey:
            break;
    }
    return "grey";
}

}  // namespace

std::string describe(const ImageFacts& facts) {
    std::string out =
        fmt::format("{}, {} bit{}", kind_text(facts.kind), facts.bit_depth, facts.floating ? " float" : "");
    // Every PNG is deflated; it says nothing.
    if (!facts.compression.empty() && facts.compression != "deflate") out += ", " + facts.compression;
    if (facts.white_is_zero) out += "; 0 is white (MinIsWhite)";
    if (facts.orientation != 1) out += "; EXIF says: " + orientation_text(facts.orientation);
    return out;
}

std::string orientation_text(int orientation) {
    switch (orientation) {
        case 2:
            return "mirror left and right";
        case 3:
            return "turn 180 degrees";
        case 4:
            return "mirror top and bottom";
        case 5:
            return "swap rows and columns";
        case 6:
            return "turn 90 degrees clockwise";
        case 7:
            return "swap rows and columns, then turn 180 degrees";
        case 8:
            return "turn 90 degrees counter-clockwise";
        default:
            return "as stored";
    }
}

int exif_orientation(std::span<const std::byte> block) {
    const auto tiff = Block::of(block);
    if (!tiff) return 1;
    const std::size_t directory = tiff->number(4, 4).value_or(0);
    const auto entries = tiff->number(directory, 2);
    if (directory == 0 || !entries) return 1;
    for (std::size_t i = 0; i < *entries; ++i) {
        const std::size_t at = directory + 2 + i * kEntryBytes;
        const auto tag = tiff->number(at, 2);
        if (!tag) return 1;
        if (*tag != kOrientationTag) continue;
        const auto value = tiff->number(at + 8, 2);
        const bool sound = tiff->number(at + 2, 2) == kShortType && tiff->number(at + 4, 4) == 1;
        return sound && value && *value >= 1 && *value <= 8 ? static_cast<int>(*value) : 1;
    }
    return 1;
}

std::vector<std::array<std::uint8_t, 4>> voc_palette() {
    std::vector<std::array<std::uint8_t, 4>> out(256, {0, 0, 0, 255});
    for (unsigned index = 0; index < 256; ++index) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            for (unsigned channel = 0; channel < 3 && channel + 3 * bit < 8; ++channel) {
                const unsigned one = (index >> (channel + 3 * bit)) & 1U;
                out[index][channel] = static_cast<std::uint8_t>(out[index][channel] | (one << (7 - bit)));
            }
        }
    }
    return out;
}

}  // namespace maskscope::io
