// SPDX-License-Identifier: Apache-2.0
// PNG as numbers, not as a picture: palette indices stay indices, 1 to 16 bit grey keeps its values, nothing is scaled
// or gamma-corrected. The header is read at once, the pixels when they are asked for.
#include "core/base/checked.h"
#include "core/base/function_ref.h"
#include "core/io/image_reader.h"
#include "core/io/limits.h"

#include <array>
#include <csetjmp>
#include <cstring>
#include <string>
#include <utility>

#include <png.h>

namespace maskscope::io {
namespace {

using FilePointer = std::shared_ptr<const MappedFile>;

constexpr std::array<std::string_view, 1> kExtensions = {".png"};
constexpr png_alloc_size_t kMaxChunkBytes = 8U << 20U;

struct Header {
    png_uint_32 width = 0;
    png_uint_32 height = 0;
    int bit_depth = 0;
    int colour_type = 0;
    int channels = 0;
    std::vector<std::array<std::uint8_t, 4>> palette;
    int orientation = 1;
};

// libpng reports errors by longjmp. It stays inside this class: whatever runs under guarded() owns nothing that needs a
// destructor, and the message is kept in a plain array.
class Decoder {
public:
    explicit Decoder(std::span<const std::byte> bytes) : bytes_(bytes) {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        if (png_ == nullptr) return;
        info_ = png_create_info_struct(png_);
        png_set_read_fn(png_, this, on_read);
    }
    ~Decoder() { png_destroy_read_struct(&png_, &info_, nullptr); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    Result<Header> header() {
        if (info_ == nullptr) return make_error(ErrorKind::unavailable, MS_TEXT("libpng could not be started"));
        Header out;
        png_colorp colours = nullptr;
        int colour_count = 0;
        png_bytep alpha = nullptr;
        int alpha_count = 0;
        png_bytep exif = nullptr;
        png_uint_32 exif_bytes = 0;
        const bool done = guarded([&] {
            png_set_user_limits(png_, kMaxImageSide, kMaxImageSide);
            png_set_chunk_malloc_max(png_, kMaxChunkBytes);
            png_read_info(png_, info_);
            png_get_IHDR(png_, info_, &out.width, &out.height, &out.bit_depth, &out.colour_type, nullptr, nullptr,
                         nullptr);
            out.channels = png_get_channels(png_, info_);
            png_get_PLTE(png_, info_, &colours, &colour_count);
            if (png_get_tRNS(png_, info_, &alpha, &alpha_count, nullptr) == 0 || alpha == nullptr) alpha_count = 0;
            png_get_eXIf_1(png_, info_, &exif_bytes, &exif);
        });
        if (!done) return problem();
        // The palette of a colour image only suggests colours to show it with.
        for (int i = 0; out.colour_type == PNG_COLOR_TYPE_PALETTE && i < colour_count; ++i)
            out.palette.push_back(
                {colours[i].red, colours[i].green, colours[i].blue, i < alpha_count ? alpha[i] : png_byte{255}});
        if (exif != nullptr) out.orientation = exif_orientation(std::as_bytes(std::span(exif, exif_bytes)));
        return out;
    }

    // After header(). `pixels` holds height rows of row_bytes, one or two bytes a channel.
    Result<void> pixels(std::byte* pixels, std::size_t row_bytes, const JobContext& context) {
        bool cancelled = false;
        const png_uint_32 height = png_get_image_height(png_, info_);
        const bool done = guarded([&] {
            png_set_packing(png_);  // 1, 2 and 4 bits become a byte of the same value
            png_set_swap(png_);     // 16 bits are big-endian in the file
            const int passes = png_set_interlace_handling(png_);
            png_read_update_info(png_, info_);
            if (png_get_rowbytes(png_, info_) != row_bytes) png_error(png_, "the rows have an unexpected size");
            for (int pass = 0; pass < passes; ++pass) {
                for (png_uint_32 row = 0; row < height; ++row) {
                    if (context.cancelled()) {
                        cancelled = true;
                        return;
                    }
                    png_read_row(png_, reinterpret_cast<png_bytep>(pixels + row * row_bytes), nullptr);
                }
            }
        });
        if (!done) return problem();
        if (cancelled) return cancelled_error();
        return {};
    }

private:
    bool guarded(FunctionRef<void()> body) {
        if (setjmp(jump_) != 0) return false;
        body();
        return true;
    }
    Error problem() const {
        return input_error(MS_TEXT("this PNG cannot be decoded: {}"), message_.data()).at(position_);
    }

    static Decoder& self(png_structp png) { return *static_cast<Decoder*>(png_get_error_ptr(png)); }
    [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
        auto& decoder = self(png);
        std::strncpy(decoder.message_.data(), message, decoder.message_.size() - 1);
        make_printable(decoder.message_);
        std::longjmp(decoder.jump_, 1);
    }
    // Odd text chunks and colour profiles do not change a pixel.
    static void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}
    static void on_read(png_structp png, png_bytep out, std::size_t count) {
        auto& decoder = self(png);
        if (count > decoder.bytes_.size() - decoder.position_) png_error(png, "the file ends too early");
        std::memcpy(out, decoder.bytes_.data() + decoder.position_, count);
        decoder.position_ += count;
    }

