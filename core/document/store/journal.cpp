// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/journal.h"

#include "core/document/store/schema.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

namespace maskscope::document::store {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".journal";

std::string new_name(const std::string& folder) {
    std::random_device random;
    const auto word = static_cast<std::uint64_t>(random()) << 32U | random();
    return fmt::format("{}/{}-{:016x}{}", folder, ::getpid(), word, kEnding);
}

Result<void> make_folder(const std::string& folder) {
    std::error_code failed;
    const bool made = fs::create_directories(folder, failed);
    if (failed || !fs::is_directory(folder)) {
        const int number = failed ? failed.value() : ENOTDIR;
        return system_error(MS_TEXT("cannot make the folder of the journal"), number).in_file(folder);
    }
    if (made) fs::permissions(folder, fs::perms::owner_all, failed);  // edits are the user's own business
    return {};
}

// Somebody who only looks holds the lock for a moment.
Result<std::optional<FileLock>> take_patiently(const std::string& path) {
    constexpr int kTries = 20;
    constexpr auto kPause = std::chrono::milliseconds(50);
    for (int i = 0;; ++i) {
        MS_TRY(lock, FileLock::take(path, true));
        if (lock || i == kTries) return std::move(lock);
        std::this_thread::sleep_for(kPause);
    }
}

}  // namespace

std::string lock_path(const std::string& journal) {
    return journal + ".lock";
}

bool is_journal(const std::string& path) {
    return path.ends_with(kEnding);
}

std::vector<std::string> journals_in(const std::string& folder) {
    std::vector<std::string> out;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        const std::string path = entry->path().string();
        if (is_journal(path)) out.push_back(path);
    }
    std::sort(out.begin(), out.end());
    return out;
}

void remove_journal_files(const std::string& path) {
    // The lock goes last: who finds it gone finds nothing else either.
    for (const char* ending : {"-wal", "-shm", "-journal", "", ".lock"}) ::unlink((path + ending).c_str());
}

Result<Journal> Journal::create(const std::string& folder) {
    MS_CHECK(make_folder(folder));
    const std::string path = new_name(fs::absolute(folder).string());
    MS_TRY(lock, FileLock::take(lock_path(path), true));
    if (!lock) return input_error(MS_TEXT("another program holds the file")).in_file(path);
    auto database = Database::journal(path, true);
    auto made = database ? create_schema(*database) : Result<void>(database.error());
    if (!made) {
        remove_journal_files(path);
        return std::move(made).error();
    }
    Journal journal(path, *std::move(lock), *std::move(database));
    journal.remember_sizes();
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        ::fsync(descriptor);  // its name survives a power cut
        ::close(descriptor);
    }
    return journal;
}

Result<Journal> Journal::take_over(const std::string& path) {
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) return input_error(MS_TEXT("there is no such journal")).in_file(path);
    MS_TRY(lock, take_patiently(lock_path(path)));
    if (!lock) {
        return input_error(MS_TEXT("this session is open in another window{}"), holder_of(lock_path(path)))
            .in_file(path)
            .with_hint(MS_TEXT("Go on there"));
    }
    MS_TRY(database, Database::journal(fs::absolute(path).string(), false));
    if (auto ours = check_schema(database); !ours) {
        database.abandon();
        return std::move(ours).error().in_file(path);
    }
    Journal journal(path, *std::move(lock), std::move(database));
    journal.remember_sizes();
    return journal;
}

std::optional<Journal::Mark> Journal::mark_of(const std::string& path) {
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
    return Mark{facts.st_dev, facts.st_ino, facts.st_size};
}

bool Journal::still(const std::optional<Mark>& then, const std::string& path) {
    if (!then) return true;
    const auto now = mark_of(path);
    return now && now->device == then->device && now->inode == then->inode && now->size >= then->size;
}

bool Journal::intact() const {
    return still(file_, path_) && still(log_, path_ + "-wal");
}

void Journal::remember_sizes() {
    file_ = mark_of(path_);
    log_ = mark_of(path_ + "-wal");
}

void Journal::remove() {
    database_.abandon();
    { const Database closed = std::move(database_); }
    remove_journal_files(path_);
}

}  // namespace maskscope::document::store
