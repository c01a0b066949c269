// SPDX-License-Identifier: Apache-2.0
#include "core/mask/flood.h"

#include <bit>
#include <memory>
#include <vector>

namespace maskscope::mask {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t kLast = std::uint64_t{1} << 63;

// The runs of ones in `open` that have a bit of `seeds`, which are some of them.
std::uint64_t runs_with(std::uint64_t seeds, std::uint64_t open) {
    // Adding a seed to its run carries up to the run's end, and flips what it passes.
    std::uint64_t filled = (((open + seeds) ^ open) | seeds) & open;
    for (int step = 1; step < 64; step *= 2) {
        filled |= open & (filled >> step);
        open &= open >> step;
    }
    return filled;
}

// The cells beside those of a line of 64, in the next line.
std::uint64_t beside(std::uint64_t line, Neighbours neighbours) {
    return neighbours == Neighbours::four ? line : line | line << 1 | line >> 1;
}

// What is newly filled along a tile's sides: rows are bit r, columns bit c.
struct Sides {
    std::uint64_t top = 0;
    std::uint64_t bottom = 0;
    std::uint64_t left = 0;
    std::uint64_t right = 0;
};

class Flood {
public:
    Flood(const TileGrid& grid, Neighbours neighbours, TileTest matches)
        : grid_(grid),
          neighbours_(neighbours),
          matches_(matches),
          states_(static_cast<std::size_t>(grid.tiles()), State::unseen),
          tiles_(static_cast<std::size_t>(grid.tiles())) {}

    void seed(std::int64_t row, std::int64_t col) {
        add_row(row / kTileSide, col / kTileSide, static_cast<std::size_t>(row % kTileSide),
                std::uint64_t{1} << (col % kTileSide));
    }

    // One tile of those that wait. False when none does.
    bool step() {
        if (waiting_.empty()) return false;
        const auto index = waiting_.back();
        waiting_.pop_back();
        const Sides sides = states_[index] == State::full ? Sides{kAllBits, kAllBits, kAllBits, kAllBits}
                                                          : spread_inside(*tiles_[index]);
        spread_out(static_cast<std::int64_t>(index), sides);
        return true;
    }

    Coverage filled(std::int64_t tile, TileBits& bits) const {
        const auto index = static_cast<std::size_t>(tile);
        if (states_[index] == State::full) return Coverage::all;
        if (tiles_[index] == nullptr) return Coverage::none;
        bits = tiles_[index]->filled;
        return Coverage::some;
    }

private:
    enum class State : std::uint8_t { unseen, closed, open, full, some };
    struct Tile {
        TileBits open;  // matching, not yet filled
        TileBits filled{};
        TileBits seeds{};  // to be filled next, in rows that are dirty
        std::uint64_t dirty = 0;
        bool waits = false;
    };

    State state_of(std::size_t index) {
        auto& state = states_[index];
        if (state != State::unseen) return state;
        TileBits bits;
        const auto coverage = matches_(static_cast<std::int64_t>(index), bits);
        state = coverage == Coverage::none ? State::closed : coverage == Coverage::all ? State::open : State::some;
        if (state == State::some) {
            grid_.clip(static_cast<std::int64_t>(index), coverage, bits);
            tiles_[index] = std::make_unique<Tile>();
            tiles_[index]->open = bits;
        }
        return state;
    }

    // The tile as one to give seeds to; null when it takes none. A tile that matches as a whole is filled at once.
    Tile* tile_at(std::int64_t tile_row, std::int64_t tile_col) {
        if (tile_row < 0 || tile_col < 0 || tile_row >= grid_.tile_rows() || tile_col >= grid_.tile_cols())
            return nullptr;
        const auto index = static_cast<std::size_t>(tile_row * grid_.tile_cols() + tile_col);
        const auto state = state_of(index);
        if (state == State::open) {
            states_[index] = State::full;
            waiting_.push_back(index);
        }
        return state == State::some ? tiles_[index].get() : nullptr;
    }

    void add(Tile& tile, std::size_t row, std::uint64_t seeds) {
        seeds &= tile.open[row];
        if (seeds == 0) return;
        tile.seeds[row] |= seeds;
        tile.dirty |= std::uint64_t{1} << row;
    }

