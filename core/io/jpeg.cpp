// SPDX-License-Identifier: Apache-2.0
// JPEG: grey or RGB of 8 bit, as stored, not turned. The header is read at once, the pixels when they are asked for.
#include "core/base/function_ref.h"
#include "core/io/image_reader.h"
#include "core/io/limits.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

#include <jpeglib.h>  // needs FILE from before

#include <jerror.h>

namespace maskscope::io {
namespace {

using FilePointer = std::shared_ptr<const MappedFile>;

constexpr std::array<std::string_view, 4> kExtensions = {".jpg", ".jpeg", ".jpe", ".jfif"};

constexpr int kExifMarker = JPEG_APP0 + 1;
constexpr unsigned kMostMarkerBytes = 0xFFFF;
constexpr std::size_t kLeastMemory = 1U << 20U;
constexpr int kMostScans = 500;  // a few bytes can ask for a pass over the whole image
// Entropy coding spends at least a bit on each block of 64 pixels; arithmetic coding can do far better.
constexpr std::uint64_t kMostPixelsPerByte = 8 * 64;
constexpr std::uint64_t kMostPixelsPerByteArithmetic = kMostPixelsPerByte * 64;

struct Header {
    PixelGrid grid;
    ImageFacts facts;
};

// libjpeg reports errors by longjmp. It stays inside this class: whatever runs under guarded() owns nothing that needs
// a destructor, and the message is kept in a plain array.
class Decoder {
public:
    Decoder(std::span<const std::byte> bytes, const JobContext& context) : bytes_(bytes), context_(context) {
        jpeg_.err = jpeg_std_error(&handlers_);
        handlers_.error_exit = on_error;
        handlers_.emit_message = on_message;
        jpeg_.client_data = this;
        started_ = guarded([&] { jpeg_create_decompress(&jpeg_); });
        progress_.progress_monitor = on_progress;
    }
    ~Decoder() { jpeg_destroy_decompress(&jpeg_); }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    Result<Header> header() {
        if (!started_) return make_error(ErrorKind::unavailable, MS_TEXT("libjpeg could not be started"));
        const bool done = guarded([&] {
            jpeg_.progress = &progress_;
            // The coefficients of a progressive file are held as a whole.
            const std::size_t left = memory_budget() - std::min(memory_in_use(), memory_budget());
            jpeg_.mem->max_memory_to_use = static_cast<long>(std::max(left, kLeastMemory));
            jpeg_save_markers(&jpeg_, kExifMarker, kMostMarkerBytes);
            jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
            jpeg_read_header(&jpeg_, TRUE);
        });
        if (!done) return problem();
        const bool grey = jpeg_.jpeg_color_space == JCS_GRAYSCALE;
        if (!grey && jpeg_.jpeg_color_space != JCS_YCbCr && jpeg_.jpeg_color_space != JCS_RGB)
            return input_error(MS_TEXT("the JPEG's colours are {}, which are not read; save it as RGB"), colours());
        MS_CHECK(check_size());
        Header out;
        out.grid = {jpeg_.image_height, jpeg_.image_width, grey ? 1 : 3, DType::u8};
        out.facts.kind = grey ? PixelKind::grey : PixelKind::rgb;
        out.facts.channel_order = grey ? "" : "RGB";
        out.facts.orientation = orientation();
        out.facts.compression = compression();
        return out;
    }

    // After header(). `pixels` holds height rows of row_bytes.
    Result<void> pixels(std::byte* pixels, std::size_t row_bytes) {
        const bool done = guarded([&] {
            jpeg_.out_color_space = jpeg_.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
            jpeg_start_decompress(&jpeg_);
            if (std::size_t{jpeg_.output_width} * static_cast<std::size_t>(jpeg_.output_components) != row_bytes)
                ERREXIT(&jpeg_, JERR_IMAGE_TOO_BIG);
            while (jpeg_.output_scanline < jpeg_.output_height && !cancelled_) {
                auto* row = reinterpret_cast<JSAMPROW>(pixels + jpeg_.output_scanline * row_bytes);
                jpeg_read_scanlines(&jpeg_, &row, 1);
            }
        });
        if (cancelled_) return cancelled_error();
        if (!done) return problem();
        return {};
    }

private:
    bool guarded(FunctionRef<void()> body) {
        if (setjmp(jump_) != 0) return false;
        body();
        return true;
    }
    std::uint64_t position() const {
        return jpeg_.src == nullptr ? 0 : bytes_.size() - std::min(bytes_.size(), jpeg_.src->bytes_in_buffer);
    }
    Error problem() const {
        if (cancelled_) return cancelled_error();
        if (handlers_.msg_code == JERR_OUT_OF_MEMORY || handlers_.msg_code == JERR_NO_BACKING_STORE)
            return make_error(ErrorKind::unavailable, MS_TEXT("there is not enough memory to decode the JPEG"));
        return input_error(MS_TEXT("this JPEG cannot be decoded: {}"), message_.data()).at(stopped_at_);
    }
    Result<void> check_size() const {
        const std::uint64_t pixels = std::uint64_t{jpeg_.image_width} * jpeg_.image_height;
        const auto ratio = jpeg_.arith_code != FALSE ? kMostPixelsPerByteArithmetic : kMostPixelsPerByte;
        if (pixels / ratio <= bytes_.size()) return {};
        return input_error(MS_TEXT("the JPEG claims {} x {} pixels, more than {} bytes of file can hold"),
                           jpeg_.image_width, jpeg_.image_height, bytes_.size());
    }
    const char* colours() const {
        if (jpeg_.jpeg_color_space == JCS_CMYK) return "CMYK";
        if (jpeg_.jpeg_color_space == JCS_YCCK) return "YCCK (CMYK for print)";
        return "of an unknown kind";
    }
    int orientation() const {
        constexpr std::string_view kPrefix("Exif\0\0", 6);
        for (auto* marker = jpeg_.marker_list; marker != nullptr; marker = marker->next) {
            const std::string_view text(reinterpret_cast<const char*>(marker->data), marker->data_length);
            if (marker->marker != kExifMarker || !text.starts_with(kPrefix)) continue;
            return exif_orientation(std::as_bytes(std::span(text)).subspan(kPrefix.size()));
        }
        return 1;
    }
    // "progressive JPEG 4:2:0"
    std::string compression() const {
        std::string out = jpeg_.progressive_mode != FALSE ? "progressive JPEG" : "JPEG";
        if (jpeg_.num_components != 3) return out;
        const auto& luma = jpeg_.comp_info[0];
        const auto& blue = jpeg_.comp_info[1];
        const auto& red = jpeg_.comp_info[2];
        const bool alike = blue.h_samp_factor == red.h_samp_factor && blue.v_samp_factor == red.v_samp_factor;
        const int across = luma.h_samp_factor / std::max(1, blue.h_samp_factor);
        const int down = luma.v_samp_factor / std::max(1, blue.v_samp_factor);
        if (!alike) return out;
        if (across == 1 && down == 1) return out + " 4:4:4";
        if (across == 2 && down == 1) return out + " 4:2:2";
        if (across == 2 && down == 2) return out + " 4:2:0";
        if (across == 1 && down == 2) return out + " 4:4:0";
        if (across == 4 && down == 1) return out + " 4:1:1";
        return out;
    }

