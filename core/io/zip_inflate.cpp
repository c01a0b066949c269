// SPDX-License-Identifier: Apache-2.0
// Unpacking the members of a zip, bounded by what its directory promised.
#include "core/base/utf8.h"
#include "core/io/zip_directory.h"

#include <zlib.h>

#include <algorithm>

namespace maskscope::io {

namespace {

using Bytes = std::span<const std::byte>;

constexpr std::size_t kPiece = 1U << 20U;  // between two looks at the stop button

class Inflater {
public:
    Inflater(Bytes file, const ZipMember& member) : packed_(packed_bytes(file, member)), member_(member) {
        // Negative: raw deflate, as zip keeps it.
        ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK;
    }
    ~Inflater() {
        if (ready_) inflateEnd(&stream_);
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // Fills `out` as far as the data go; returns the bytes written.
    Result<std::size_t> fill(std::span<std::byte> out) {
        if (!ready_) return input_error(MS_TEXT("not enough memory to unpack {}"), in_quotes(member_.name));
        std::size_t written = 0;
        while (written < out.size() && !ended_) {
            const std::size_t room = std::min(out.size() - written, kPiece);
            MS_TRY(step_bytes, step(out.subspan(written, room)));
            if (step_bytes == 0 && !ended_ && is_drained()) return damaged("stop before their end");
            written += step_bytes;
        }
        return written;
    }

    // True when the packed data hold nothing beyond what was read.
    Result<bool> at_end() {
        std::byte extra{};
        while (!ended_) {
            MS_TRY(more, step({&extra, 1}));
            if (more != 0) return false;
            if (!ended_ && is_drained()) return damaged("stop before their end");
        }
        return true;
    }

    Error damaged(std::string_view how) const {
        return input_error(MS_TEXT("the deflated data of {} {}"), in_quotes(member_.name), how)
            .at(member_.data_offset + used_ - stream_.avail_in);
    }

private:
    bool is_drained() const { return stream_.avail_in == 0 && used_ == packed_.size(); }

    Result<std::size_t> step(std::span<std::byte> out) {
        if (stream_.avail_in == 0) {
            const std::size_t count = std::min(packed_.size() - used_, kPiece);
            stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed_.data() + used_));
            stream_.avail_in = static_cast<uInt>(count);
            used_ += count;
        }
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        const int status = inflate(&stream_, Z_NO_FLUSH);
        ended_ = status == Z_STREAM_END;
        if (!ended_ && status != Z_OK && status != Z_BUF_ERROR) return damaged("are damaged");
        return out.size() - stream_.avail_out;
    }

    Bytes packed_;
    const ZipMember& member_;
    z_stream stream_{};
    std::size_t used_ = 0;
    bool ready_ = false;
    bool ended_ = false;
};

Result<void> check_crc(Bytes unpacked, const ZipMember& member, const JobContext& context) {
    uLong crc = crc32_z(0, nullptr, 0);
    for (std::size_t at = 0; at < unpacked.size(); at += kPiece) {
        if (context.cancelled()) return cancelled_error();
        const Bytes piece = unpacked.subspan(at, std::min(kPiece, unpacked.size() - at));
        crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    }
    if (crc != member.crc) {
        return input_error(MS_TEXT("member {} is damaged: its CRC is {:08x} instead of {:08x}"), in_quotes(member.name),
                           static_cast<std::uint32_t>(crc), member.crc)
            .at(member.data_offset);
    }
    return {};
}

}  // namespace

Result<void> inflate_member(Bytes file, const ZipMember& member, std::span<std::byte> out, const JobContext& context) {
    Inflater inflater(file, member);
    std::size_t written = 0;
    while (written < out.size()) {
        if (context.cancelled()) return cancelled_error();
        const std::size_t want = std::min(out.size() - written, kPiece);
        MS_TRY(got, inflater.fill(out.subspan(written, want)));
        written += got;
        if (got < want) break;
    }
    MS_TRY(ended, inflater.at_end());
    if (written != member.size || !ended) {
        return input_error(MS_TEXT("member {} unpacks to {} than the {} bytes it promised"), in_quotes(member.name),
                           ended ? "fewer" : "more", member.size)
            .at(member.data_offset);
    }
    return check_crc(out, member, context);
}

Result<std::vector<std::byte>> member_head(Bytes file, const ZipMember& member, std::size_t count) {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, member.size));
    if (!member.deflated) {
        const Bytes head = packed_bytes(file, member).first(count);
        return std::vector<std::byte>(head.begin(), head.end());
    }
    std::vector<std::byte> out(count);
    Inflater inflater(file, member);
    MS_TRY(got, inflater.fill(out));
    out.resize(got);
    return out;
}

Result<std::vector<std::byte>> read_member(Bytes file, const ZipMember& member, std::size_t most,
                                           const JobContext& context) {
    if (member.size > most) {
        return input_error(MS_TEXT("member {} has {} bytes, more than the {} that are read"), in_quotes(member.name),
                           member.size, most)
            .at(member.data_offset);
    }
    std::vector<std::byte> out(static_cast<std::size_t>(member.size));
    if (member.deflated) {
        MS_CHECK(inflate_member(file, member, out, context));
        return out;
    }
    const Bytes stored = packed_bytes(file, member);
    std::copy(stored.begin(), stored.end(), out.begin());
    MS_CHECK(check_crc(out, member, context));
    return out;
}

}  // namespace maskscope::io