    void wait_for(Tile& tile, std::int64_t tile_row, std::int64_t tile_col) {
        if (tile.dirty == 0 || tile.waits) return;
        tile.waits = true;
        waiting_.push_back(static_cast<std::size_t>(tile_row * grid_.tile_cols() + tile_col));
    }

    void add_row(std::int64_t tile_row, std::int64_t tile_col, std::size_t row, std::uint64_t seeds) {
        if (seeds == 0) return;
        if (auto* tile = tile_at(tile_row, tile_col)) {
            add(*tile, row, seeds);
            wait_for(*tile, tile_row, tile_col);
        }
    }

    void add_col(std::int64_t tile_row, std::int64_t tile_col, std::uint64_t col_bit, std::uint64_t seeds) {
        if (seeds == 0) return;
        auto* tile = tile_at(tile_row, tile_col);
        if (tile == nullptr) return;
        for (; seeds != 0; seeds &= seeds - 1) add(*tile, static_cast<std::size_t>(std::countr_zero(seeds)), col_bit);
        wait_for(*tile, tile_row, tile_col);
    }

    // Each step fills a run at least, so the work is that of the tile's runs whatever their order.
    Sides spread_inside(Tile& tile) {
        Sides sides;
        tile.waits = false;
        while (tile.dirty != 0) {
            const auto row = static_cast<std::size_t>(std::countr_zero(tile.dirty));
            tile.dirty &= tile.dirty - 1;
            const auto seeds = tile.seeds[row] & tile.open[row];
            tile.seeds[row] = 0;
            if (seeds == 0) continue;
            const auto filled = runs_with(seeds, tile.open[row]);
            tile.open[row] &= ~filled;
            tile.filled[row] |= filled;
            const auto next = beside(filled, neighbours_);
            if (row > 0)
                add(tile, row - 1, next);
            else
                sides.top |= filled;
            if (row + 1 < tile.open.size())
                add(tile, row + 1, next);
            else
                sides.bottom |= filled;
            if ((filled & 1) != 0) sides.left |= std::uint64_t{1} << row;
            if ((filled & kLast) != 0) sides.right |= std::uint64_t{1} << row;
        }
        return sides;
    }

    void spread_out(std::int64_t index, const Sides& sides) {
        const auto row = index / grid_.tile_cols();
        const auto col = index % grid_.tile_cols();
        add_row(row - 1, col, kTileSide - 1, beside(sides.top, neighbours_));
        add_row(row + 1, col, 0, beside(sides.bottom, neighbours_));
        add_col(row, col - 1, kLast, beside(sides.left, neighbours_));
        add_col(row, col + 1, 1, beside(sides.right, neighbours_));
        if (neighbours_ == Neighbours::four) return;
        add_row(row - 1, col - 1, kTileSide - 1, (sides.top & 1) != 0 ? kLast : 0);
        add_row(row - 1, col + 1, kTileSide - 1, (sides.top & kLast) != 0 ? 1 : 0);
        add_row(row + 1, col - 1, 0, (sides.bottom & 1) != 0 ? kLast : 0);
        add_row(row + 1, col + 1, 0, (sides.bottom & kLast) != 0 ? 1 : 0);
    }

    const TileGrid& grid_;
    Neighbours neighbours_;
    TileTest matches_;
    std::vector<State> states_;
    std::vector<std::unique_ptr<Tile>> tiles_;
    std::vector<std::size_t> waiting_;
};

}  // namespace

Result<Region> flood(const TileGrid& grid, std::int64_t row, std::int64_t col, Neighbours neighbours, TileTest matches,
                     const JobContext& context) {
    Flood flood(grid, neighbours, matches);
    flood.seed(row, col);
    constexpr int kStepsBetweenLooks = 256;
    for (int steps = 0; flood.step(); ++steps)
        if (steps % kStepsBetweenLooks == 0 && context.cancelled()) return cancelled_error();
    auto out = region_of_tiles(
        grid, [&](std::int64_t tile, TileBits& bits) { return flood.filled(tile, bits); }, context);
    if (context.cancelled()) return cancelled_error();
    return out;
}

}  // namespace maskscope::mask
