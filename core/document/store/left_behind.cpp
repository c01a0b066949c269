// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/left_behind.h"

#include "core/document/store/journal.h"
#include "core/document/store/schema.h"

#include <filesystem>
#include <optional>

namespace maskscope::document::store {

namespace {

namespace fs = std::filesystem;

struct Found {
    LeftBehind told;
    bool worth_keeping = false;
    bool held = false;  // a window has it, though its lock is gone
};

Result<void> read_summary(Database& database, Found& found) {
    MS_CHECK(check_schema(database));
    bool unsaved = false;
    auto take_session = [&](const Row& row) -> Result<void> {
        unsaved = row.integer(0) != 0;
        found.told.saved_at = row.integer(1);
        found.told.msk = row.text(2);
        return {};
    };
    MS_CHECK(database.each("SELECT unsaved, changed_at, msk FROM session", {}, take_session));
    auto take_file = [&](const Row& row) -> Result<void> {
        found.told.files.push_back(row.text(0));
        return {};
    };
    MS_CHECK(database.each("SELECT path FROM file ORDER BY place", {}, take_file));
    MS_TRY(steps, database.integer("SELECT count(*) FROM step"));
    MS_TRY(stroke, database.integer("SELECT count(*) FROM stroke"));
    MS_TRY(changed, database.integer("SELECT count(*) FROM mask WHERE changed"));
    std::error_code failed;
    const bool msk_gone = !found.told.msk.empty() && !fs::exists(found.told.msk, failed);
    found.told.step_count = steps + stroke;
    found.worth_keeping = stroke > 0 || (changed > 0 && (unsaved || msk_gone));
    return {};
}

// The caller holds its lock.
Found look_at(const std::string& path) {
    Found found;
    found.told.path = path;
    std::error_code failed;
    const bool empty = fs::file_size(path, failed) == 0 && !failed;
    if (empty && !fs::exists(path + "-wal", failed)) return found;
    auto database = Database::look_at(path);
    auto read = database ? read_summary(*database, found) : Result<void>(database.error());
    if (read) return found;
    found.held = database && database->cause() == Cause::busy;
    found.told.problem = read.error().message.text();
    found.worth_keeping = true;  // nobody can say that it is not
    return found;
}

// Those that nobody holds, looked at while we do.
template <class Take>
void each_without_window(const std::string& folder, Take take) {
    for (const auto& path : journals_in(folder)) {
        std::error_code failed;
        std::optional<FileLock> lock;
        if (fs::exists(lock_path(path), failed)) {
            auto taken = FileLock::take(lock_path(path), false);
            if (taken && !*taken) continue;
            if (taken) lock = *std::move(taken);
        }
        const Found found = look_at(path);
        if (!found.held) take(found);
    }
}

}  // namespace

std::vector<LeftBehind> find_left_behind(const std::string& folder) {
    std::vector<LeftBehind> out;
    each_without_window(folder, [&](const Found& found) {
        if (found.worth_keeping) out.push_back(found.told);
    });
    return out;
}

void remove_empty_journals(const std::string& folder) {
    each_without_window(folder, [](const Found& found) {
        if (!found.worth_keeping) remove_journal_files(found.told.path);
    });
}

}  // namespace maskscope::document::store
