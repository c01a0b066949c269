// SPDX-License-Identifier: Apache-2.0
// The session in memory as the journal must come to hold it, with marks on what it does not hold yet. A commit that
// fails leaves the marks, so nothing has to be repeated; a journal that is lost is written anew by marking everything.
// Lives on the writer's thread; planes share their tiles with the window's until they are painted.
#pragma once

#include "core/document/session_store.h"
#include "core/mask/editable_mask.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace maskscope::document::store {

struct StoredPlane {
    explicit StoredPlane(mask::Plane plane) : cells(std::move(plane)) {}

    mask::Plane cells;
    bool whole = false;             // the journal has every tile that is not zero
    bool listed = false;            // the journal knows of this plane
    std::int64_t base_written = 0;  // tiles below are in the journal, until `whole`
    std::set<std::int64_t> dirty;
};

struct StoredMask {
    std::int64_t id = 0;
    std::string path;
    std::string key;
    Shape shape;
    DType dtype = DType::u8;
    std::optional<mask::EditableMask> source;  // as it was before its first step: planes are made of it
    std::map<std::int64_t, StoredPlane> planes;
    bool changed = false;  // its file does not hold what stands here
    bool dirty = true;
};

struct StoredStep {
    std::int64_t number = 0;  // ascending, with gaps
    std::int64_t mask = 0;    // 0: lost; it only keeps its place
    std::int64_t plane = 0;
    std::string tool;
    std::string name;
    std::vector<std::byte> delta;  // MaskDelta::serialised
};

class State {
public:
    // --- what the window says, in its order
    void set_files(std::vector<FileStamp> files);
    void set_setting(const std::string& key, const std::string& value);
    Result<void> mask_opened(const std::string& path, const std::string& key, mask::EditableMask source);
    void mask_saved(const std::string& path, const std::string& key);
    void mask_closed(const std::string& path, const std::string& key);
    // `gone`: places of steps that the history has let go of. A mask that was never opened has no place in the journal:
    // its step is an error, and lost.
    Result<void> push(const std::string& path, const std::string& key, const Step& step,
                      const std::vector<std::size_t>& gone);
    Result<void> move(std::size_t position, const std::vector<std::size_t>& gone);
    Result<void> under_way(const std::string& path, const std::string& key, const Step& so_far);
    void put_aside();
    void saved_as(const std::string& msk);
    // The stroke that a crash cut short becomes a step.
    void end_stroke();

    // Holds steps or a stroke that no file has.
    bool worth_keeping() const;
    SavedSession session() const;
    // Without the lost ones.
    std::size_t standing() const;

    // --- for the journal
    void mark_everything();
    void mark_written();
    bool dirty() const { return dirty_; }

    std::vector<FileStamp> files;
    std::map<std::string, std::string> settings;
    std::map<std::int64_t, StoredMask> masks;  // by id
    std::deque<StoredStep> steps;
    std::size_t position = 0;
    std::optional<StoredStep> stroke;
    std::string msk;
    bool unsaved = false;

    bool files_dirty = false;
    std::set<std::string> settings_dirty;
    std::set<std::int64_t> masks_gone;
    std::vector<std::int64_t> steps_gone;  // by number
    std::int64_t steps_dirty_from = 1;     // step numbers from here on are to be written
    bool stroke_dirty = false;
    std::int64_t next_mask = 1;
    std::int64_t next_step = 1;

private:
    StoredMask* find(const std::string& path, const std::string& key);
    Result<StoredPlane*> touch(StoredMask& mask, std::int64_t number);
    Result<StoredStep> stored(const std::string& path, const std::string& key, const Step& step);
    Result<void> append(StoredStep step);
    Result<void> apply(const StoredStep& step, bool forward);
    void truncate();
    void take_out(const std::vector<std::size_t>& gone);
    Result<void> set_to(StoredMask& mask, mask::EditableMask& source);
    void changed();

    bool dirty_ = false;
};

}  // namespace maskscope::document::store
