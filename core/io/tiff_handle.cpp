// SPDX-License-Identifier: Apache-2.0
#include "core/io/tiff_handle.h"

#include "core/io/limits.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <tiffio.h>

namespace maskscope::io {

// libtiff's window on the mapped bytes, and where its messages go.
struct TiffHandle::Client {
    static TiffHandle& self(thandle_t handle) { return *static_cast<TiffHandle*>(handle); }
    static tmsize_t read(thandle_t handle, void* out, tmsize_t count) {
        auto& tiff = self(handle);
        const auto bytes = tiff.file_->bytes();
        if (count < 0 || tiff.position_ >= bytes.size()) return 0;
        const auto some = std::min<std::size_t>(static_cast<std::size_t>(count), bytes.size() - tiff.position_);
        std::memcpy(out, bytes.data() + tiff.position_, some);
        tiff.position_ += some;
        return static_cast<tmsize_t>(some);
    }
    static tmsize_t write(thandle_t /*handle*/, void* /*bytes*/, tmsize_t /*count*/) { return 0; }
    static toff_t seek(thandle_t handle, toff_t offset, int whence) {
        auto& tiff = self(handle);
        if (whence == SEEK_CUR) offset += tiff.position_;
        if (whence == SEEK_END) offset += tiff.file_->bytes().size();
        tiff.position_ = offset;
        return offset;
    }
    static int close(thandle_t /*handle*/) { return 0; }
    static toff_t size(thandle_t handle) { return self(handle).file_->bytes().size(); }

    static int keep(void* user, const char* /*module*/, const char* format, va_list arguments) {
        auto& tiff = *static_cast<TiffHandle*>(user);
        if (tiff.message_[0] == '\0') {  // the first says the cause
            std::vsnprintf(tiff.message_.data(), tiff.message_.size(), format, arguments);
            make_printable(tiff.message_);
        }
        return 1;
    }
    static int on_error(TIFF* /*tiff*/, void* user, const char* module, const char* format, va_list arguments) {
        return keep(user, module, format, arguments);
    }
    // Of unknown tags, mostly. What a fax decoder warns of is lost pixels.
    static int on_warning(TIFF* /*tiff*/, void* user, const char* module, const char* format, va_list arguments) {
        auto& tiff = *static_cast<TiffHandle*>(user);
        if (module == nullptr || std::strncmp(module, "Fax", 3) != 0) return 1;
        tiff.warned_ = true;
        return keep(user, module, format, arguments);
    }
};

TiffHandle::TiffHandle(std::shared_ptr<const MappedFile> file) : file_(std::move(file)) {}

TiffHandle::~TiffHandle() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
}

Result<std::unique_ptr<TiffHandle>> TiffHandle::open(std::shared_ptr<const MappedFile> file) {
    std::unique_ptr<TiffHandle> out(new TiffHandle(std::move(file)));
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                               TIFFOpenOptionsFree);
    if (!options) return make_error(ErrorKind::unavailable, MS_TEXT("libtiff could not be started"));
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), Client::on_error, out.get());
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), Client::on_warning, out.get());
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(kMaxInflatedBytes));
    // No mapping by libtiff itself (m); tables of strips are read where they are needed (O).
    out->tiff_ = TIFFClientOpenExt(out->file_->path().c_str(), "rmO", out.get(), Client::read, Client::write,
                                   Client::seek, Client::close, Client::size, nullptr, nullptr, options.get());
    if (out->tiff_ == nullptr) return out->problem();
    return out;
}

Error TiffHandle::problem() const {
    const char* what = message_[0] == '\0' ? "its structure is damaged" : message_.data();
    auto error = input_error(MS_TEXT("this TIFF cannot be read: {}"), what);
    return std::move(error).at(std::min<std::uint64_t>(position_, file_->bytes().size()));
}

Result<void> TiffHandle::sound() const {
    if (message_[0] != '\0') return problem();
    return {};
}

bool TiffHandle::next_page() {
    return TIFFReadDirectory(tiff_) == 1;
}

Result<void> TiffHandle::go_to(std::uint64_t offset) {
    if (TIFFSetSubDirectory(tiff_, offset) != 1) return problem();
    return {};
}

}  // namespace maskscope::io
