// SPDX-License-Identifier: Apache-2.0
// Where an image's numbers come from, for the inspector and for writing it back: nothing of it has been applied to the
// pixels.
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace maskscope::io {

enum class PixelKind : std::uint8_t { grey, grey_alpha, rgb, rgba, palette };

struct ImageFacts {
    PixelKind kind = PixelKind::grey;
    int bit_depth = 8;                                 // in the file; the tensor has u8, u16 or f32
    std::vector<std::array<std::uint8_t, 4>> palette;  // r, g, b, a
    std::string channel_order;                         // "RGB", "" for one channel
    int orientation = 1;                               // EXIF 1 to 8, as stored: the pixels are not turned
    int page_count = 1;                                // TIFF
    bool floating = false;                             // samples are floating point
    bool white_is_zero = false;                        // TIFF's MinIsWhite; the values are as stored
    std::string compression;                           // "deflate", "JPEG, 4:2:0", "lossless WebP"
};

// "palette indices, 8 bit", "RGB, 8 bit, JPEG 4:2:0; EXIF says: turn 90 degrees clockwise"
std::string describe(const ImageFacts& facts);
// "as stored" for 1, else what EXIF asks of a viewer: "turn 90 degrees clockwise".
std::string orientation_text(int orientation);
// The orientation in a TIFF-structured EXIF block (what follows "Exif\0\0" in JPEG, the eXIf chunk of PNG, the EXIF
// chunk of WebP); 1 where there is none. Never fails: a broken block says nothing.
int exif_orientation(std::span<const std::byte> block);

// The VOC palette: index bits interleaved (1 = 128 0 0, 15 = 192 128 128, 255 = 224 224 192).
std::vector<std::array<std::uint8_t, 4>> voc_palette();

}  // namespace maskscope::io