    std::span<const std::byte> bytes_;
    std::size_t position_ = 0;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::jmp_buf jump_;
    std::array<char, 200> message_{};
};

ImageFacts facts_of(const Header& header) {
    ImageFacts facts;
    facts.bit_depth = header.bit_depth;
    facts.palette = header.palette;
    facts.orientation = header.orientation;
    facts.compression = "deflate";
    switch (header.colour_type) {
        case PNG_COLOR_TYPE_PALETTE:
            facts.kind = PixelKind::palette;
            break;
        case PNG_COLOR_TYPE_GRAY_ALPHA:
            facts.kind = PixelKind::grey_alpha;
            break;
        case PNG_COLOR_TYPE_RGB:
            facts.kind = PixelKind::rgb;
            facts.channel_order = "RGB";
            break;
        case PNG_COLOR_TYPE_RGB_ALPHA:
            facts.kind = PixelKind::rgba;
            facts.channel_order = "RGBA";
            break;
        default:
            break;
    }
    return facts;
}

// "0 0 0, 128 0 0"
std::string palette_text(const Header& header) {
    std::string out;
    for (const auto& [r, g, b, a] : header.palette) out += fmt::format("{}{} {} {}", out.empty() ? "" : ", ", r, g, b);
    return out;
}

Result<Tensor> load_pixels(const FilePointer& file, const Shape& shape, DType dtype, const JobContext& context) {
    MS_TRY(tensor, Tensor::zeros(shape, dtype));
    Decoder decoder(file->bytes());
    MS_TRY(header, decoder.header());
    static_cast<void>(header);
    const auto row_bytes = tensor.byte_size() / static_cast<std::size_t>(shape[0]);
    MS_CHECK(decoder.pixels(tensor.writable_data(), row_bytes, context));
    if (file->changed()) return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    return tensor;
}

bool recognises(std::span<const std::byte> head, std::string_view extension) {
    return is_image(head, extension, "png", kExtensions);
}

Result<FileContents> read_png(const FilePointer& file, const JobContext& /*context*/) {
    Header header;
    {
        Decoder decoder(file->bytes());
        MS_TRY(read, decoder.header());
        header = std::move(read);
    }
    const PixelGrid grid{header.height, header.width, header.channels, header.bit_depth == 16 ? DType::u16 : DType::u8};
    MS_TRY(item, image_item(grid, facts_of(header)));
    // Packed pixels of up to 8 in a byte, and deflate's best ratio, bound what the file can really hold.
    const auto most = checked_mul<std::uint64_t>(file->bytes().size(), kMaxInflateRatio * 8);
    if (most && item.bytes > *most)
        return input_error(MS_TEXT("the PNG claims {} x {} pixels, more than {} bytes of file can hold"), header.width,
                           header.height, file->bytes().size());
    item.load = [file, shape = item.shape, dtype = item.dtype](const JobContext& context) {
        return load_pixels(file, shape, dtype, context);
    };
    FileContents out;
    if (!header.palette.empty()) out.metadata["palette"] = palette_text(header);
    out.items.push_back(std::move(item));
    return out;
}

}  // namespace

Format png_format() {
    return {.id = "png",
            .title = MS_TEXT("PNG image"),
            .extensions = {kExtensions.begin(), kExtensions.end()},
            .about = MS_TEXT("pixels as numbers: grey of 1 to 16 bit, RGB, palette indices"),
            .recognises = recognises,
            .read = read_png,
            .write = nullptr};
}

}  // namespace maskscope::io
