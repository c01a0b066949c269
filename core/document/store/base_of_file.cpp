// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/base_of_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace maskscope::document {

Result<FileStamp> stamp_of(const std::string& path) {
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0) return system_error(MS_TEXT("cannot open"), errno).in_file(path);
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return FileStamp{path, static_cast<std::uint64_t>(facts.st_size),
                     facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec, facts.st_dev, facts.st_ino};
}

namespace store {

namespace {

enum class Fate : std::uint8_t { same, changed, gone };

// The inode alone is no change: a copy back from a backup is the same file.
Fate fate_of(const FileStamp& stamp) {
    const auto now = stamp_of(stamp.path);
    if (!now) return Fate::gone;
    return now->size == stamp.size && now->mtime_ns == stamp.mtime_ns ? Fate::same : Fate::changed;
}

}  // namespace

Result<mask::Plane> base_of_file(const StoredMask& mask, std::int64_t number, const std::vector<FileStamp>& files) {
    const auto stamp =
        std::find_if(files.begin(), files.end(), [&](const FileStamp& file) { return file.path == mask.path; });
    if (stamp == files.end() || fate_of(*stamp) != Fate::same) {
        return input_error(MS_TEXT("the file has changed")).in_file(mask.path);
    }
    MS_TRY(contents, io::open_file(mask.path));
    for (const auto& item : contents.items) {
        if (item.key != mask.key) continue;
        MS_TRY(tensor, io::tensor_of(item, {}));
        MS_TRY(editable, mask::EditableMask::of(tensor));
        if (number >= editable.plane_count()) break;
        MS_TRY(plane, editable.plane(number));
        return *plane;
    }
    return input_error(MS_TEXT("there is no such mask in it")).in_file(mask.path);
}

std::vector<std::string> changed_files(const SavedSession& session) {
    std::vector<std::string> out;
    for (const auto& file : session.files) {
        const auto fate = fate_of(file);
        if (fate == Fate::same) continue;
        const auto kept = std::count_if(session.masks.begin(), session.masks.end(), [&](const SavedMask& mask) {
            return mask.path == file.path && !mask.planes.empty();
        });
        std::string line = std::filesystem::path(file.path).filename().string();
        line += fate == Fate::gone ? " is not there any more" : " has changed since";
        if (kept > 0)
            line +=
                fmt::format(": {} {} of it {} kept", kept, kept == 1 ? "mask" : "masks", kept == 1 ? "was" : "were");
        out.push_back(std::move(line));
    }
    return out;
}

}  // namespace store

}  // namespace maskscope::document
