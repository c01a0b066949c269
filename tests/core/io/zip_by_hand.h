// SPDX-License-Identifier: Apache-2.0
// Zips whose every field the test can falsify; see PKWARE's APPNOTE for the layout.
#pragma once

#include "tests/core/io/scratch_files.h"

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::test {

// CRC-32 of the zip format, bit by bit.
inline std::uint32_t crc_by_hand(const std::string& data) {
    std::uint32_t crc = ~0U;
    for (const char c : data) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    }
    return ~crc;
}

struct HandMember {
    std::string name = {};
    std::string data = {};  // as it lies in the file
    int method = 0;
    int flags = 0;
    std::optional<std::uint64_t> size = {};         // else that of data
    std::optional<std::uint64_t> packed_size = {};  // else that of data
    std::optional<std::uint32_t> crc = {};          // else that of data
    std::optional<std::uint64_t> offset = {};       // else where it is
    std::optional<std::string> local_name = {};     // else name
    bool zip64 = false;                             // the numbers in the extra field
};

struct HandZip {
    std::vector<HandMember> members = {};
    std::optional<std::uint64_t> entries = {};
    std::optional<std::uint64_t> directory_offset = {};
    std::optional<std::uint64_t> directory_size = {};
    bool zip64 = false;
    std::string comment = {};

    std::string bytes() const {
        std::string out;
        std::string directory;
        for (const auto& member : members) append(member, out, directory);
        const std::uint64_t start = directory_offset.value_or(out.size());
        const std::uint64_t size = directory_size.value_or(directory.size());
        const std::uint64_t count = entries.value_or(members.size());
        out += directory;
        if (zip64) append_end64(out, start, size, count);
        out += "PK\x05\x06";
        put(out, 0, 4);
        put(out, zip64 ? 0xFFFF : count, 2);
        put(out, zip64 ? 0xFFFF : count, 2);
        put(out, zip64 ? 0xFFFFFFFF : size, 4);
        put(out, zip64 ? 0xFFFFFFFF : start, 4);
        put(out, comment.size(), 2);
        return out + comment;
    }

private:
    static void append(const HandMember& member, std::string& out, std::string& directory) {
        const std::uint64_t offset = member.offset.value_or(out.size());
        const std::uint64_t size = member.size.value_or(member.data.size());
        const std::uint64_t packed = member.packed_size.value_or(member.data.size());
        const auto fields = [&](std::string& to, std::size_t name, std::size_t extra) {
            put(to, 20, 2);
            put(to, static_cast<unsigned>(member.flags), 2);
            put(to, static_cast<unsigned>(member.method), 2);
            put(to, 0, 4);
            put(to, member.crc.value_or(crc_by_hand(member.data)), 4);
            put(to, member.zip64 ? 0xFFFFFFFF : packed, 4);
            put(to, member.zip64 ? 0xFFFFFFFF : size, 4);
            put(to, name, 2);
            put(to, extra, 2);
        };
        std::string extra;
        if (member.zip64) {
            put(extra, 1, 2);
            put(extra, 24, 2);
            put(extra, size, 8);
            put(extra, packed, 8);
            put(extra, offset, 8);
        }
        const std::string local = member.local_name.value_or(member.name);
        out += "PK\x03\x04";
        fields(out, local.size(), 0);
        out += local + member.data;
        directory += "PK\x01\x02";
        put(directory, 20, 2);
        fields(directory, member.name.size(), extra.size());
        directory += std::string(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
        put(directory, member.zip64 ? 0xFFFFFFFF : offset, 4);
        directory += member.name + extra;
    }

    static void append_end64(std::string& out, std::uint64_t start, std::uint64_t size, std::uint64_t count) {
        const std::uint64_t at = out.size();
        out += "PK\x06\x06";
        put(out, 44, 8);
        put(out, 45, 2);
        put(out, 45, 2);
        put(out, 0, 8);
        put(out, count, 8);
        put(out, count, 8);
        put(out, size, 8);
        put(out, start, 8);
        out += "PK\x06\x07";
        put(out, 0, 4);
        put(out, at, 8);
        put(out, 1, 4);
    }
};

// Raw deflate, as zip keeps it.
inline std::string deflated(const std::string& data) {
    z_stream stream{};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, data.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

// A member that is deflated and says the truth about it.
inline HandMember deflated_member(const std::string& name, const std::string& data) {
    HandMember member{.name = name, .data = deflated(data), .method = 8};
    member.size = data.size();
    member.crc = crc_by_hand(data);
    return member;
}

}  // namespace maskscope::test
