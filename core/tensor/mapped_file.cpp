// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>

namespace maskscope {
namespace {

// What the handler may read: a fixed table of atomics, since nothing else is safe inside a signal.
struct Slot {
    std::atomic<std::uintptr_t> begin{0};
    std::atomic<std::size_t> size{0};
    std::atomic<bool> lost{false};
};
constexpr int kSlots = 4096;
std::array<Slot, kSlots> slots;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::mutex slots_mutex;
struct sigaction previous_action;

void on_bus_error(int signal, siginfo_t* info, void* context) {
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (auto& slot : slots) {
        const auto begin = slot.begin.load();
        if (begin == 0 || address < begin || address >= begin + slot.size.load()) continue;
        static const auto page = static_cast<std::uintptr_t>(4096);
        void* start = reinterpret_cast<void*>(address & ~(page - 1));
        if (mmap(start, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) break;
        slot.lost = true;
        return;
    }
    // Not a mapping of ours: let whoever was there before decide.
    if ((previous_action.sa_flags & SA_SIGINFO) != 0 && previous_action.sa_sigaction != nullptr) {
        previous_action.sa_sigaction(signal, info, context);
        return;
    }
    std::signal(SIGBUS, SIG_DFL);
    std::raise(SIGBUS);
}

void install_handler() {
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_sigaction = on_bus_error;
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        sigaction(SIGBUS, &action, &previous_action);
    });
}

int claim_slot(const void* begin, std::size_t size) {
    const std::lock_guard lock(slots_mutex);
    for (int i = 0; i < kSlots; ++i) {
        auto& slot = slots[static_cast<std::size_t>(i)];
        if (slot.begin.load() != 0) continue;
        slot.lost = false;
        slot.size = size;
        slot.begin = reinterpret_cast<std::uintptr_t>(begin);
        return i;
    }
    return -1;
}

FileIdentity identity_of(const struct stat& info) {
    return {info.st_dev, info.st_ino, static_cast<std::uint64_t>(info.st_size),
            info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec};
}

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

private:
    int fd_;
};

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0) return system_error("cannot open", errno).in_file(path);
    struct stat info = {};
    if (fstat(fd.get(), &info) != 0) return system_error("cannot read its size", errno).in_file(path);
    if (S_ISDIR(info.st_mode)) return input_error(MS_TEXT("this is a folder, not a file")).in_file(path);
    if (!S_ISREG(info.st_mode)) {
        return input_error(MS_TEXT("this is not a regular file; copy its contents to one first")).in_file(path);
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->path_ = path;
    file->identity_ = identity_of(info);
    if (info.st_size == 0) return std::shared_ptr<const MappedFile>(std::move(file));
    install_handler();
    const auto size = static_cast<std::size_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (data == MAP_FAILED) return system_error("cannot map the file", errno).in_file(path);
    file->data_ = static_cast<const std::byte*>(data);
    file->size_ = size;
    file->slot_ = claim_slot(data, size);
    if (file->slot_ < 0) {
        return make_error(ErrorKind::unavailable, MS_TEXT("{} files are open already; close some first"), kSlots)
            .in_file(path);
    }
    return std::shared_ptr<const MappedFile>(std::move(file));
}

MappedFile::~MappedFile() {
    if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].begin = 0;
    if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

bool MappedFile::changed() const {
    if (slot_ >= 0 && slots[static_cast<std::size_t>(slot_)].lost) return true;
    struct stat info = {};
    return ::stat(path_.c_str(), &info) != 0 || identity_of(info) != identity_;
}

}  // namespace maskscope