    static Decoder& self(j_common_ptr jpeg) { return *static_cast<Decoder*>(jpeg->client_data); }
    [[noreturn]] static void on_error(j_common_ptr jpeg) {
        auto& decoder = self(jpeg);
        decoder.stopped_at_ = decoder.position();
        std::array<char, JMSG_LENGTH_MAX> text{};
        jpeg->err->format_message(jpeg, text.data());
        std::memcpy(decoder.message_.data(), text.data(), decoder.message_.size() - 1);
        make_printable(decoder.message_);
        std::longjmp(decoder.jump_, 1);
    }
    // Damage that libjpeg would paint over must not pass as a picture; oddities beside the pixels do no harm.
    static void on_message(j_common_ptr jpeg, int level) {
        if (level >= 0) return;
        switch (jpeg->err->msg_code) {
            case JWRN_JPEG_EOF:
            case JWRN_HIT_MARKER:
            case JWRN_HUFF_BAD_CODE:
            case JWRN_ARITH_BAD_CODE:
            case JWRN_MUST_RESYNC:
                on_error(jpeg);
            default:
                return;
        }
    }
    static void on_progress(j_common_ptr jpeg) {
        auto& decoder = self(jpeg);
        if (decoder.context_.cancelled()) {
            decoder.cancelled_ = true;
            std::longjmp(decoder.jump_, 1);
        }
        if (decoder.jpeg_.input_scan_number > kMostScans) ERREXIT(jpeg, JERR_EOI_EXPECTED);
    }

    std::span<const std::byte> bytes_;
    const JobContext& context_;
    jpeg_decompress_struct jpeg_{};
    jpeg_error_mgr handlers_{};
    jpeg_progress_mgr progress_{};
    std::jmp_buf jump_{};
    std::array<char, JMSG_LENGTH_MAX> message_{};
    std::uint64_t stopped_at_ = 0;
    bool started_ = false;
    bool cancelled_ = false;
};

Result<Tensor> load_pixels(const FilePointer& file, const Shape& shape, const JobContext& context) {
    Decoder decoder(file->bytes(), context);
    MS_TRY(header, decoder.header());
    if (header.grid.height != shape[0] || header.grid.width != shape[1])
        return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    MS_TRY(tensor, Tensor::zeros(shape, DType::u8));
    MS_CHECK(decoder.pixels(tensor.writable_data(), tensor.byte_size() / static_cast<std::size_t>(shape[0])));
    if (file->changed()) return input_error(MS_TEXT("the file changed on disk while it was read; reload it"));
    return tensor;
}

Result<FileContents> read_jpeg(const FilePointer& file, const JobContext& context) {
    Header header;
    {
        Decoder decoder(file->bytes(), context);
        MS_TRY(read, decoder.header());
        header = read;
    }
    MS_TRY(item, image_item(header.grid, header.facts));
    item.load = [file, shape = item.shape](const JobContext& job) { return load_pixels(file, shape, job); };
    FileContents out;
    out.items.push_back(std::move(item));
    return out;
}

bool recognises(std::span<const std::byte> head, std::string_view extension) {
    return is_image(head, extension, "jpeg", kExtensions);
}

}  // namespace

Format jpeg_format() {
    return {.id = "jpeg",
            .title = MS_TEXT("JPEG image"),
            .extensions = {kExtensions.begin(), kExtensions.end()},
            .about = MS_TEXT("pixels as stored: grey or RGB, 8 bit; EXIF's orientation is told, not applied"),
            .recognises = recognises,
            .read = read_jpeg,
            .write = nullptr};
}

}  // namespace maskscope::io
