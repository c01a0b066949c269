// SPDX-License-Identifier: Apache-2.0
// Which of the journal's steps the history still has. It lets go of the oldest beyond its bound, and of those of a
// closed mask, without a word; positions count what is left.
#pragma once

#include "core/document/session_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::document::store {

class ToldSteps {
public:
    ToldSteps() = default;
    // Steps of a journal: no history has numbered them yet.
    explicit ToldSteps(const SavedSession& restored);

    // After the history took in a step, or moved. The places of the steps that are gone, ascending; they count those
    // that stood before the new one.
    std::vector<std::size_t> pushed(const History& history, const SessionStore::Names& names);
    std::vector<std::size_t> moved(const History& history, const SessionStore::Names& names, std::size_t position);

private:
    struct One {
        std::string path;
        std::string key;
        std::string tool;
        std::string name;
        std::int64_t plane = 0;
        std::uint64_t number = 0;  // the history's; 0: not known yet
    };
    static bool same(const One& one, const Step& step, const SessionStore::Names& names);
    std::vector<std::size_t> take_out(const History& history, std::size_t count, const SessionStore::Names& names);

    std::vector<One> steps_;
    std::size_t position_ = 0;
};

}  // namespace maskscope::document::store
