// SPDX-License-Identifier: Apache-2.0
#include "core/io/png_write.h"

#include "core/io/limits.h"
#include "core/io/save.h"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <optional>

#include <png.h>

namespace maskscope::io {
namespace {

// libpng reports errors by longjmp. It stays inside guarded(), whose bodies own nothing that needs a destructor.
class Encoder {
public:
    explicit Encoder(Sink sink) : sink_(sink) {
        png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
        if (png_ == nullptr) return;
        info_ = png_create_info_struct(png_);
        png_set_write_fn(png_, this, on_write, on_flush);
    }
    ~Encoder() { png_destroy_write_struct(&png_, &info_); }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    Result<void> header(const PngPicture& picture) {
        if (info_ == nullptr) return make_error(ErrorKind::unavailable, MS_TEXT("libpng could not be started"));
        const bool indexed = !picture.palette.empty();
        std::vector<png_color> colours;
        std::vector<png_byte> alpha;
        for (const auto& [r, g, b, a] : picture.palette) {
            colours.push_back({r, g, b});
            alpha.push_back(a);
        }
        while (!alpha.empty() && alpha.back() == 255) alpha.pop_back();  // what is left out is opaque
        return guarded([&] {
            png_set_user_limits(png_, kMaxImageSide, kMaxImageSide);
            png_set_IHDR(png_, info_, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height),
                         picture.bit_depth, indexed ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                         PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            if (indexed) png_set_PLTE(png_, info_, colours.data(), static_cast<int>(colours.size()));
            if (!alpha.empty()) png_set_tRNS(png_, info_, alpha.data(), static_cast<int>(alpha.size()), nullptr);
            // Labels are flat areas: the filters that help photographs only cost time.
            png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE | PNG_FILTER_UP);
            png_write_info(png_, info_);
            if (picture.bit_depth == 16 && std::endian::native == std::endian::little) png_set_swap(png_);
        });
    }
    Result<void> row(const std::byte* pixels) {
        return guarded([&] { png_write_row(png_, reinterpret_cast<png_const_bytep>(pixels)); });
    }
    Result<void> end() {
        return guarded([&] { png_write_end(png_, info_); });
    }

private:
    Result<void> guarded(FunctionRef<void()> body) {
        if (setjmp(jump_) == 0) {
            body();
            return {};
        }
        if (failure_) return *failure_;
        return make_error(ErrorKind::unavailable, MS_TEXT("libpng could not write the picture: {}"), message_.data());
    }

    static Encoder& self(png_structp png) { return *static_cast<Encoder*>(png_get_error_ptr(png)); }
    [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
        auto& encoder = self(png);
        std::copy_n(message, std::min(std::char_traits<char>::length(message), encoder.message_.size() - 1),
                    encoder.message_.begin());
        std::longjmp(encoder.jump_, 1);
    }
    static void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}
    static void on_flush(png_structp /*png*/) {}
    static void on_write(png_structp png, png_bytep data, std::size_t count) {
        if (!self(png).put({reinterpret_cast<const std::byte*>(data), count})) png_error(png, "cannot write");
    }
    bool put(std::span<const std::byte> bytes) {
        auto done = sink_(bytes);
        if (done) return true;
        failure_ = std::move(done).error();
        return false;
    }

    Sink sink_;
    std::optional<Error> failure_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::jmp_buf jump_{};
    std::array<char, 200> message_{};
};

Result<void> write_rows(const PngPicture& picture, PngRow row, Sink sink, const JobContext& context) {
    Encoder encoder(sink);
    MS_CHECK(encoder.header(picture));
    std::vector<std::byte> pixels(static_cast<std::size_t>(picture.width) * (picture.bit_depth == 16 ? 2 : 1));
    context.expect(picture.height);
    for (std::int64_t r = 0; r < picture.height; ++r) {
        if (context.cancelled()) return cancelled_error();
        MS_CHECK(row(r, pixels.data()));
        MS_CHECK(encoder.row(pixels.data()));
        context.advance(1);
    }
    return encoder.end();
}

}  // namespace

Result<void> write_png(const std::string& path, const PngPicture& picture, PngRow row, const JobContext& context) {
    if (picture.height < 1 || picture.width < 1 || picture.height > kMaxImageSide || picture.width > kMaxImageSide)
        return usage_error(MS_TEXT("a PNG of {} x {} pixels is not written: each side must have 1 to {}"),
                           picture.height, picture.width, kMaxImageSide)
            .in_file(path);
    return save_atomically(path, [&](Sink sink) { return write_rows(picture, row, sink, context); });
}

}  // namespace maskscope::io
