// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace maskscope::render {
namespace {

constexpr const char* kDoing = MS_TEXT("Cannot write the picture");

int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

// Opens a new file beside the target, with the permissions that the umask leaves.
int open_temporary(const std::string& target, std::string& name) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
        const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

}  // namespace

Result<void> replace_file(const std::string& path, std::string_view bytes) {
    std::error_code ignored;
    // A link stays a link: its target is replaced.
    const auto real = std::filesystem::weakly_canonical(path, ignored);
    const std::string target = ignored || real.empty() ? path : real.string();
    if (std::filesystem::is_directory(target, ignored)) {
        return input_error(MS_TEXT("Cannot write the picture: this is a directory")).in_file(path);
    }
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        // A pipe or a device takes the bytes as they are.
        const int device = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
        if (device < 0) return system_error(kDoing, errno).in_file(path);
        int failure = write_all(device, bytes);
        if (::close(device) != 0 && failure == 0) failure = errno;
        if (failure != 0) return system_error(kDoing, failure).in_file(path);
        return {};
    }
    std::string temporary;
    const int file = open_temporary(target, temporary);
    if (file < 0) return system_error(kDoing, errno).in_file(path);
    int failure = write_all(file, bytes);
    if (failure == 0 && ::fsync(file) != 0) failure = errno;
    if (failure == 0 && exists && ::fchmod(file, old.st_mode & 07777U) != 0) failure = errno;
    if (::close(file) != 0 && failure == 0) failure = errno;
    if (failure == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) failure = errno;
    if (failure != 0) {
        ::unlink(temporary.c_str());
        return system_error(kDoing, failure).in_file(path);
    }
    return {};
}

}  // namespace maskscope::render
