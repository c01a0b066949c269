// SPDX-License-Identifier: Apache-2.0
// The bytes behind tensors: heap memory or a part of a mapped file. Views share one Storage.
#pragma once

#include "core/base/result.h"
#include "core/tensor/mapped_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace maskscope {

class Storage {
public:
    // Zeroed heap memory, 64-byte aligned. Refuses more than the memory budget, in a sentence that says how much.
    static Result<std::shared_ptr<Storage>> allocate(std::size_t bytes);
    // bytes [offset, offset + size) of the file; the caller has checked that they lie inside it.
    static std::shared_ptr<Storage> mapped(std::shared_ptr<const MappedFile> file, std::size_t offset,
                                           std::size_t size);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    const std::byte* data() const { return data_; }
    // Null for a mapped file: what the document holds is read-only.
    std::byte* writable_data() { return file_ ? nullptr : data_; }
    std::size_t size() const { return size_; }
    bool is_mapped() const { return file_ != nullptr; }
    const std::shared_ptr<const MappedFile>& file() const { return file_; }
    bool changed_on_disk() const { return file_ && file_->changed(); }

    // Counts in-place writes; saved tensors compare it.
    std::uint64_t version() const { return version_; }
    void bump_version() { ++version_; }

private:
    Storage() = default;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::shared_ptr<const MappedFile> file_;
    std::uint64_t version_ = 0;
};

// The most bytes that heap storages may hold together; default three quarters of the machine's memory.
void set_memory_budget(std::size_t bytes);
std::size_t memory_budget();
std::size_t memory_in_use();

}  // namespace maskscope
