// SPDX-License-Identifier: Apache-2.0
// A rectangle of cells: [row, row + rows) x [col, col + cols).
#pragma once

#include <algorithm>
#include <cstdint>

namespace maskscope::mask {

struct Rect {
    std::int64_t row = 0;
    std::int64_t col = 0;
    std::int64_t rows = 0;
    std::int64_t cols = 0;

    bool empty() const { return rows <= 0 || cols <= 0; }
    std::int64_t bottom() const { return row + rows; }
    std::int64_t right() const { return col + cols; }
    bool contains(std::int64_t r, std::int64_t c) const { return r >= row && r < bottom() && c >= col && c < right(); }
    friend bool operator==(const Rect&, const Rect&) = default;
};

inline Rect intersection(const Rect& a, const Rect& b) {
    const auto row = std::max(a.row, b.row);
    const auto col = std::max(a.col, b.col);
    const Rect out{row, col, std::min(a.bottom(), b.bottom()) - row, std::min(a.right(), b.right()) - col};
    return out.empty() ? Rect{} : out;
}

// The smallest rectangle around both; an empty one adds nothing.
inline Rect united(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const auto row = std::min(a.row, b.row);
    const auto col = std::min(a.col, b.col);
    return {row, col, std::max(a.bottom(), b.bottom()) - row, std::max(a.right(), b.right()) - col};
}

}  // namespace maskscope::mask
