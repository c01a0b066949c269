// SPDX-License-Identifier: Apache-2.0
// A mask cell by cell, for references that know nothing of runs and tiles.
#pragma once

#include "core/mask/plane.h"
#include "core/mask/region.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::test {

struct Bitmap {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<char> cells;  // row-major

    Bitmap(std::int64_t r, std::int64_t c, bool value = false)
        : rows(r), cols(c), cells(static_cast<std::size_t>(r * c), value ? 1 : 0) {}
    char& at(std::int64_t r, std::int64_t c) { return cells[static_cast<std::size_t>(r * cols + c)]; }
    bool get(std::int64_t r, std::int64_t c) const {
        return has(r, c) && cells[static_cast<std::size_t>(r * cols + c)] != 0;
    }
    bool has(std::int64_t r, std::int64_t c) const { return r >= 0 && c >= 0 && r < rows && c < cols; }
    mask::Rect bounds() const { return {0, 0, rows, cols}; }
    friend bool operator==(const Bitmap&, const Bitmap&) = default;
};

inline mask::Region region_of(const Bitmap& bitmap) {
    std::vector<mask::Run> runs;
    for (std::int64_t r = 0; r < bitmap.rows; ++r)
        for (std::int64_t c = 0; c < bitmap.cols; ++c)
            if (bitmap.get(r, c))
                runs.push_back(
                    {static_cast<std::int32_t>(r), static_cast<std::int32_t>(c), static_cast<std::int32_t>(c + 1)});
    return mask::Region::of(std::move(runs));
}

inline Bitmap bitmap_of(const mask::Region& region, const mask::Rect& plane) {
    Bitmap out(plane.rows, plane.cols);
    for (const auto& run : region.runs())
        for (auto c = run.begin; c < run.end; ++c) out.at(run.row - plane.row, c - plane.col) = 1;
    return out;
}

// The runs keep their promise: sorted, disjoint, not touching, none empty.
inline bool is_well_formed(const mask::Region& region) {
    const auto& runs = region.runs();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].begin >= runs[i].end) return false;
        if (i == 0) continue;
        const auto& before = runs[i - 1];
        if (before.row > runs[i].row || (before.row == runs[i].row && before.end >= runs[i].begin)) return false;
    }
    return true;
}

inline Bitmap random_bitmap(std::int64_t rows, std::int64_t cols, double share, std::mt19937& random) {
    Bitmap out(rows, cols);
    std::bernoulli_distribution belongs(share);
    for (auto& cell : out.cells) cell = belongs(random) ? 1 : 0;
    return out;
}

// The cells that steps between matching neighbours join to a matching seed.
inline Bitmap reached(const Bitmap& matching, std::int64_t row, std::int64_t col, int neighbours) {
    Bitmap out(matching.rows, matching.cols);
    if (!matching.get(row, col)) return out;
    std::vector<std::pair<std::int64_t, std::int64_t>> open = {{row, col}};
    out.at(row, col) = 1;
    while (!open.empty()) {
        const auto [r, c] = open.back();
        open.pop_back();
        for (int dr = -1; dr <= 1; ++dr) {
            for (int dc = -1; dc <= 1; ++dc) {
                if (neighbours == 4 && dr != 0 && dc != 0) continue;
                if (!matching.get(r + dr, c + dc) || out.get(r + dr, c + dc)) continue;
                out.at(r + dr, c + dc) = 1;
                open.emplace_back(r + dr, c + dc);
            }
        }
    }
    return out;
}

// A tensor of [rows, cols] filled cell by cell.
template <class T>
Tensor tensor_of(std::int64_t rows, std::int64_t cols, DType dtype,
                 const std::function<T(std::int64_t, std::int64_t)>& value) {
    auto out = *Tensor::zeros({rows, cols}, dtype);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) out.writable_as<T>()[r * cols + c] = value(r, c);
    return out;
}

}  // namespace maskscope::test
