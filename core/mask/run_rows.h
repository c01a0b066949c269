// SPDX-License-Identifier: Apache-2.0
// A region's runs by row.
#pragma once

#include "core/mask/region.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope::mask {

// It keeps the region, which must outlive it.
class RunRows {
public:
    explicit RunRows(const Region& region) : runs_(region.runs()) {
        if (runs_.empty()) return;
        first_row_ = runs_.front().row;
        starts_.reserve(static_cast<std::size_t>(runs_.back().row - first_row_) + 2);
        for (std::size_t i = 0; i < runs_.size(); ++i)
            while (first_row_ + static_cast<std::int64_t>(starts_.size()) <= runs_[i].row) starts_.push_back(i);
        starts_.push_back(runs_.size());
    }

    std::span<const Run> row(std::int64_t row) const {
        const auto index = row - first_row_;
        if (index < 0 || index + 1 >= static_cast<std::int64_t>(starts_.size())) return {};
        const auto begin = starts_[static_cast<std::size_t>(index)];
        return std::span(runs_).subspan(begin, starts_[static_cast<std::size_t>(index) + 1] - begin);
    }

private:
    std::span<const Run> runs_;
    std::int64_t first_row_ = 0;
    std::vector<std::size_t> starts_;  // of each row from the first on, and the end
};

}  // namespace maskscope::mask
