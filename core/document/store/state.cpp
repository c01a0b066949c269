// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/state.h"

#include "core/document/store/base_of_file.h"

#include <algorithm>
#include <limits>

namespace maskscope::document::store {

namespace {

constexpr std::int64_t kNothingToWrite = std::numeric_limits<std::int64_t>::max();

bool same_geometry(const StoredMask& mask, const mask::EditableMask& source) {
    if (mask.shape != source.shape() || mask.dtype != source.dtype()) return false;
    return std::all_of(mask.planes.begin(), mask.planes.end(), [&](const auto& plane) {
        const auto& cells = plane.second.cells;
        return cells.rows() == source.rows() && cells.cols() == source.cols() && plane.first < source.plane_count();
    });
}

bool same(const FileStamp& a, const FileStamp& b) {
    return a.path == b.path && a.size == b.size && a.mtime_ns == b.mtime_ns && a.device == b.device &&
           a.inode == b.inode;
}

}  // namespace

void State::changed() {
    unsaved = true;
    dirty_ = true;
}

void State::set_files(std::vector<FileStamp> now) {
    if (std::equal(files.begin(), files.end(), now.begin(), now.end(), same)) return;
    files = std::move(now);
    files_dirty = true;
    changed();
}

void State::set_setting(const std::string& key, const std::string& value) {
    const auto [place, added] = settings.try_emplace(key, value);
    if (!added && place->second == value) return;
    place->second = value;
    settings_dirty.insert(key);
    dirty_ = true;
}

StoredMask* State::find(const std::string& path, const std::string& key) {
    for (auto& [id, mask] : masks) {
        if (mask.path == path && mask.key == key) return &mask;
    }
    return nullptr;
}

Result<void> State::mask_opened(const std::string& path, const std::string& key, mask::EditableMask source) {
    StoredMask* known = find(path, key);
    if (known != nullptr && !same_geometry(*known, source)) {
        mask_closed(path, key);  // its file is another one now
        known = nullptr;
    }
    if (known == nullptr) {
        known = &masks[next_mask];
        known->id = next_mask++;
        known->path = path;
        known->key = key;
        known->shape = source.shape();
        known->dtype = source.dtype();
        dirty_ = true;
    }
    MS_CHECK(set_to(*known, source));
    known->source = std::move(source);
    return {};
}

// What was closed and opened again is what its file says, not what was painted before.
Result<void> State::set_to(StoredMask& mask, mask::EditableMask& source) {
    for (auto& [number, stored] : mask.planes) {
        MS_TRY(plane, source.plane(number));
        const auto differs = mask::MaskDelta::between(stored.cells, *plane, plane->bounds());
        for (const auto& tile : differs.tiles) stored.dirty.insert(tile.index);
        if (!differs.empty()) {
            stored.cells = *plane;
            mask.changed = false;
            mask.dirty = true;
            changed();
        }
        *plane = mask::Plane(1, 1, plane->dtype());  // not asked for again
    }
    return {};
}

void State::mask_saved(const std::string& path, const std::string& key) {
    StoredMask* known = find(path, key);
    if (known == nullptr || !known->changed) return;
    known->changed = false;
    known->dirty = true;
    dirty_ = true;
}

void State::mask_closed(const std::string& path, const std::string& key) {
    const StoredMask* known = find(path, key);
    if (known == nullptr) return;
    const auto id = known->id;
    // They keep their places until the history tells that it has let them go.
    for (auto& step : steps) {
        if (step.mask == id) step.mask = 0;
    }
    if (stroke && stroke->mask == id) put_aside();
    masks.erase(id);
    masks_gone.insert(id);
    changed();
}

Result<StoredPlane*> State::touch(StoredMask& mask, std::int64_t number) {
    if (const auto known = mask.planes.find(number); known != mask.planes.end()) return &known->second;
    if (!mask.source) {
        // A mask that came back from a journal, another plane of it: its file has what it was.
        MS_TRY(from_file, base_of_file(mask, number, files));
        return &mask.planes.try_emplace(number, std::move(from_file)).first->second;
    }
    MS_TRY(plane, mask.source->plane(number));
    auto& stored = mask.planes.try_emplace(number, *plane).first->second;
    // The source's own tiles are not asked for again.
    *plane = mask::Plane(1, 1, plane->dtype());
    return &stored;
}

Result<StoredStep> State::stored(const std::string& path, const std::string& key, const Step& step) {
    StoredMask* mask = find(path, key);
    if (mask == nullptr) return input_error(MS_TEXT("{} was painted before it was opened"), path + "::" + key);
    MS_TRY(plane, touch(*mask, step.plane));
    static_cast<void>(plane);
    return StoredStep{0, mask->id, step.plane, step.tool, step.name, step.delta.serialised()};
}

Result<void> State::apply(const StoredStep& step, bool forward) {
    if (step.mask == 0) return {};
    auto& mask = masks.at(step.mask);
    MS_TRY(plane, touch(mask, step.plane));
    MS_TRY(delta, mask::MaskDelta::parse(step.delta, plane->cells));
    if (forward) {
        delta.redo(plane->cells);
    } else {
        delta.undo(plane->cells);
    }
    for (const auto& tile : delta.tiles) plane->dirty.insert(tile.index);
    mask.dirty = mask.dirty || !mask.changed;
    mask.changed = true;
    changed();
    return {};
}

Result<void> State::push(const std::string& path, const std::string& key, const Step& step,
                         const std::vector<std::size_t>& gone) {
    put_aside();
    truncate();
    take_out(gone);
    auto added = stored(path, key, step);
    if (added) return append(*std::move(added));
    // The steps after it keep their places.
    static_cast<void>(append(StoredStep()));
    return std::move(added).error();
}

Result<void> State::append(StoredStep step) {
    step.number = next_step++;
    truncate();
    MS_CHECK(apply(step, true));
    steps_dirty_from = std::min(steps_dirty_from, step.number);
    steps.push_back(std::move(step));
    position = steps.size();
    return {};
}

void State::truncate() {
    if (position < steps.size()) steps_dirty_from = std::min(steps_dirty_from, steps[position].number);
    steps.resize(position);
}

void State::take_out(const std::vector<std::size_t>& gone) {
    for (auto place = gone.rbegin(); place != gone.rend(); ++place) {
        if (*place >= steps.size()) continue;
        steps_gone.push_back(steps[*place].number);
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*place));
        if (*place < position) --position;
        dirty_ = true;
    }
}

