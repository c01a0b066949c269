// SPDX-License-Identifier: Apache-2.0
// The pixels of a TIFF page: strips or tiles, channels together or apart, brought into one row-major tensor.
#include "core/base/checked.h"
#include "core/io/tiff_handle.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include <tiffio.h>

namespace maskscope::io {
namespace {

constexpr std::uint64_t kMostBlockBytes = std::uint64_t{1} << 31U;  // of one strip or tile

// Strips are tiles as wide as the image.
struct Blocks {
    bool tiled = false;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::size_t row_bytes = 0;  // of a block's row as libtiff hands it out
    std::size_t bytes = 0;
};

Result<Blocks> blocks_of(TIFF* tiff, const TiffPage& page, std::size_t file_bytes) {
    Blocks out;
    out.tiled = TIFFIsTiled(tiff) != 0;
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    if (out.tiled) {
        TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows);
        TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &cols);
    } else {
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        rows = static_cast<std::uint32_t>(std::min<std::int64_t>(rows, page.grid.height));
        cols = static_cast<std::uint32_t>(page.grid.width);
    }
    out.rows = rows;
    out.cols = cols;
    const tmsize_t row_bytes = out.tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
    const tmsize_t bytes = out.tiled ? TIFFTileSize(tiff) : TIFFStripSize(tiff);
    const std::int64_t samples = page.separate ? 1 : page.grid.channels;
    const auto in_row = checked_mul<std::int64_t>(out.cols, samples * page.bits);
    const bool sound = rows > 0 && cols > 0 && row_bytes > 0 && bytes > 0 && in_row && (*in_row + 7) / 8 <= row_bytes &&
                       bytes / row_bytes >= out.rows;
    // A block that the file cannot fill is not worth its memory.
    const bool fits = page.fax || static_cast<std::uint64_t>(bytes) / page.most_ratio <= file_bytes;
    if (!sound || !fits || static_cast<std::uint64_t>(bytes) > kMostBlockBytes)
        return input_error(MS_TEXT("the TIFF's {} have an impossible size ({} x {})"), out.tiled ? "tiles" : "strips",
                           cols, rows)
            .at(page.offset);
    out.row_bytes = static_cast<std::size_t>(row_bytes);
    out.bytes = static_cast<std::size_t>(bytes);
    return out;
}

// Samples of 1, 2 or 4 bit, the first in the highest bits.
void unpack(const std::byte* packed, int bits, std::int64_t count, std::byte* out) {
    const auto width = static_cast<unsigned>(bits);
    const unsigned mask = (1U << width) - 1;
    const std::int64_t in_byte = 8 / bits;
    for (std::int64_t i = 0; i < count; ++i) {
        const unsigned shift = 8 - width * (static_cast<unsigned>(i % in_byte) + 1);
        out[i] = static_cast<std::byte>((static_cast<unsigned>(packed[i / in_byte]) >> shift) & mask);
    }
}

// Where a block lies in the image.
struct Place {
    std::int64_t row = 0;
    std::int64_t col = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t channel = 0;  // where channels are apart
};

void put_block(const TiffPage& page, const Blocks& blocks, const Place& place, const std::byte* from, std::byte* out) {
    const auto size = static_cast<std::int64_t>(size_of(page.grid.dtype));
    const std::int64_t pixel = size * page.grid.channels;
    for (std::int64_t r = 0; r < place.rows; ++r, from += blocks.row_bytes) {
        std::byte* row = out + ((place.row + r) * page.grid.width + place.col) * pixel;
        if (page.bits < 8) {
            unpack(from, page.bits, place.cols, row);
        } else if (!page.separate) {
            std::memcpy(row, from, static_cast<std::size_t>(place.cols * pixel));
        } else {
            for (std::int64_t c = 0; c < place.cols; ++c)
                std::memcpy(row + c * pixel + place.channel * size, from + c * size, static_cast<std::size_t>(size));
        }
    }
}

}  // namespace

Result<void> TiffHandle::read_block(const TiffPage& page, std::uint32_t block, std::span<std::byte> buffer) {
    const auto size = static_cast<tmsize_t>(buffer.size());
    const tmsize_t got = TIFFIsTiled(tiff_) != 0 ? TIFFReadEncodedTile(tiff_, block, buffer.data(), size)
                                                 : TIFFReadEncodedStrip(tiff_, block, buffer.data(), size);
    if (got < size || warned_) {
        if (message_[0] == '\0')
            return input_error(MS_TEXT("this TIFF cannot be read: block {} is too short"), block).at(page.offset);
        return problem();
    }
    return {};
}

Result<void> TiffHandle::pixels(const TiffPage& page, std::byte* out, const JobContext& context) {
    MS_TRY(blocks, blocks_of(tiff_, page, file_->bytes().size()));
    const auto& grid = page.grid;
    std::vector<std::byte> buffer(blocks.bytes);
    std::uint32_t block = 0;
    for (std::int64_t plane = 0; plane < (page.separate ? grid.channels : 1); ++plane) {
        for (std::int64_t row = 0; row < grid.height; row += blocks.rows) {
            for (std::int64_t col = 0; col < grid.width; col += blocks.cols, ++block) {
                if (context.cancelled()) return cancelled_error();
                const Place place{row, col, std::min(blocks.rows, grid.height - row),
                                  std::min(blocks.cols, grid.width - col), plane};
                // The last strip ends with the image, tiles are whole.
                const auto rows = static_cast<std::size_t>(blocks.tiled ? blocks.rows : place.rows);
                MS_CHECK(read_block(page, block, std::span(buffer).first(rows * blocks.row_bytes)));
                put_block(page, blocks, place, buffer.data(), out);
            }
        }
    }
    return {};
}

Result<Tensor> load_tiff_page(const std::shared_ptr<const MappedFile>& file, const TiffPage& page,
                              const JobContext& context) {
    MS_TRY(tensor, Tensor::zeros(image_shape(page.grid), page.grid.dtype));
    MS_TRY(tiff, TiffHandle::open(file));
    MS_CHECK(tiff->go_to(page.offset));
    MS_TRY(now, tiff->page());
    if (file->changed() || !(now.grid == page.grid) || now.bits != page.bits || now.separate != page.separate)
        return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    MS_CHECK(tiff->pixels(page, tensor.writable_data(), context));
    if (file->changed()) return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    return tensor;
}

}  // namespace maskscope::io
