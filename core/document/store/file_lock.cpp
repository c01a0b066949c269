// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <utility>

namespace maskscope::document::store {

Result<std::optional<FileLock>> FileLock::take(const std::string& path, bool make) {
    // Between opening and locking, the last holder may have removed the file: then the lock is on nothing.
    constexpr int kTries = 50;
    for (int i = 0; i < kTries; ++i) {
        const int flags = make ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDONLY | O_CLOEXEC;
        const int descriptor = ::open(path.c_str(), flags, 0600);
        if (descriptor < 0) return system_error(MS_TEXT("cannot open"), errno).in_file(path);
        auto lock = take_open(descriptor);
        if (!lock) return std::optional<FileLock>();
        if (lock->is_on(path)) return lock;
    }
    return std::optional<FileLock>();
}

std::optional<FileLock> FileLock::take_open(int descriptor) {
    FileLock lock(descriptor);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
    // A file system without locks cannot tell two windows apart; that is no reason to refuse the work.
    if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return lock;
    return std::nullopt;
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    if (this != &other) {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::is_on(const std::string& path) const {
    struct stat held = {};
    struct stat named = {};
    return ::fstat(descriptor_, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
           held.st_ino == named.st_ino;
}

std::string holder_of(const std::string& path) {
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0) return {};
    const std::string wanted = fmt::format("{:02x}:{:02x}:{}", major(facts.st_dev), minor(facts.st_dev), facts.st_ino);
    std::ifstream locks("/proc/locks");
    // "1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF"
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number;
        std::string kind;
        std::string advisory;
        std::string access;
        long process = 0;
        std::string file;
        words >> number >> kind >> advisory >> access >> process >> file;
        if (kind == "FLOCK" && file == wanted && process > 0) return fmt::format(" (process {})", process);
    }
    return {};
}

}  // namespace maskscope::document::store
