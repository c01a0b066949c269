// SPDX-License-Identifier: Apache-2.0
// The thread that brings the journal up to the state. Changes wait in a queue for at most a tenth of a second; what
// could not be written is tried again with the next change, and every few seconds.
#pragma once

#include "core/document/store/journal.h"
#include "core/document/store/msk_file.h"
#include "core/document/store/state.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace maskscope::document::store {

class Writer {
public:
    // A journal that is lost is written anew in `folder`.
    Writer(std::string folder, Journal journal, State state);
    // Writes what is left. A journal that holds nothing new goes.
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    // In the order of the calls. An error of a change is told as trouble.
    using Change = std::function<Result<void>(State&)>;
    void post(Change change);

    Result<void> flush();
    Result<FileLock> save(const std::string& path, const FileLock* own);
    std::optional<Error> trouble() const;
    // Ends it; the journal goes.
    void discard();

private:
    using Clock = std::chrono::steady_clock;

    void work();
    // Waits until there is something to do. False: it is over.
    bool wait(std::vector<Change>& changes, std::vector<std::function<void()>>& tasks);
    // Runs on the writer's thread, after all changes before it. False: the thread has ended.
    bool call(const std::function<void()>& task);
    void apply(const std::vector<Change>& changes);
    void bring_up_to_date();
    Result<void> commit();
    Result<void> begin_anew();
    Result<void> finish_base();
    void end();
    Result<FileLock> save_now(const std::string& path, const FileLock* own);
    Result<void> write_whole(const std::string& path);
    void note(const Result<void>& written);

    const std::string folder_;

    // --- the thread's own
    Journal journal_;
    State state_;
    bool base_waits_ = false;  // there was no room for it
    Clock::time_point next_commit_{};

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Change> changes_;
    std::vector<std::function<void()>> tasks_;
    bool over_ = false;
    bool discard_ = false;
    std::optional<Error> trouble_;
    std::optional<Error> lost_change_;  // a change that no journal can take
    std::optional<Error> notice_;       // what was put right by itself, until it has been read
    mutable bool notice_read_ = false;

    std::thread thread_;
};

}  // namespace maskscope::document::store
