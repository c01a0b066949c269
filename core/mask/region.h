// SPDX-License-Identifier: Apache-2.0
// A set of cells as runs along rows. Every tool makes one, an edit paints it; it costs what its outline costs, not its
// area.
#pragma once

#include "core/mask/rect.h"

#include <cstdint>
#include <vector>

namespace maskscope::mask {

// Cells [begin, end) of a row.
struct Run {
    std::int32_t row = 0;
    std::int32_t begin = 0;
    std::int32_t end = 0;
    friend bool operator==(const Run&, const Run&) = default;
};

class Region {
public:
    Region() = default;
    // In any order; they may overlap, empty ones are dropped.
    static Region of(std::vector<Run> runs);
    // Sorted by row and column, disjoint, not touching, none empty: taken as they are.
    static Region of_sorted(std::vector<Run> runs);
    static Region of_rect(const Rect& rect);

    // Sorted by row and column, disjoint and not touching.
    const std::vector<Run>& runs() const { return runs_; }
    bool empty() const { return runs_.empty(); }
    std::int64_t count() const;  // cells
    Rect bounds() const;
    bool contains(std::int64_t row, std::int64_t col) const;

    Region clipped(const Rect& rect) const;
    Region moved(std::int64_t rows, std::int64_t cols) const;
    friend bool operator==(const Region&, const Region&) = default;

private:
    std::vector<Run> runs_;
};

Region unite(const Region& a, const Region& b);
Region intersect(const Region& a, const Region& b);
Region subtract(const Region& a, const Region& b);

}  // namespace maskscope::mask
