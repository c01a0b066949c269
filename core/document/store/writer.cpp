// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/writer.h"

#include "core/document/store/schema.h"
#include "core/document/store/tables.h"

#include <csignal>
#include <exception>
#include <future>
#include <utility>

namespace maskscope::document::store {

namespace {

constexpr auto kBetweenCommits = std::chrono::milliseconds(100);
constexpr auto kBetweenLooks = std::chrono::seconds(2);  // whether the journal is still there, and can be written again
// What a commit writes of a plane's untouched tiles: with a step, and by itself.
constexpr std::size_t kBaseWithStep = 1U << 20U;
constexpr std::size_t kBaseAlone = 4U << 20U;

Error told(const Error& error) {
    auto out = input_error(MS_TEXT("the last edits are not in the journal: {}"), error.message.text())
                   .with_hint(MS_TEXT("They are kept in memory and written as soon as it can be; save what you need"));
    out.where = error.where;
    return out;
}

Error thrown(const std::exception& failure) {
    return input_error(MS_TEXT("the journal failed: {}"), failure.what());
}

}  // namespace

Writer::Writer(std::string folder, Journal journal, State state)
    : folder_(std::move(folder)), journal_(std::move(journal)), state_(std::move(state)), thread_([this] { work(); }) {}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Writer::post(Change change) {
    {
        const std::lock_guard lock(mutex_);
        if (over_) return;
        changes_.push_back(std::move(change));
    }
    wake_.notify_one();
}

bool Writer::call(const std::function<void()>& task) {
    std::promise<void> done;
    {
        const std::lock_guard lock(mutex_);
        if (over_) return false;
        tasks_.emplace_back([&] {
            task();
            done.set_value();
        });
    }
    wake_.notify_one();
    done.get_future().wait();
    return true;
}

void Writer::discard() {
    {
        const std::lock_guard lock(mutex_);
        discard_ = true;
        over_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

std::optional<Error> Writer::trouble() const {
    const std::lock_guard lock(mutex_);
    if (trouble_) return trouble_;
    if (lost_change_) return lost_change_;
    notice_read_ = notice_.has_value();
    return notice_;
}

Result<void> Writer::flush() {
    Result<void> out = cancelled_error();
    static_cast<void>(call([&] {
        out = finish_base();
        note(out);
        const std::lock_guard lock(mutex_);
        if (out && trouble_) out = *trouble_;
        if (out && lost_change_) out = *lost_change_;
    }));
    return out;
}

Result<FileLock> Writer::save(const std::string& path, const FileLock* own) {
    Result<FileLock> out = cancelled_error();
    static_cast<void>(call([&] { out = save_now(path, own); }));
    return out;
}

bool Writer::wait(std::vector<Change>& changes, std::vector<std::function<void()>>& tasks) {
    std::unique_lock lock(mutex_);
    const bool more_base = !base_waits_ && base_pending(state_);
    const auto urgent = [&] { return over_ || !tasks_.empty(); };
    if (!more_base) wake_.wait_for(lock, kBetweenLooks, [&] { return urgent() || !changes_.empty(); });
    // What comes in meanwhile goes with it; a pause since the last commit means no waiting at all.
    if (!changes_.empty()) wake_.wait_until(lock, next_commit_, urgent);
    changes = std::exchange(changes_, {});
    tasks = std::exchange(tasks_, {});
    return !over_;
}

void Writer::work() {
    // Beyond a limit on the size of files, a write is to fail and not to end the process.
    sigset_t size_limit;
    sigemptyset(&size_limit);
    sigaddset(&size_limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size_limit, nullptr);
    bool more = true;
    while (more) {
        std::vector<Change> changes;
        std::vector<std::function<void()>> tasks;
        more = wait(changes, tasks);
        if (!more && discard_) break;
        apply(changes);
        bring_up_to_date();
        for (const auto& task : tasks) task();
    }
    end();
}

void Writer::apply(const std::vector<Change>& changes) {
    for (const auto& change : changes) {
        Result<void> done;
        try {
            done = change(state_);
        } catch (const std::exception& failure) {
            done = thrown(failure);
        }
        if (done) continue;
        const std::lock_guard lock(mutex_);
        lost_change_ = input_error(MS_TEXT("an edit could not be journalled: {}"), done.error().text())
                           .with_hint(MS_TEXT("Save the mask to be sure"));
    }
}

void Writer::bring_up_to_date() {
    try {
        if (state_.dirty() || !journal_.intact()) {
            next_commit_ = Clock::now() + kBetweenCommits;
            note(commit());
        } else if (base_pending(state_)) {
            auto written = write_base(journal_.database(), state_, kBaseAlone);
            if (written) journal_.remember_sizes();
            note(written);
        }
    } catch (const std::exception& failure) {
        note(thrown(failure));
    }
}

Result<void> Writer::commit() {
    if (!journal_.intact()) return begin_anew();
    auto written = write_marked(journal_.database(), state_, base_waits_ ? 0 : kBaseWithStep);
    // The strokes come first where there is little room.
    if (!written && !base_waits_) written = write_marked(journal_.database(), state_, 0);
    if (!written && journal_.database().cause() == Cause::damaged) return begin_anew();
    if (written) journal_.remember_sizes();
    return written;
}

Result<void> Writer::begin_anew() {
    auto fresh = Journal::create(folder_);
    if (!fresh) return std::move(fresh).error();
    state_.mark_everything();
    auto written = write_marked(fresh->database(), state_, kBaseWithStep);
    if (!written) {
        fresh->remove();
        return written;
    }
    journal_.remove();
    journal_ = *std::move(fresh);
    journal_.remember_sizes();
    const std::lock_guard lock(mutex_);
    notice_ = input_error(MS_TEXT("another program has removed or changed the journal; it was written anew"))
                  .in_file(journal_.path());
    notice_read_ = false;
    return {};
}

Result<void> Writer::finish_base() {
    try {
        if (state_.dirty()) MS_CHECK(commit());
        while (base_pending(state_)) MS_CHECK(write_base(journal_.database(), state_, kBaseAlone));
        journal_.remember_sizes();
        return {};
    } catch (const std::exception& failure) {
        return thrown(failure);
    }
}

void Writer::note(const Result<void>& written) {
    base_waits_ = !written;
    const std::lock_guard lock(mutex_);
    if (!written) {
        trouble_ = told(written.error());
        return;
    }
    trouble_.reset();
    if (notice_read_) notice_.reset();
}

void Writer::end() {
    try {
        if (discard_ || !state_.worth_keeping()) {
            journal_.remove();
            return;
        }
        static_cast<void>(finish_base());
    } catch (const std::exception&) {
        // What is in the journal stays in it.
    }
}

Result<FileLock> Writer::save_now(const std::string& path, const FileLock* own) {
    try {
        const auto current = finish_base();
        auto write = [&](const std::string& temporary) -> Result<void> {
            // A journal in trouble is no reason not to save: memory has it all.
            if (!current || !journal_.intact()) return write_whole(temporary);
            const std::string_view name = temporary;
            return journal_.database().run("VACUUM INTO ?", {name});
        };
        MS_TRY(lock, replace_msk(path, own, write));
        state_.saved_as(path);
        note(commit());
        return std::move(lock);
    } catch (const std::exception& failure) {
        return thrown(failure);
    }
}

Result<void> Writer::write_whole(const std::string& path) {
    MS_TRY(database, Database::plain(path));
    MS_CHECK(create_schema(database));
    State copy = state_;
    copy.mark_everything();
    MS_CHECK(write_marked(database, copy, kBaseAlone));
    while (base_pending(copy)) MS_CHECK(write_base(database, copy, kBaseAlone));
    return {};
}

}  // namespace maskscope::document::store
