// SPDX-License-Identifier: Apache-2.0
// The session on disk: a SQLite database in the user's state folder that follows every change within 200 ms (WAL,
// synchronous FULL, its own thread), so that no crash loses more. Saving makes a .msk file of it, beside the old one,
// synced and renamed.
#pragma once

#include "core/base/result.h"
#include "core/document/document.h"
#include "core/document/edits.h"
#include "core/mask/plane.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::document {

// The file behind an entry, as it was when it was opened.
struct FileStamp {
    std::string path;
    std::uint64_t size = 0;
    std::int64_t mtime_ns = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
};
Result<FileStamp> stamp_of(const std::string& path);

// What a session holds. Entries are named by file and key, since ids are a run's own.
struct SavedMask {
    std::string path;
    std::string key;
    Shape shape;
    DType dtype = DType::u8;
    std::map<std::int64_t, mask::Plane> planes;  // those that were painted: whole, whatever became of the file
    bool changed = false;                        // its file did not hold what stands here
};
struct SavedStep {
    std::string path;
    std::string key;
    std::string tool;
    std::string name;
    std::int64_t plane = 0;
    std::vector<std::byte> delta;  // MaskDelta::serialised
};
struct SavedSession {
    std::vector<FileStamp> files;
    std::vector<SavedMask> masks;
    std::vector<SavedStep> steps;
    std::size_t position = 0;
    std::map<std::string, std::string> settings;  // the window's own words: views, layers, tools
    std::vector<std::string> warnings;            // "coins.png has changed since: 1 mask of it was kept"
};

// A journal left behind by a run that did not end well, or that another window holds.
struct LeftBehind {
    std::string path;
    std::int64_t saved_at = 0;  // seconds since 1970, of its last change
    std::int64_t step_count = 0;
    std::vector<std::string> files;
    std::string msk;      // the session file it belongs to; may be empty
    std::string problem;  // why it cannot be read; then the rest is not known
};

class SessionStore : public EditListener {
public:
    // $XDG_STATE_HOME/maskscope, or ~/.local/state/maskscope.
    static std::string state_folder();
    // Journals whose process is gone and which hold edits that no file has. Reads only.
    static std::vector<LeftBehind> left_behind(const std::string& folder);

    // A new journal, held by a lock as long as this lives. `names` gives path and key of an entry.
    using Names = std::function<std::pair<std::string, std::string>(EntryId)>;
    static Result<std::unique_ptr<SessionStore>> create(const std::string& folder, Names names);
    // From a .msk (copied into a new journal; refused while another window has it open) or from a journal left behind
    // (taken over).
    static Result<std::unique_ptr<SessionStore>> open(const std::string& path, const std::string& folder, Names names);
    ~SessionStore() override;

    // What was in it when it was opened.
    const SavedSession& restored() const;

    // --- from the UI thread; returns at once
    void set_files(const std::vector<FileStamp>& files);
    void set_setting(const std::string& key, const std::string& value);
    // Before the first step on a mask: what it was, so that the file may go away.
    // Said again, after it was opened anew: the journal's copy becomes what it is now.
    void mask_opened(EntryId entry, const mask::EditableMask& mask);
    // Its file holds what stands now.
    void mask_saved(EntryId entry);
    // Its edits are not wanted any more: it goes with its steps.
    void mask_closed(EntryId entry);
    void stepped(const Step& step) override;
    void moved(std::size_t position) override;
    void under_way(const Step& so_far) override;
    void put_aside() override;
    void follow(const History& history) override;  // what it lets go of leaves the journal too

    // Waits until all that was said stands on the disk.
    Result<void> flush();
    // The first thing that could not be written since the last success: disk full, folder read-only. Edits go on in
    // memory, and are tried again with the next change.
    std::optional<Error> trouble() const;
    // Writes the .msk and remembers that it is saved.
    Result<void> save(const std::string& path);
    const std::string& msk() const;  // the .msk it was opened from or saved to; empty: none
    bool saved() const;              // nothing since save()
    // The journal goes with this object: nothing in it is wanted any more.
    void discard();

private:
    struct Private;
    explicit SessionStore(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d_;
};

}  // namespace maskscope::document
