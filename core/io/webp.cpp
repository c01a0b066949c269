// SPDX-License-Identifier: Apache-2.0
// WebP: RGB or RGB with alpha of 8 bit, lossy or lossless, as stored, not turned. Of animations nothing is read.
#include "core/io/image_reader.h"

#include <array>
#include <memory>
#include <string>

#include <webp/decode.h>
#include <webp/demux.h>

namespace maskscope::io {
namespace {

using FilePointer = std::shared_ptr<const MappedFile>;

constexpr std::array<std::string_view, 1> kExtensions = {".webp"};

const std::uint8_t* data_of(std::span<const std::byte> bytes) {
    return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

// libwebp tells no byte offset.
Error problem(VP8StatusCode status) {
    const char* what = "the data are damaged";
    switch (status) {
        case VP8_STATUS_NOT_ENOUGH_DATA:
            what = "the file ends too early";
            break;
        case VP8_STATUS_OUT_OF_MEMORY:
            return make_error(ErrorKind::unavailable, MS_TEXT("there is not enough memory to decode the WebP"));
        case VP8_STATUS_UNSUPPORTED_FEATURE:
            what = "it uses a feature that libwebp does not know";
            break;
        default:
            break;
    }
    return input_error(MS_TEXT("this WebP cannot be decoded: {}"), what);
}

int orientation(std::span<const std::byte> bytes) {
    const WebPData data{data_of(bytes), bytes.size()};
    const std::unique_ptr<WebPDemuxer, void (*)(WebPDemuxer*)> demuxer(WebPDemux(&data), WebPDemuxDelete);
    WebPChunkIterator chunk{};
    if (!demuxer || WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) == 0) return 1;
    auto block = std::as_bytes(std::span(chunk.chunk.bytes, chunk.chunk.size));
    constexpr std::string_view kPrefix("Exif\0\0", 6);  // some writers leave JPEG's prefix there
    const std::string_view text(reinterpret_cast<const char*>(block.data()), block.size());
    if (text.starts_with(kPrefix)) block = block.subspan(kPrefix.size());
    const int out = exif_orientation(block);
    WebPDemuxReleaseChunkIterator(&chunk);
    return out;
}

Result<Tensor> load_pixels(const FilePointer& file, const Shape& shape, const JobContext& context) {
    if (context.cancelled()) return cancelled_error();
    MS_TRY(tensor, Tensor::zeros(shape, DType::u8));
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0)
        return make_error(ErrorKind::unavailable, MS_TEXT("libwebp could not be started"));
    config.output.colorspace = shape[2] == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<std::uint8_t*>(tensor.writable_data());
    config.output.u.RGBA.stride = static_cast<int>(shape[1] * shape[2]);
    config.output.u.RGBA.size = tensor.byte_size();
    const auto bytes = file->bytes();
    // It refuses a picture that does not fit the memory given.
    const auto status = WebPDecode(data_of(bytes), bytes.size(), &config);
    WebPFreeDecBuffer(&config.output);
    if (file->changed()) return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    if (status != VP8_STATUS_OK) return problem(status);
    if (context.cancelled()) return cancelled_error();
    return tensor;
}

Result<FileContents> read_webp(const FilePointer& file, const JobContext& /*context*/) {
    const auto bytes = file->bytes();
    WebPBitstreamFeatures features{};
    const auto status = WebPGetFeatures(data_of(bytes), bytes.size(), &features);
    if (status != VP8_STATUS_OK) return problem(status);
    if (features.has_animation != 0)
        return input_error(
            MS_TEXT("this is an animated WebP, which is not read; save the frame as an image of its own"));
    ImageFacts facts;
    facts.kind = features.has_alpha != 0 ? PixelKind::rgba : PixelKind::rgb;
    facts.channel_order = features.has_alpha != 0 ? "RGBA" : "RGB";
    facts.orientation = orientation(bytes);
    facts.compression = features.format == 2 ? "lossless WebP" : "WebP";
    const PixelGrid grid{features.height, features.width, features.has_alpha != 0 ? 4 : 3, DType::u8};
    MS_TRY(item, image_item(grid, facts));
    item.load = [file, shape = item.shape](const JobContext& job) { return load_pixels(file, shape, job); };
    FileContents out;
    out.items.push_back(std::move(item));
    return out;
}

bool recognises(std::span<const std::byte> head, std::string_view extension) {
    return is_image(head, extension, "webp", kExtensions);
}

}  // namespace

Format webp_format() {
    return {.id = "webp",
            .title = MS_TEXT("WebP image"),
            .extensions = {kExtensions.begin(), kExtensions.end()},
            .about = MS_TEXT("pixels as stored: RGB or RGB and alpha, 8 bit; lossy or lossless, no animations"),
            .recognises = recognises,
            .read = read_webp,
            .write = nullptr};
}

}  // namespace maskscope::io
