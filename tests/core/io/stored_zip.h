// SPDX-License-Identifier: Apache-2.0
// Writes zips of stored members by hand, so that tests can make what no archiver would.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::test {

inline void put_le(std::string& out, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xffU));
}

// CRC-32 of the zip format, bit by bit.
inline std::uint32_t crc32_of(const std::string& data) {
    std::uint32_t crc = ~0U;
    for (const char c : data) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

using ZipParts = std::vector<std::pair<std::string, std::string>>;

// Data of every member starts at a multiple of `align` plus `skew`, by an extra field as torch.save pads.
inline std::string stored_zip(const ZipParts& members, std::size_t align = 64, std::size_t skew = 0) {
    std::string out;
    std::string directory;
    for (const auto& member : members) {
        const std::string& name = member.first;
        const std::string& data = member.second;
        const std::size_t header = out.size();
        const std::size_t bare = header + 30 + name.size() + 4;
        const std::size_t padding = (align - bare % align) % align + skew;
        const auto crc = crc32_of(data);
        const auto sizes = [&](std::string& to) {
            put_le(to, 0, 2);     // flags
            put_le(to, 0, 2);     // stored
            put_le(to, 0x21, 4);  // time and date
            put_le(to, crc, 4);
            put_le(to, data.size(), 4);
            put_le(to, data.size(), 4);
            put_le(to, name.size(), 2);
        };
        out += "PK\x03\x04";
        put_le(out, 20, 2);
        sizes(out);
        put_le(out, 4 + padding, 2);
        out += name + "FB";
        put_le(out, padding, 2);
        out += std::string(padding, 'Z') + data;

        directory += "PK\x01\x02";
        put_le(directory, 20, 2);
        put_le(directory, 20, 2);
        sizes(directory);
        put_le(directory, 0, 2);  // extra
        put_le(directory, 0, 2);  // comment
        put_le(directory, 0, 2);  // disk
        put_le(directory, 0, 2);  // attributes
        put_le(directory, 0, 4);
        put_le(directory, header, 4);
        directory += name;
    }
    const std::size_t start = out.size();
    out += directory + "PK\x05\x06";
    put_le(out, 0, 4);
    put_le(out, members.size(), 2);
    put_le(out, members.size(), 2);
    put_le(out, directory.size(), 4);
    put_le(out, start, 4);
    put_le(out, 0, 2);
    return out;
}

}  // namespace maskscope::test
