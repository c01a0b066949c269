// SPDX-License-Identifier: Apache-2.0
// Whether a mask differs from what was saved is told by the number of its newest standing step: undo brings the number
// of the time of saving back, and a new step after an undo has a number that no other had.
#include "core/document/edits.h"

#include <limits>
#include <utility>

namespace maskscope::document {
namespace {

// One rectangle for a plane, around all that was touched of it.
void add(std::vector<Touched>& touched, const Step& step) {
    for (auto& one : touched) {
        if (one.entry != step.entry || one.plane != step.plane) continue;
        one.rect = mask::united(one.rect, step.delta.bounds);
        return;
    }
    touched.push_back({step.entry, step.plane, step.delta.bounds});
}

}  // namespace

Result<mask::EditableMask*> Edits::open(const Entry& entry) {
    const auto place = masks_.find(entry.id);
    if (place != masks_.end()) return &place->second;
    MS_TRY(mask, mask::EditableMask::of(entry.item.tensor));
    return &masks_.emplace(entry.id, std::move(mask)).first->second;
}

const mask::EditableMask* Edits::find(EntryId id) const {
    const auto place = masks_.find(id);
    return place == masks_.end() ? nullptr : &place->second;
}

Result<mask::MaskEdit*> Edits::begin(const Entry& entry, std::int64_t plane, std::string tool, std::string name) {
    if (current_) return usage_error(MS_TEXT("\"{}\" is still under way; finish or cancel it first"), pending_.name);
    MS_TRY(mask, open(entry));
    MS_TRY(cells, mask->plane(plane));
    pending_ = Step{};
    pending_.tool = std::move(tool);
    pending_.name = std::move(name);
    pending_.entry = entry.id;
    pending_.plane = plane;
    current_ = std::make_unique<mask::MaskEdit>(*cells);
    return current_.get();
}

const Step* Edits::commit() {
    if (!current_) return nullptr;
    pending_.delta = current_->commit();
    current_.reset();
    Step step = std::exchange(pending_, {});
    if (step.delta.empty()) {
        if (listener_ != nullptr) listener_->put_aside();
        return nullptr;
    }
    history_.push(std::move(step));
    const Step& pushed = history_.steps().back();
    if (listener_ != nullptr) listener_->stepped(pushed);
    return &pushed;
}

Touched Edits::cancel() {
    if (!current_) return {};
    const auto rect = mask::united(current_->take_dirty(), current_->written());
    const Touched out{pending_.entry, pending_.plane, rect};
    current_.reset();
    pending_ = {};
    if (listener_ != nullptr) listener_->put_aside();
    return out;
}

void Edits::report() {
    if (!current_ || listener_ == nullptr) return;
    pending_.delta = current_->so_far();
    if (pending_.delta.empty())
        listener_->put_aside();
    else
        listener_->under_way(pending_);
}

mask::Plane* Edits::plane_of(const Step& step) {
    const auto place = masks_.find(step.entry);
    if (place == masks_.end()) return nullptr;
    auto plane = place->second.plane(step.plane);
    return plane ? *plane : nullptr;
}

bool Edits::step_back(std::vector<Touched>& touched) {
    if (current_ || history_.position() == 0) return false;
    mask::Plane* plane = plane_of(history_.steps()[history_.position() - 1]);
    if (plane == nullptr) return false;
    const Step& step = *history_.undo();
    step.delta.undo(*plane);
    add(touched, step);
    return true;
}

bool Edits::step_forward(std::vector<Touched>& touched) {
    if (current_ || history_.position() == history_.steps().size()) return false;
    mask::Plane* plane = plane_of(history_.steps()[history_.position()]);
    if (plane == nullptr) return false;
    const Step& step = *history_.redo();
    step.delta.redo(*plane);
    add(touched, step);
    return true;
}

void Edits::tell_moved(const std::vector<Touched>& touched) {
    if (!touched.empty() && listener_ != nullptr) listener_->moved(history_.position());
}

std::vector<Touched> Edits::undo() {
    std::vector<Touched> touched;
    step_back(touched);
    tell_moved(touched);
    return touched;
}

std::vector<Touched> Edits::redo() {
    std::vector<Touched> touched;
    step_forward(touched);
    tell_moved(touched);
    return touched;
}

std::vector<Touched> Edits::jump(std::size_t position) {
    std::vector<Touched> touched;
    while (history_.position() > position && step_back(touched)) {
    }
    while (history_.position() < position && step_forward(touched)) {
    }
    tell_moved(touched);
    return touched;
}

void Edits::restore(History history) {
    history_ = std::move(history);
    saved_.clear();  // numbers of the history that was
}

bool Edits::changed(EntryId id) const {
    const auto place = saved_.find(id);
    return history_.state_of(id) != (place == saved_.end() ? 0 : place->second);
}

void Edits::saved(EntryId id) {
    saved_[id] = history_.state_of(id);
}

void Edits::differs(EntryId id) {
    saved_[id] = std::numeric_limits<std::uint64_t>::max();
}

void Edits::forget(EntryId id) {
    if (current_ && pending_.entry == id) cancel();
    masks_.erase(id);
    saved_.erase(id);
    history_.forget(id);
}

}  // namespace maskscope::document
