// SPDX-License-Identifier: Apache-2.0
#include "core/document/store/told_steps.h"

#include <algorithm>
#include <utility>

namespace maskscope::document::store {

ToldSteps::ToldSteps(const SavedSession& restored) : position_(restored.position) {
    for (const auto& step : restored.steps) {
        steps_.push_back({step.path, step.key, step.tool, step.name, step.plane, 0});
    }
}

bool ToldSteps::same(const One& one, const Step& step, const SessionStore::Names& names) {
    if (one.number != 0) return one.number == step.number;
    return one.plane == step.plane && one.tool == step.tool && one.name == step.name &&
           names(step.entry) == std::pair(one.path, one.key);
}

std::vector<std::size_t> ToldSteps::take_out(const History& history, std::size_t count,
                                             const SessionStore::Names& names) {
    std::vector<std::size_t> gone;
    std::vector<One> left;
    std::size_t standing = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const bool there = left.size() < count && same(steps_[i], history.steps()[left.size()], names);
        if (!there) {
            gone.push_back(i);
            continue;
        }
        if (i < position_) ++standing;
        steps_[i].number = history.steps()[left.size()].number;
        left.push_back(std::move(steps_[i]));
    }
    steps_ = std::move(left);
    position_ = standing;
    return gone;
}

std::vector<std::size_t> ToldSteps::pushed(const History& history, const SessionStore::Names& names) {
    steps_.resize(std::min(position_, steps_.size()));
    auto gone = take_out(history, history.steps().size() - 1, names);
    One added;
    added.number = history.steps().back().number;
    steps_.push_back(std::move(added));
    position_ = steps_.size();
    return gone;
}

std::vector<std::size_t> ToldSteps::moved(const History& history, const SessionStore::Names& names,
                                          std::size_t position) {
    auto gone = take_out(history, history.steps().size(), names);
    position_ = position;
    return gone;
}

}  // namespace maskscope::document::store
