// SPDX-License-Identifier: Apache-2.0
#include "core/document/history.h"

#include <utility>

namespace maskscope::document {

std::size_t History::bytes_of(const Step& step) {
    return sizeof(Step) - sizeof(mask::MaskDelta) + step.delta.bytes() + step.tool.capacity() + step.name.capacity();
}

void History::push(Step step) {
    while (steps_.size() > position_) {
        bytes_ -= bytes_of(steps_.back());
        steps_.pop_back();
    }
    step.number = ++last_number_;
    steps_.push_back(std::move(step));
    bytes_ += bytes_of(steps_.back());
    while (bytes_ > byte_limit_ && steps_.size() > 1) drop_oldest();
    position_ = steps_.size();
}

void History::drop_oldest() {
    const Step& oldest = steps_.front();
    dropped_states_[oldest.entry] = oldest.number;
    bytes_ -= bytes_of(oldest);
    steps_.pop_front();
    ++dropped_;
}

const Step* History::undo() {
    return position_ == 0 ? nullptr : &steps_[--position_];
}

const Step* History::redo() {
    return position_ == steps_.size() ? nullptr : &steps_[position_++];
}

void History::forget(EntryId entry) {
    std::deque<Step> kept;
    std::size_t position = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (steps_[i].entry == entry) {
            bytes_ -= bytes_of(steps_[i]);
            continue;
        }
        kept.push_back(std::move(steps_[i]));
        if (i < position_) ++position;
    }
    steps_ = std::move(kept);
    position_ = position;
    dropped_states_.erase(entry);
}

std::uint64_t History::state_of(EntryId entry) const {
    for (auto i = position_; i > 0; --i)
        if (steps_[i - 1].entry == entry) return steps_[i - 1].number;
    const auto place = dropped_states_.find(entry);
    return place == dropped_states_.end() ? 0 : place->second;
}

}  // namespace maskscope::document
