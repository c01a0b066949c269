// SPDX-License-Identifier: Apache-2.0
// What a TIFF page says of itself: its samples, what they mean, and whether they are read.
#include "core/io/limits.h"
#include "core/io/tiff_handle.h"

#include <optional>

#include <tiffio.h>

namespace maskscope::io {
namespace {

// LZW's longest string is 4096 bytes for 12 bits; LZMA, Zstandard and WebP can do far better than deflate.
constexpr std::uint64_t kMostLzwRatio = 4096 * 8 / 12;
constexpr std::uint64_t kMostPackedRatio = 64 * kMaxInflateRatio;
constexpr std::uint16_t kMostChannels = 1024;

// Tags that a file may leave out have the value that TIFF gives them.
template <class T>
T field(TIFF* tiff, std::uint32_t tag, T otherwise) {
    T value = otherwise;
    return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : otherwise;
}

std::optional<DType> dtype_of(int bits, std::uint16_t format) {
    const bool floating = format == SAMPLEFORMAT_IEEEFP;
    const bool is_signed = format == SAMPLEFORMAT_INT;
    if (!floating && !is_signed && format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) return std::nullopt;
    switch (bits) {
        case 1:
        case 2:
        case 4:
            return floating || is_signed ? std::nullopt : std::optional(DType::u8);
        case 8:
            return floating ? std::nullopt : std::optional(is_signed ? DType::i8 : DType::u8);
        case 16:
            return floating ? DType::f16 : is_signed ? DType::i16 : DType::u16;
        case 32:
            return floating ? DType::f32 : is_signed ? DType::i32 : DType::u32;
        case 64:
            return floating ? DType::f64 : is_signed ? DType::i64 : DType::u64;
        default:
            return std::nullopt;
    }
}

std::string compression_text(std::uint16_t compression) {
    switch (compression) {
        case COMPRESSION_NONE:
            return "uncompressed";
        case COMPRESSION_CCITTRLE:
        case COMPRESSION_CCITTRLEW:
        case COMPRESSION_CCITTFAX3:
        case COMPRESSION_CCITTFAX4:
            return "fax compression";
        case COMPRESSION_LZW:
            return "LZW";
        case COMPRESSION_JPEG:
            return "JPEG";
        case COMPRESSION_ADOBE_DEFLATE:
        case COMPRESSION_DEFLATE:
            return "deflate";
        case COMPRESSION_PACKBITS:
            return "PackBits";
        case COMPRESSION_LZMA:
            return "LZMA";
        case COMPRESSION_ZSTD:
            return "Zstandard";
        case COMPRESSION_WEBP:
            return "WebP";
        default:
            return fmt::format("compression {}", compression);
    }
}

std::uint64_t most_ratio(std::uint16_t compression) {
    switch (compression) {
        case COMPRESSION_NONE:
            return 1;
        case COMPRESSION_LZW:
            return kMostLzwRatio;
        case COMPRESSION_ADOBE_DEFLATE:
        case COMPRESSION_DEFLATE:
        case COMPRESSION_PACKBITS:
            return kMaxInflateRatio;
        default:
            return kMostPackedRatio;
    }
}

std::string colours_text(std::uint16_t photometric) {
    switch (photometric) {
        case PHOTOMETRIC_SEPARATED:
            return "inks (CMYK)";
        case PHOTOMETRIC_YCBCR:
            return "YCbCr";
        case PHOTOMETRIC_CIELAB:
        case PHOTOMETRIC_ICCLAB:
        case PHOTOMETRIC_ITULAB:
            return "CIE L*a*b*";
        case PHOTOMETRIC_LOGL:
        case PHOTOMETRIC_LOGLUV:
            return "LogLuv";
        case PHOTOMETRIC_CFA:
            return "a camera's raw pattern";
        default:
            return fmt::format("of kind {}", photometric);
    }
}

std::vector<std::array<std::uint8_t, 4>> palette_of(TIFF* tiff, int bits) {
    std::uint16_t* red = nullptr;
    std::uint16_t* green = nullptr;
    std::uint16_t* blue = nullptr;
    std::vector<std::array<std::uint8_t, 4>> out;
    if (bits > 8 || TIFFGetField(tiff, TIFFTAG_COLORMAP, &red, &green, &blue) != 1) return out;
    const std::size_t count = std::size_t{1} << static_cast<unsigned>(bits);
    // Colours have 16 bit, but old writers put 8 bit there.
    bool wide = false;
    for (std::size_t i = 0; i < count; ++i) wide = wide || red[i] > 255 || green[i] > 255 || blue[i] > 255;
    const auto part = [&](std::uint16_t value) { return static_cast<std::uint8_t>(wide ? value >> 8 : value); };
    for (std::size_t i = 0; i < count; ++i) out.push_back({part(red[i]), part(green[i]), part(blue[i]), 255});
    return out;
}

// What the samples mean; false when they are not read.
bool set_kind(TIFF* tiff, TiffPage& page, std::uint16_t photometric, std::uint16_t compression) {
    auto& facts = page.facts;
    const auto channels = page.grid.channels;
    switch (photometric) {
        case PHOTOMETRIC_MINISWHITE:
        case PHOTOMETRIC_MINISBLACK:
        case PHOTOMETRIC_MASK:
            facts.white_is_zero = photometric == PHOTOMETRIC_MINISWHITE;
            facts.kind = channels == 2 ? PixelKind::grey_alpha : PixelKind::grey;
            if (channels > 2) page.note = fmt::format("{} samples a pixel", channels);
            return true;
        case PHOTOMETRIC_PALETTE:
            facts.kind = PixelKind::palette;
            facts.palette = palette_of(tiff, page.bits);
            return true;
        case PHOTOMETRIC_YCBCR:
            // libtiff makes RGB of it, as for any JPEG; of other YCbCr it hands out packed blocks.
            if (compression != COMPRESSION_JPEG || TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB) != 1)
                return false;
            [[fallthrough]];
        case PHOTOMETRIC_RGB:
            if (channels < 3) return false;
            facts.kind = channels == 3 ? PixelKind::rgb : PixelKind::rgba;
            facts.channel_order = channels == 3 ? "RGB" : channels == 4 ? "RGBA" : "";
            if (channels > 4) page.note = fmt::format("{} samples a pixel", channels);
            return true;
        default:
            return false;
    }
}

void set_refusal(TIFF* tiff, TiffPage& page, std::uint16_t photometric, std::uint16_t format, bool known_kind) {
    const auto compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    if (compression == COMPRESSION_OJPEG) {
        page.refused = "its JPEG is of the kind that TIFF gave up in 1995, which is not read";
    } else if (TIFFIsCODECConfigured(compression) == 0) {
        page.refused =
            fmt::format("it is compressed in a way that this libtiff cannot undo ({})", compression_text(compression));
    } else if (!known_kind) {
        page.refused = fmt::format("its colours are {}, which are not read; save it as RGB", colours_text(photometric));
    } else if (!dtype_of(page.bits, format)) {
        const char* kind = format == SAMPLEFORMAT_IEEEFP       ? "floating-point "
                           : format >= SAMPLEFORMAT_COMPLEXINT ? "complex "
                           : format == SAMPLEFORMAT_INT        ? "signed "
                                                               : "";
        page.refused = fmt::format("it has {}samples of {} bit, which are not read", kind, page.bits);
    } else if (page.bits < 8 && page.grid.channels > 1) {
        page.refused =
            fmt::format("it packs {} samples of {} bit a pixel, which are not read", page.grid.channels, page.bits);
    }
}

}  // namespace

