// SPDX-License-Identifier: Apache-2.0
// A journal's files: the database, its log, and the lock that tells a living one from one left behind.
#pragma once

#include "core/document/store/database.h"
#include "core/document/store/file_lock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::document::store {

class Journal {
public:
    // <folder>/<pid>-<random>.journal, with its tables. The folder is made when it is not there.
    static Result<Journal> create(const std::string& folder);
    // One that was left behind; refused while somebody holds it.
    static Result<Journal> take_over(const std::string& path);

    const std::string& path() const { return path_; }
    Database& database() { return database_; }
    // False when another program has removed it, replaced it or cut it off.
    bool intact() const;
    // After a commit: it is not shorter from here on.
    void remember_sizes();
    // Closes it without a further write.
    void abandon() { database_.abandon(); }
    // Takes its files away. Nothing else may be done with it then.
    void remove();

private:
    struct Mark {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t size = 0;
    };
    Journal(std::string path, FileLock lock, Database database)
        : path_(std::move(path)), lock_(std::move(lock)), database_(std::move(database)) {}
    static std::optional<Mark> mark_of(const std::string& path);
    static bool still(const std::optional<Mark>& then, const std::string& path);

    std::string path_;
    FileLock lock_;  // let go after the database is closed
    Database database_;
    std::optional<Mark> file_;
    std::optional<Mark> log_;
};

std::string lock_path(const std::string& journal);
bool is_journal(const std::string& path);
std::vector<std::string> journals_in(const std::string& folder);
// The files of a journal whose lock is held by the caller.
void remove_journal_files(const std::string& path);

}  // namespace maskscope::document::store
