// SPDX-License-Identifier: Apache-2.0
#include "core/io/save.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace maskscope::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferBytes = 256U << 10U;
constexpr std::size_t kMostPerWrite = 1U << 30U;  // Linux takes a little under 2 GiB in one call

// The new file until it has its name; removed when the save does not finish.
class Temporary {
public:
    // Beside the target, since a rename only replaces a file within one file system.
    static Result<Temporary> create(const fs::path& folder, mode_t mode) {
        static std::atomic<unsigned> counter{0};
        constexpr int kTries = 100;
        for (int i = 0; i < kTries; ++i) {
            const fs::path path = folder / fmt::format(".maskscope-{}-{}", ::getpid(), counter++);
            const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (fd >= 0) return Temporary(fd, path);
            if (errno != EEXIST) return system_error(MS_TEXT("cannot write in its folder"), errno);
        }
        return system_error(MS_TEXT("cannot write in its folder"), EEXIST);
    }

    Temporary(Temporary&& other) noexcept : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)) {
        other.path_.clear();
    }
    Temporary& operator=(Temporary&&) = delete;
    ~Temporary() {
        if (fd_ >= 0) ::close(fd_);
        if (!path_.empty()) ::unlink(path_.c_str());
    }

    Result<void> put(std::span<const std::byte> bytes) {
        if (buffer_.size() + bytes.size() < kBufferBytes) {
            buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
            return {};
        }
        MS_CHECK(flush());
        return write_all(bytes);
    }

    Result<void> finish(const fs::path& target) {
        MS_CHECK(flush());
        if (::fsync(fd_) != 0) return system_error(MS_TEXT("cannot write"), errno);
        if (::close(std::exchange(fd_, -1)) != 0) return system_error(MS_TEXT("cannot write"), errno);
        if (::rename(path_.c_str(), target.c_str()) != 0) return system_error(MS_TEXT("cannot replace it"), errno);
        path_.clear();
        return {};
    }

    int descriptor() const { return fd_; }

private:
    Temporary(int fd, fs::path path) : fd_(fd), path_(std::move(path)) { buffer_.reserve(kBufferBytes); }

    Result<void> flush() {
        MS_CHECK(write_all(buffer_));
        buffer_.clear();
        return {};
    }

    Result<void> write_all(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t written = ::write(fd_, bytes.data(), std::min(bytes.size(), kMostPerWrite));
            if (written < 0) {
                if (errno == EINTR) continue;
                return system_error(MS_TEXT("cannot write"), errno);
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
        return {};
    }

    int fd_;
    fs::path path_;
    std::vector<std::byte> buffer_;
};

// The rename itself must survive a power cut. Some file systems cannot sync a folder: the data are safe all the same.
void sync_folder(const fs::path& folder) {
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

Result<void> save_beside(const fs::path& target, FunctionRef<Result<void>(Sink)> write) {
    struct stat old = {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return input_error(MS_TEXT("this is a folder; give the name of a file"));
    if (exists && !S_ISREG(old.st_mode)) return input_error(MS_TEXT("this is not a regular file; save to one"));
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    MS_TRY(temporary, Temporary::create(folder, 0666));
    // A failed chmod leaves the mode of a new file, which is no reason to lose the save.
    if (exists) static_cast<void>(::fchmod(temporary.descriptor(), old.st_mode & 07777U));
    auto sink = [&](std::span<const std::byte> bytes) { return temporary.put(bytes); };
    MS_CHECK(write(sink));
    MS_CHECK(temporary.finish(target));
    sync_folder(folder);
    return {};
}

}  // namespace

Result<void> save_atomically(const std::string& path, FunctionRef<Result<void>(Sink)> write) {
    // Through a symbolic link the file it points to is replaced, not the link.
    std::error_code failed;
    fs::path target = fs::is_symlink(path, failed) ? fs::canonical(path, failed) : fs::path(path);
    if (failed || target.empty()) target = path;
    auto saved = save_beside(target, write);
    if (!saved) return std::move(saved).error().in_file(path);
    return {};
}

}  // namespace maskscope::io
