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
    // The same without the zeros: for results that are written whole.
    static Result<std::shared_ptr<Storage>> uninitialised(std::size_t bytes);
    // bytes [offset, offset + size) of the file; the caller has checked that they lie inside it.
    static std::shared_ptr<Storage> mapped(std::shared_ptr<const MappedFile> file, std::size_t offset,
                                           std::size_t size);
    // The bytes of another storage, which stays as it is: the first make_writable() takes a copy, and all views of this
    // one follow.
    static std::shared_ptr<Storage> borrowed(std::shared_ptr<const Storage> source);
    // A size without bytes, for runs that follow shapes only.
    static std::shared_ptr<Storage> shapes_only(std::size_t bytes);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    const std::byte* data() const { return data_; }
    // Null for a mapped file (what the document holds is read-only), for a borrowed storage and for shapes only.
    std::byte* writable_data() { return owned_ ? data_ : nullptr; }
    bool has_data() const { return data_ != nullptr; }
    // Own heap memory with the same bytes, where it is not so already.
    Result<void> make_writable();
    // Shapes only from now on: what was written to it is not known.
    void forget();
    std::size_t size() const { return size_; }
    bool is_mapped() const { return file_ != nullptr || (source_ && source_->is_mapped()); }
    const std::shared_ptr<const MappedFile>& file() const { return source_ ? source_->file_ : file_; }
    bool changed_on_disk() const { return file() && file()->changed(); }

    // Counts in-place writes; saved tensors compare it.
    std::uint64_t version() const { return version_; }
    void bump_version() { ++version_; }

private:
    Storage() = default;
    void release();
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    bool owned_ = false;
    std::shared_ptr<const MappedFile> file_;
    std::shared_ptr<const Storage> source_;
    std::uint64_t version_ = 0;
};

// The most bytes that heap storages may hold together; default three quarters of the machine's memory.
void set_memory_budget(std::size_t bytes);
std::size_t memory_budget();
std::size_t memory_in_use();

}  // namespace maskscope
