// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/storage.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

namespace maskscope {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kHugePage = 2U << 20U;

std::size_t machine_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::atomic<std::size_t> budget{machine_memory() / 4 * 3};
std::atomic<std::size_t> in_use{0};

double gib(std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(1U << 30U);
}

// Heap memory is rounded up so that large blocks can sit on huge pages: page faults cost more than the arithmetic.
std::size_t rounded(std::size_t bytes) {
    const std::size_t unit = bytes >= kHugePage ? kHugePage : kAlignment;
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Result<std::shared_ptr<Storage>> Storage::allocate(std::size_t bytes) {
    MS_TRY(storage, uninitialised(bytes));
    std::memset(storage->data_, 0, bytes == 0 ? 1 : bytes);
    return std::move(storage);
}

Result<std::shared_ptr<Storage>> Storage::uninitialised(std::size_t bytes) {
    const auto refusal = [bytes] {
        const std::size_t used = std::min(in_use.load(), budget.load());
        return make_error(ErrorKind::unavailable, MS_TEXT("{} GiB are needed and the memory budget has {} GiB left"),
                          fmt::format("{:.1f}", gib(bytes)), fmt::format("{:.1f}", gib(budget - used)));
    };
    if (bytes > budget) return refusal();
    if (in_use.fetch_add(bytes) > budget - bytes) {
        in_use -= bytes;
        return refusal();
    }
    std::shared_ptr<Storage> storage(new Storage);
    storage->size_ = bytes;
    const std::size_t size = rounded(bytes == 0 ? 1 : bytes);
    storage->data_ = static_cast<std::byte*>(std::aligned_alloc(size >= kHugePage ? kHugePage : kAlignment, size));
    storage->owned_ = true;
    if (storage->data_ == nullptr) return refusal();
    if (size >= kHugePage) madvise(storage->data_, size, MADV_HUGEPAGE);
    return storage;
}

std::shared_ptr<Storage> Storage::mapped(std::shared_ptr<const MappedFile> file, std::size_t offset, std::size_t size) {
    std::shared_ptr<Storage> storage(new Storage);
    storage->data_ = const_cast<std::byte*>(file->bytes().data() + offset);
    storage->size_ = size;
    storage->file_ = std::move(file);
    return storage;
}

std::shared_ptr<Storage> Storage::borrowed(std::shared_ptr<const Storage> source) {
    std::shared_ptr<Storage> storage(new Storage);
    storage->data_ = source->data_;
    storage->size_ = source->size_;
    storage->source_ = std::move(source);
    return storage;
}

std::shared_ptr<Storage> Storage::shapes_only(std::size_t bytes) {
    std::shared_ptr<Storage> storage(new Storage);
    storage->size_ = bytes;
    return storage;
}

Result<void> Storage::make_writable() {
    if (owned_ || data_ == nullptr) return {};
    MS_TRY(copy, uninitialised(size_));
    if (size_ > 0) std::memcpy(copy->data_, data_, size_);
    std::swap(data_, copy->data_);
    std::swap(owned_, copy->owned_);
    file_ = nullptr;
    source_ = nullptr;
    return {};
}

void Storage::forget() {
    release();
    data_ = nullptr;
    file_ = nullptr;
    source_ = nullptr;
}

void Storage::release() {
    if (!owned_) return;
    std::free(data_);
    in_use -= size_;
    owned_ = false;
}

Storage::~Storage() {
    release();
}

void set_memory_budget(std::size_t bytes) {
    budget = bytes;
}

std::size_t memory_budget() {
    return budget;
}

std::size_t memory_in_use() {
    return in_use;
}

}  // namespace maskscope
