// SPDX-License-Identifier: Apache-2.0
#include "core/mask/tile_bits.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace maskscope::mask {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

std::uint64_t low_bits(std::int64_t count) {
    return count >= kTileSide ? kAllBits : (std::uint64_t{1} << count) - 1;
}

// One bit for each of eight bytes that equals the byte repeated in `wanted`.
std::uint64_t equal_bytes(const std::byte* cells, std::uint64_t wanted) {
    constexpr std::uint64_t kLow7 = 0x7f7f7f7f7f7f7f7f;
    constexpr std::uint64_t kGather = 0x0102040810204080;
    std::uint64_t word = 0;
    std::memcpy(&word, cells, sizeof word);
    word ^= wanted;
    const std::uint64_t zero = ~(((word & kLow7) + kLow7) | word | kLow7);  // 0x80 where a byte is zero
    return ((zero >> 7) * kGather) >> 56;
}

void bits_of_bytes(const std::byte* cells, Cell cell, TileBits& bits) {
    const std::uint64_t wanted = (cell.bits & 0xff) * 0x0101010101010101;
    for (auto& word : bits) {
        word = 0;
        for (int part = 0; part < kTileSide; part += 8, cells += 8) word |= equal_bytes(cells, wanted) << part;
    }
}

template <class T>
void bits_of_words(const std::byte* cells, Cell cell, TileBits& bits) {
    const auto wanted = static_cast<T>(cell.bits);
    std::array<T, kTileSide> row;
    for (auto& word : bits) {
        std::memcpy(row.data(), cells, sizeof row);
        cells += sizeof row;
        word = 0;
        for (std::size_t col = 0; col < row.size(); ++col) word |= std::uint64_t{row[col] == wanted} << col;
    }
}

// Runs of one row, put together from words; runs that meet become one.
class RowRuns {
public:
    RowRuns(std::vector<Run>& runs, std::int64_t row) : runs_(runs), row_(static_cast<std::int32_t>(row)) {}
    ~RowRuns() { close(); }
    RowRuns(const RowRuns&) = delete;
    RowRuns& operator=(const RowRuns&) = delete;

    void add(std::int64_t begin, std::int64_t end) {
        if (begin != end_) {
            close();
            begin_ = begin;
        }
        end_ = end;
    }
    void add_word(std::int64_t col, std::uint64_t word) {
        while (word != 0) {
            const int skip = std::countr_zero(word);
            const int length = std::countr_one(word >> skip);
            add(col + skip, col + skip + length);
            if (skip + length >= kTileSide) return;
            word &= kAllBits << (skip + length);
        }
    }

private:
    void close() {
        if (end_ > begin_) runs_.push_back({row_, static_cast<std::int32_t>(begin_), static_cast<std::int32_t>(end_)});
    }

    std::vector<Run>& runs_;
    std::int32_t row_;
    std::int64_t begin_ = -1;
    std::int64_t end_ = -1;
};

std::vector<Run> runs_of_tile_row(const TileGrid& grid, std::int64_t tile_row, TileTest belongs) {
    constexpr std::size_t kWhole = ~std::size_t{0};
    struct Filled {
        std::int64_t col = 0;
        std::size_t bits = kWhole;  // which of `all_bits`
    };
    std::vector<Filled> filled;
    std::vector<TileBits> all_bits;
    TileBits bits;
    for (std::int64_t tile_col = 0; tile_col < grid.tile_cols(); ++tile_col) {
        const auto tile = tile_row * grid.tile_cols() + tile_col;
        const auto coverage = belongs(tile, bits);
        if (coverage == Coverage::none) continue;
        filled.push_back({tile_col * kTileSide, kWhole});
        if (coverage == Coverage::all) continue;
        grid.clip(tile, Coverage::some, bits);
        filled.back().bits = all_bits.size();
        all_bits.push_back(bits);
    }
    std::vector<Run> runs;
    const auto first_row = tile_row * kTileSide;
    const auto rows = std::min<std::int64_t>(kTileSide, grid.rows - first_row);
    for (std::int64_t row = 0; row < rows && !filled.empty(); ++row) {
        RowRuns out(runs, first_row + row);
        for (const auto& tile : filled) {
            if (tile.bits == kWhole)
                out.add(tile.col, std::min(tile.col + kTileSide, grid.cols));
            else
                out.add_word(tile.col, all_bits[tile.bits][static_cast<std::size_t>(row)]);
        }
    }
    return runs;
}

}  // namespace

Rect TileGrid::rect_of(std::int64_t tile) const {
    const Rect whole{tile / tile_cols() * kTileSide, tile % tile_cols() * kTileSide, kTileSide, kTileSide};
    return intersection(whole, {0, 0, rows, cols});
}

Coverage TileGrid::clip(std::int64_t tile, Coverage coverage, TileBits& bits) const {
    if (coverage == Coverage::none) return coverage;
    const Rect rect = rect_of(tile);
    if (rect.rows == kTileSide && rect.cols == kTileSide) return coverage;
    if (coverage == Coverage::all) bits.fill(kAllBits);
    for (std::size_t row = 0; row < bits.size(); ++row)
        bits[row] &= static_cast<std::int64_t>(row) < rect.rows ? low_bits(rect.cols) : 0;
    return Coverage::some;
}

Region region_of_tiles(const TileGrid& grid, TileTest belongs, const JobContext& context) {
    if (grid.rows <= 0 || grid.cols <= 0) return {};
    std::vector<std::vector<Run>> parts(static_cast<std::size_t>(grid.tile_rows()));
    parallel_for(Lane::ui, grid.tile_rows(), 1, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        parts[static_cast<std::size_t>(chunk.index)] = runs_of_tile_row(grid, chunk.begin, belongs);
    });
    std::size_t count = 0;
    for (const auto& part : parts) count += part.size();
    std::vector<Run> runs;
    runs.reserve(count);
    for (auto& part : parts) {
        runs.insert(runs.end(), part.begin(), part.end());
        std::vector<Run>().swap(part);  // a noisy mask has more runs than there is room for twice
    }
    return Region::of_sorted(std::move(runs));
}

Coverage cells_equal(const Plane::TileView& tile, std::size_t cell_bytes, Cell cell, TileBits& bits) {
    if (tile.cells == nullptr) return tile.uniform == cell ? Coverage::all : Coverage::none;
    switch (cell_bytes) {
        case 1:
            bits_of_bytes(tile.cells, cell, bits);
            break;
        case 2:
            bits_of_words<std::uint16_t>(tile.cells, cell, bits);
            break;
        case 4:
            bits_of_words<std::uint32_t>(tile.cells, cell, bits);
            break;
        default:
            bits_of_words<std::uint64_t>(tile.cells, cell, bits);
            break;
    }
    return Coverage::some;
}

}  // namespace maskscope::mask
