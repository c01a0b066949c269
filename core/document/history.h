// SPDX-License-Identifier: Apache-2.0
// The one history of a document: named steps within a bound of memory. The oldest go when it is reached, and their
// number is told.
#pragma once

#include "core/document/document.h"
#include "core/mask/mask_delta.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

namespace maskscope::document {

struct Step {
    std::string tool;  // "brush": the icon
    std::string name;  // "Brush, label 18"
    EntryId entry = EntryId::none;
    std::int64_t plane = 0;
    mask::MaskDelta delta;
    std::uint64_t number = 0;  // given by the history, never twice
};

class History {
public:
    explicit History(std::size_t byte_limit = std::size_t{64} << 20U) : byte_limit_(byte_limit) {}

    // Forgets the steps that were undone. The step itself is kept even where it alone is beyond the bound.
    void push(Step step);
    // The step to take back, or to do again; null at the ends. Moves the position.
    const Step* undo();
    const Step* redo();

    const std::deque<Step>& steps() const { return steps_; }  // oldest first
    std::size_t position() const { return position_; }        // how many of them stand
    std::size_t bytes() const { return bytes_; }
    std::size_t byte_limit() const { return byte_limit_; }
    std::int64_t dropped() const { return dropped_; }  // steps too old to be taken back
    // Steps of an entry that is closed go.
    void forget(EntryId entry);
    // The number of the newest step of the entry that stands, 0 when none does: the same number, the same cells.
    std::uint64_t state_of(EntryId entry) const;

private:
    static std::size_t bytes_of(const Step& step);
    void drop_oldest();

    std::deque<Step> steps_;
    std::map<EntryId, std::uint64_t> dropped_states_;  // the newest step of an entry that was dropped
    std::uint64_t last_number_ = 0;
    std::size_t position_ = 0;
    std::size_t bytes_ = 0;
    std::size_t byte_limit_;
    std::int64_t dropped_ = 0;
};

}  // namespace maskscope::document
