// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/msk_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

namespace maskscope::document::store {

namespace {

namespace fs = std::filesystem;

Error in_use(const std::string& path, Message what_to_do) {
    auto error =
        input_error(MS_TEXT("{} is open in another window{}"), fs::path(path).filename().string(), holder_of(path));
    error.hint = std::move(what_to_do);
    return error;
}

// The new file until it has its name.
class Temporary {
public:
    static Result<Temporary> create(const fs::path& folder, mode_t mode) {
        static std::atomic<unsigned> counter{0};
        constexpr int kTries = 100;
        int number = EEXIST;
        for (int i = 0; i < kTries && number == EEXIST; ++i) {
            const auto name = fmt::format(".maskscope-{}-s{}", ::getpid(), counter++);
            const fs::path path = fs::absolute(folder) / name;
            const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
            if (descriptor >= 0) return Temporary(descriptor, path);
            number = errno;
        }
        return system_error(MS_TEXT("cannot write in its folder"), number);
    }

    Temporary(Temporary&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::exchange(other.path_, {})) {}
    Temporary& operator=(Temporary&&) = delete;
    ~Temporary() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (path_.empty()) return;
        ::unlink(path_.c_str());
        ::unlink((path_.string() + "-journal").c_str());
    }

    std::string name() const { return path_.string(); }
    int descriptor() const { return descriptor_; }

    // Synced, locked, and only then seen under its name: nobody can have it in between.
    Result<FileLock> finish(const fs::path& target) {
        if (::fsync(descriptor_) != 0) return system_error(MS_TEXT("cannot write"), errno);
        auto lock = FileLock::take_open(std::exchange(descriptor_, -1));
        if (!lock) return input_error(MS_TEXT("another program holds the file"));
        if (::rename(path_.c_str(), target.c_str()) != 0) return system_error(MS_TEXT("cannot replace it"), errno);
        path_.clear();
        return *std::move(lock);
    }

private:
    Temporary(int descriptor, fs::path path) : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_;
    fs::path path_;
};

void sync_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

Result<FileLock> replace(const fs::path& target, FunctionRef<Result<void>(const std::string&)> write) {
    struct stat old = {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return input_error(MS_TEXT("this is a folder; give the name of a file"));
    if (exists && !S_ISREG(old.st_mode)) return input_error(MS_TEXT("this is not a regular file; save to one"));
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    MS_TRY(temporary, Temporary::create(folder, 0666));
    if (exists) static_cast<void>(::fchmod(temporary.descriptor(), old.st_mode & 07777U));
    MS_CHECK(write(temporary.name()));
    MS_TRY(lock, temporary.finish(target));
    sync_folder(folder);
    return std::move(lock);
}

}  // namespace

Result<FileLock> lock_msk(const std::string& path) {
    MS_TRY(lock, FileLock::take(path, false));
    if (!lock) return in_use(path, message(MS_TEXT("Close it there, or open a copy")));
    return *std::move(lock);
}

Result<FileLock> replace_msk(const std::string& path, const FileLock* own,
                             FunctionRef<Result<void>(const std::string&)> write) {
    // Through a symbolic link the file it points to is replaced, not the link.
    std::error_code failed;
    fs::path target = fs::is_symlink(path, failed) ? fs::canonical(path, failed) : fs::path(path);
    if (failed || target.empty()) target = path;
    std::optional<FileLock> held;  // until the old file is replaced
    if (fs::is_regular_file(target, failed) && (own == nullptr || !own->is_on(target.string()))) {
        MS_TRY(lock, FileLock::take(target.string(), false));
        if (!lock) return in_use(path, message(MS_TEXT("Close it there, or save under another name")));
        held = std::move(lock);
    }
    auto lock = replace(target, write);
    if (lock) return lock;
    auto error = std::move(lock).error();
    error.where.file = path;  // not the temporary's name, which says nothing to anybody
    return error;
}

}  // namespace maskscope::document::store