Result<TiffPage> TiffHandle::page() const {
    TiffPage out;
    out.offset = TIFFCurrentDirOffset(tiff_);
    const auto channels = field<std::uint16_t>(tiff_, TIFFTAG_SAMPLESPERPIXEL, 1);
    if (channels > kMostChannels)
        return input_error(MS_TEXT("the TIFF claims {} samples a pixel, more than are read"), channels).at(out.offset);
    const auto format = field<std::uint16_t>(tiff_, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const auto compression = field<std::uint16_t>(tiff_, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    std::uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    if (TIFFGetField(tiff_, TIFFTAG_PHOTOMETRIC, &photometric) != 1)
        photometric = channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    out.bits = field<std::uint16_t>(tiff_, TIFFTAG_BITSPERSAMPLE, 1);
    out.grid = {field<std::uint32_t>(tiff_, TIFFTAG_IMAGELENGTH, 0), field<std::uint32_t>(tiff_, TIFFTAG_IMAGEWIDTH, 0),
                channels, dtype_of(out.bits, format).value_or(DType::u8)};
    out.separate =
        channels > 1 && field<std::uint16_t>(tiff_, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    out.most_ratio = most_ratio(compression);
    out.fax = compression_text(compression) == compression_text(COMPRESSION_CCITTFAX4);
    out.facts.bit_depth = out.bits;
    out.facts.floating = format == SAMPLEFORMAT_IEEEFP;
    out.facts.compression = compression_text(compression);
    const auto orientation = field<std::uint16_t>(tiff_, TIFFTAG_ORIENTATION, 1);
    out.facts.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    const bool known_kind = set_kind(tiff_, out, photometric, compression);
    set_refusal(tiff_, out, photometric, format, known_kind);
    return out;
}

Result<void> check_claim(const TiffPage& page, std::size_t bytes, std::size_t file_bytes) {
    // A fax row of one colour takes a bit.
    const std::uint64_t samples = bytes / size_of(page.grid.dtype);
    const bool too_much = page.fax ? static_cast<std::uint64_t>(page.grid.height) / 8 > file_bytes
                                   : samples / 8 * static_cast<std::uint64_t>(page.bits) / page.most_ratio > file_bytes;
    if (!too_much) return {};
    return input_error(MS_TEXT("the TIFF claims {} x {} pixels, more than {} bytes of file can hold"), page.grid.width,
                       page.grid.height, file_bytes)
        .at(page.offset);
}

}  // namespace maskscope::io
