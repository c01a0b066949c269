// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/label_places.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace maskscope::ui {
namespace {

constexpr std::size_t kMostLabels = 1U << 16U;

struct Sums {
    std::int64_t cells = 0;
    double x = 0;
    double y = 0;
};
using Table = std::unordered_map<std::uint64_t, Sums>;

// `rows` x `cols` equal cells whose first one is (row, col).
void add(Table& table, std::uint64_t bits, std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols) {
    if (bits == 0) return;
    auto found = table.find(bits);
    if (found == table.end()) {
        if (table.size() >= kMostLabels) return;
        found = table.emplace(bits, Sums{}).first;
    }
    auto& sums = found->second;
    const auto count = static_cast<double>(rows * cols);
    sums.cells += rows * cols;
    sums.x += count * (static_cast<double>(col) + static_cast<double>(cols) / 2);
    sums.y += count * (static_cast<double>(row) + static_cast<double>(rows) / 2);
}

template <class T>
void addTile(Table& table, const std::byte* cells, const mask::Rect& part) {
    for (std::int64_t r = 0; r < part.rows; ++r) {
        const auto* row = reinterpret_cast<const T*>(cells) + r * mask::kTileSide;
        for (std::int64_t c = 0; c < part.cols;) {
            std::int64_t end = c + 1;
            while (end < part.cols && row[end] == row[c]) ++end;
            add(table, static_cast<std::uint64_t>(row[c]), part.row + r, part.col + c, 1, end - c);
            c = end;
        }
    }
}

void addTile(Table& table, const mask::Plane& plane, const mask::Plane::TileView& tile, const mask::Rect& part) {
    if (tile.cells == nullptr) return add(table, tile.uniform.bits, part.row, part.col, part.rows, part.cols);
    switch (plane.cell_bytes()) {
        case 1:
            return addTile<std::uint8_t>(table, tile.cells, part);
        case 2:
            return addTile<std::uint16_t>(table, tile.cells, part);
        case 4:
            return addTile<std::uint32_t>(table, tile.cells, part);
        default:
            return addTile<std::uint64_t>(table, tile.cells, part);
    }
}

}  // namespace

Result<std::vector<LabelPlace>> labelPlaces(const mask::Plane& plane, const JobContext& context) {
    Table table;
    for (std::int64_t row = 0; row < plane.tile_rows(); ++row) {
        if (context.cancelled()) return cancelled_error();
        for (std::int64_t col = 0; col < plane.tile_cols(); ++col) {
            const mask::Rect whole{row * mask::kTileSide, col * mask::kTileSide, mask::kTileSide, mask::kTileSide};
            addTile(table, plane, plane.tile(row * plane.tile_cols() + col), intersection(whole, plane.bounds()));
        }
    }
    std::vector<LabelPlace> out;
    out.reserve(table.size());
    for (const auto& [bits, sums] : table) {
        const auto label = static_cast<std::int64_t>(mask::value_of(mask::Cell{bits}, plane.dtype()));
        const auto count = static_cast<double>(sums.cells);
        out.push_back({label, sums.cells, sums.x / count, sums.y / count});
    }
    std::sort(out.begin(), out.end(), [](const LabelPlace& a, const LabelPlace& b) {
        return a.cells != b.cells ? a.cells > b.cells : a.label < b.label;
    });
    return out;
}

}  // namespace maskscope::ui
