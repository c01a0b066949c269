// SPDX-License-Identifier: Apache-2.0
#include "core/document/session_store.h"

#include "core/document/store/base_of_file.h"
#include "core/document/store/left_behind.h"
#include "core/document/store/schema.h"
#include "core/document/store/tables.h"
#include "core/document/store/told_steps.h"
#include "core/document/store/writer.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace maskscope::document {

namespace {

using namespace store;

// What a journal or a .msk gives to begin with.
struct Opened {
    Journal journal;
    State state;
    std::optional<FileLock> msk_lock;
    std::vector<std::string> warnings;
};

Result<State> copy_of(const std::string& path, Journal& journal) {
    auto& database = journal.database();
    MS_CHECK(database.attach_unchanging(path));
    auto copied = copy_from_source(database);
    database.detach();
    if (!copied) return std::move(copied).error();
    return read_state(database, nullptr);
}

Result<Opened> open_msk(const std::string& path, const std::string& folder) {
    MS_TRY(lock, lock_msk(path));
    MS_CHECK(check_header(path));
    MS_TRY(journal, Journal::create(folder));
    auto state = copy_of(std::filesystem::absolute(path).string(), journal);
    if (!state) {
        journal.remove();
        auto error = std::move(state).error();
        error.where.file = path;  // the copy is no file that anybody knows
        return error;
    }
    state->end_stroke();
    state->saved_as(path);
    return Opened{std::move(journal), *std::move(state), std::move(lock), {}};
}

Result<Opened> open_journal(const std::string& path) {
    MS_TRY(journal, Journal::take_over(path));
    std::vector<std::string> warnings;
    auto state = read_state(journal.database(), &warnings);
    if (!state) {
        journal.abandon();
        return std::move(state).error();
    }
    if (state->stroke) state->unsaved = true;
    state->end_stroke();
    std::optional<FileLock> msk_lock;
    if (!state->msk.empty()) {
        auto lock = lock_msk(state->msk);
        if (lock) {
            msk_lock = *std::move(lock);
        } else {
            warnings.push_back(lock.error().text());
            state->msk.clear();
        }
    }
    return Opened{std::move(journal), *std::move(state), std::move(msk_lock), std::move(warnings)};
}

std::string home_folder() {
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') return home;
    const passwd* user = ::getpwuid(::getuid());
    return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "";
}

}  // namespace

struct SessionStore::Private {
    Names names;
    SavedSession restored;
    std::string msk;
    std::optional<store::FileLock> msk_lock;
    bool unsaved = false;
    const History* history = nullptr;
    store::ToldSteps told;
    std::unique_ptr<store::Writer> writer;
};

std::string SessionStore::state_folder() {
    const char* state = std::getenv("XDG_STATE_HOME");
    // The standard says that a relative path is to be ignored.
    if (state != nullptr && *state == '/') return std::string(state) + "/maskscope";
    const std::string home = home_folder();
    return home.empty() ? "" : home + "/.local/state/maskscope";
}

std::vector<LeftBehind> SessionStore::left_behind(const std::string& folder) {
    return find_left_behind(folder);
}

SessionStore::SessionStore(std::unique_ptr<Private> d) : d_(std::move(d)) {}
SessionStore::~SessionStore() = default;

Result<std::unique_ptr<SessionStore>> SessionStore::create(const std::string& folder, Names names) {
    if (folder.empty()) return input_error(MS_TEXT("there is no folder for the journal: set HOME or XDG_STATE_HOME"));
    remove_empty_journals(folder);
    MS_TRY(journal, Journal::create(folder));
    auto d = std::make_unique<Private>();
    d->names = std::move(names);
    d->writer = std::make_unique<Writer>(folder, std::move(journal), State());
    return std::unique_ptr<SessionStore>(new SessionStore(std::move(d)));
}