Result<void> State::move(std::size_t target, const std::vector<std::size_t>& gone) {
    take_out(gone);
    target = std::min(target, steps.size());
    for (; position > target; --position) MS_CHECK(apply(steps[position - 1], false));
    for (; position < target; ++position) MS_CHECK(apply(steps[position], true));
    return {};
}

Result<void> State::under_way(const std::string& path, const std::string& key, const Step& so_far) {
    MS_TRY(so_far_stored, stored(path, key, so_far));
    stroke = std::move(so_far_stored);
    stroke_dirty = true;
    dirty_ = true;
    return {};
}

void State::put_aside() {
    if (!stroke) return;
    stroke.reset();
    stroke_dirty = true;
    dirty_ = true;
}

void State::saved_as(const std::string& path) {
    msk = path;
    unsaved = false;
    dirty_ = true;
}

void State::end_stroke() {
    if (!stroke) return;
    StoredStep last = std::move(*stroke);
    put_aside();
    last.name += " (unfinished)";
    // Its delta was checked when it was read.
    static_cast<void>(append(std::move(last)));
}

bool State::worth_keeping() const {
    if (stroke) return true;
    return unsaved && std::any_of(masks.begin(), masks.end(), [](const auto& mask) { return mask.second.changed; });
}

std::size_t State::standing() const {
    const auto lost = std::count_if(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(position),
                                    [](const StoredStep& step) { return step.mask == 0; });
    return position - static_cast<std::size_t>(lost);
}

SavedSession State::session() const {
    SavedSession out;
    out.files = files;
    out.settings = settings;
    out.position = standing();
    for (const auto& [id, mask] : masks) {
        SavedMask saved{mask.path, mask.key, mask.shape, mask.dtype, {}, mask.changed};
        for (const auto& [number, plane] : mask.planes) saved.planes.emplace(number, plane.cells);
        out.masks.push_back(std::move(saved));
    }
    for (const auto& step : steps) {
        if (step.mask == 0) continue;
        const auto& mask = masks.at(step.mask);
        out.steps.push_back({mask.path, mask.key, step.tool, step.name, step.plane, step.delta});
    }
    return out;
}

void State::mark_everything() {
    dirty_ = true;
    files_dirty = true;
    stroke_dirty = true;
    steps_dirty_from = 1;
    masks_gone.clear();
    steps_gone.clear();
    settings_dirty.clear();
    for (const auto& [key, value] : settings) settings_dirty.insert(key);
    for (auto& [id, mask] : masks) {
        mask.dirty = true;
        for (auto& [number, plane] : mask.planes) {
            plane.listed = false;
            plane.whole = false;
            plane.base_written = 0;
            plane.dirty.clear();
        }
    }
}

void State::mark_written() {
    dirty_ = false;
    files_dirty = false;
    stroke_dirty = false;
    steps_dirty_from = kNothingToWrite;
    masks_gone.clear();
    steps_gone.clear();
    settings_dirty.clear();
    for (auto& [id, mask] : masks) {
        mask.dirty = false;
        for (auto& [number, plane] : mask.planes) {
            plane.listed = true;
            plane.dirty.clear();
        }
    }
}

}  // namespace maskscope::document::store
