// SPDX-License-Identifier: Apache-2.0
// The masks under edit, by entry: open, stroke, commit, undo. The only place that changes a mask's cells.
#pragma once

#include "core/base/result.h"
#include "core/document/history.h"
#include "core/mask/editable_mask.h"
#include "core/mask/mask_edit.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::document {

// Cells to draw anew.
struct Touched {
    EntryId entry = EntryId::none;
    std::int64_t plane = 0;
    mask::Rect rect;
};

// Told of everything that a journal must keep.
class EditListener {
public:
    virtual ~EditListener() = default;
    virtual void stepped(const Step& step) = 0;      // pushed; undone steps are forgotten
    virtual void moved(std::size_t position) = 0;    // after undo, redo or jump
    virtual void under_way(const Step& so_far) = 0;  // the stroke in hand, as far as it is; Edits::report() asks
    virtual void put_aside() = 0;                    // that stroke was cancelled or changed nothing
    // Whose steps these are; said first.
    virtual void follow(const History& /*history*/) {}
};

class Edits {
public:
    // The entry's mask in tiles, made of its tensor at the first use; the tensor must be loaded.
    Result<mask::EditableMask*> open(const Entry& entry);
    const mask::EditableMask* find(EntryId id) const;
    // The same, made elsewhere of the entry's tensor (a large one takes a while). One that is open already stays.
    void adopt(EntryId id, mask::EditableMask&& mask) { masks_.try_emplace(id, std::move(mask)); }

    // One stroke at a time. The edit lives until commit() or cancel().
    Result<mask::MaskEdit*> begin(const Entry& entry, std::int64_t plane, std::string tool, std::string name);
    mask::MaskEdit* current() { return current_.get(); }
    // Null when nothing had changed.
    const Step* commit();
    // The cells to draw anew; an empty rectangle without a stroke in hand.
    Touched cancel();
    // Tells the listener how far the stroke in hand is.
    void report();

    // Nothing happens while a stroke is in hand, at the ends, and where a step's mask is not open: then nothing is
    // touched.
    std::vector<Touched> undo();
    std::vector<Touched> redo();
    std::vector<Touched> jump(std::size_t position);
    const History& history() const { return history_; }
    // A recovered history: the planes are as its position says already.
    void restore(History history);

    // Differs from what was last saved or opened.
    bool changed(EntryId id) const;
    void saved(EntryId id);
    // A recovered mask that differs from its file for reasons that no step tells: changed until it is saved.
    void differs(EntryId id);
    void forget(EntryId id);
    void set_listener(EditListener* listener) {
        listener_ = listener;
        if (listener != nullptr) listener->follow(history_);
    }

private:
    bool step_back(std::vector<Touched>& touched);
    bool step_forward(std::vector<Touched>& touched);
    mask::Plane* plane_of(const Step& step);
    void tell_moved(const std::vector<Touched>& touched);

    std::map<EntryId, mask::EditableMask> masks_;
    std::map<EntryId, std::uint64_t> saved_;  // the number of the step that was the newest one then
    History history_;
    std::unique_ptr<mask::MaskEdit> current_;
    Step pending_;
    EditListener* listener_ = nullptr;
};

}  // namespace maskscope::document
