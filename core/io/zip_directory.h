// SPDX-License-Identifier: Apache-2.0
// The members of a zip file, found through its central directory (PKWARE APPNOTE 6.3.10, zip64 included). What npz
// and PyTorch's files share. Only stored and deflated members are known; encryption and split archives are refused.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/tensor/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope::io {

struct ZipMember {
    std::string name;                 // well-formed UTF-8
    bool deflated = false;            // else stored
    std::uint64_t header_offset = 0;  // of the local header, in the file
    std::uint64_t data_offset = 0;    // of the first byte of its data, in the file; any alignment
    std::uint64_t packed_size = 0;    // bytes in the file
    std::uint64_t size = 0;           // bytes once unpacked
    std::uint32_t crc = 0;

    bool is_folder() const { return name.ends_with('/'); }
};

struct ZipDirectory {
    std::vector<ZipMember> members;  // in the directory's order; no two of one name, no two overlap

    std::vector<std::size_t> by_name;  // indices of members, sorted by name

    // Null when there is none; takes logarithmic time.
    const ZipMember* find(std::string_view name) const;
};

// Reads the directory and each local header, never the data. Every size is checked against the file; a deflated
// member that claims more than limits.h allows is refused here. Errors carry the offset, not the file's name.
Result<ZipDirectory> read_zip_directory(std::span<const std::byte> file);

// The bytes of a member as they stand in the file (of a deflated one: the packed bytes).
std::span<const std::byte> packed_bytes(std::span<const std::byte> file, const ZipMember& member);

// Unpacks a deflated member into `out`, which holds exactly member.size bytes, and checks its CRC.
Result<void> inflate_member(std::span<const std::byte> file, const ZipMember& member, std::span<std::byte> out,
                            const JobContext& context);

// The first `count` unpacked bytes of a member (fewer when it is shorter), stored or deflated; no CRC.
Result<std::vector<std::byte>> member_head(std::span<const std::byte> file, const ZipMember& member, std::size_t count);

// A whole small member, stored or deflated, CRC checked in both cases. More than `most` bytes are refused.
Result<std::vector<std::byte>> read_member(std::span<const std::byte> file, const ZipMember& member, std::size_t most,
                                           const JobContext& context);

}  // namespace maskscope::io