Result<std::unique_ptr<SessionStore>> SessionStore::open(const std::string& path, const std::string& folder,
                                                         Names names) {
    MS_TRY(opened, is_journal(path) ? open_journal(path) : open_msk(path, folder));
    auto d = std::make_unique<Private>();
    d->names = std::move(names);
    d->restored = opened.state.session();
    d->restored.warnings = changed_files(d->restored);
    for (auto& warning : opened.warnings) d->restored.warnings.push_back(std::move(warning));
    d->told = ToldSteps(d->restored);
    d->msk = opened.state.msk;
    d->msk_lock = std::move(opened.msk_lock);
    d->unsaved = opened.state.unsaved;
    d->writer = std::make_unique<Writer>(folder, std::move(opened.journal), std::move(opened.state));
    return std::unique_ptr<SessionStore>(new SessionStore(std::move(d)));
}

const SavedSession& SessionStore::restored() const {
    return d_->restored;
}

void SessionStore::set_files(const std::vector<FileStamp>& files) {
    d_->writer->post([files](State& state) -> Result<void> {
        state.set_files(files);
        return {};
    });
}

void SessionStore::set_setting(const std::string& key, const std::string& value) {
    d_->writer->post([key, value](State& state) -> Result<void> {
        state.set_setting(key, value);
        return {};
    });
}

void SessionStore::mask_opened(EntryId entry, const mask::EditableMask& mask) {
    const auto [path, key] = d_->names(entry);
    d_->writer->post(
        [path = path, key = key, mask](State& state) -> Result<void> { return state.mask_opened(path, key, mask); });
}

void SessionStore::mask_saved(EntryId entry) {
    const auto [path, key] = d_->names(entry);
    d_->writer->post([path = path, key = key](State& state) -> Result<void> {
        state.mask_saved(path, key);
        return {};
    });
}

void SessionStore::mask_closed(EntryId entry) {
    d_->unsaved = true;
    const auto [path, key] = d_->names(entry);
    d_->writer->post([path = path, key = key](State& state) -> Result<void> {
        state.mask_closed(path, key);
        return {};
    });
}

void SessionStore::follow(const History& history) {
    d_->history = &history;
}

void SessionStore::stepped(const Step& step) {
    d_->unsaved = true;
    const auto [path, key] = d_->names(step.entry);
    auto gone = d_->history != nullptr ? d_->told.pushed(*d_->history, d_->names) : std::vector<std::size_t>();
    d_->writer->post([path = path, key = key, step, gone = std::move(gone)](State& state) {
        return state.push(path, key, step, gone);
    });
}

void SessionStore::moved(std::size_t position) {
    d_->unsaved = true;
    auto gone = d_->history != nullptr ? d_->told.moved(*d_->history, d_->names, position) : std::vector<std::size_t>();
    d_->writer->post([position, gone = std::move(gone)](State& state) { return state.move(position, gone); });
}

void SessionStore::under_way(const Step& so_far) {
    const auto [path, key] = d_->names(so_far.entry);
    d_->writer->post([path = path, key = key, so_far](State& state) { return state.under_way(path, key, so_far); });
}

void SessionStore::put_aside() {
    d_->writer->post([](State& state) -> Result<void> {
        state.put_aside();
        return {};
    });
}

Result<void> SessionStore::flush() {
    return d_->writer->flush();
}

std::optional<Error> SessionStore::trouble() const {
    return d_->writer->trouble();
}

Result<void> SessionStore::save(const std::string& path) {
    MS_TRY(lock, d_->writer->save(path, d_->msk_lock ? &*d_->msk_lock : nullptr));
    d_->msk_lock = std::move(lock);
    d_->msk = path;
    d_->unsaved = false;
    return {};
}

const std::string& SessionStore::msk() const {
    return d_->msk;
}

bool SessionStore::saved() const {
    return !d_->unsaved;
}

void SessionStore::discard() {
    d_->writer->discard();
}

}  // namespace maskscope::document
