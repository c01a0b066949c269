// SPDX-License-Identifier: Apache-2.0
// A whole file, mapped read-only. A file that shrinks under the mapping must not kill the process: the SIGBUS
// handler puts zero pages there and marks the mapping lost.
#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace maskscope {

// What tells one state of a file from another.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class MappedFile {
public:
    // Refuses what is not a regular file. An empty file maps to an empty span.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    const std::string& path() const { return path_; }
    const FileIdentity& identity() const { return identity_; }
    // True when the file on disk is no longer the one that was opened, or pages of it were lost.
    // Every pass over mapped data asks this at its end and drops its result when it says yes.
    bool changed() const;

private:
    MappedFile() = default;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::string path_;
    FileIdentity identity_;
    int slot_ = -1;  // in the SIGBUS handler's table
};

}  // namespace maskscope
