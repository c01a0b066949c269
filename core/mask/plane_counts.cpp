// SPDX-License-Identifier: Apache-2.0
// How many cells hold each value.
#include "core/mask/plane.h"

#include "core/jobs/parallel.h"
#include "core/mask/tile.h"
#include "core/mask/tile_bits.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace maskscope::mask {
namespace {

constexpr std::size_t kMostValues = std::size_t{1} << 20;
constexpr std::int64_t kRowsAtOnce = 4;  // tile rows that one thread counts

struct Tally {
    std::int64_t cells = 0;
    Rect bounds;
};

class Tallies {
public:
    void add(std::uint64_t bits, std::int64_t cells, const Rect& bounds) {
        // Labels are small and neighbours mostly hold the same: the map is seldom asked.
        auto& known = known_[bits % known_.size()];
        if (known.second == nullptr || known.first != bits) known = {bits, find(bits)};
        if (known.second == nullptr) return;
        known.second->cells += cells;
        known.second->bounds = united(known.second->bounds, bounds);
    }
    void add(const Tallies& other) {
        for (const auto& [bits, tally] : other.by_bits_) add(bits, tally.cells, tally.bounds);
    }
    const std::unordered_map<std::uint64_t, Tally>& by_bits() const { return by_bits_; }

private:
    // Null for one value too many: a mask of noise must not take the memory.
    Tally* find(std::uint64_t bits) {
        const auto place = by_bits_.find(bits);
        if (place != by_bits_.end()) return &place->second;
        return by_bits_.size() < kMostValues ? &by_bits_[bits] : nullptr;
    }

    std::unordered_map<std::uint64_t, Tally> by_bits_;
    std::array<std::pair<std::uint64_t, Tally*>, 256> known_{};
};

template <class T>
void count_cells(const T* cells, const Rect& part, Tallies& out) {
    for (std::int64_t row = 0; row < part.rows; ++row, cells += kTileSide) {
        for (std::int64_t begin = 0; begin < part.cols;) {
            auto end = begin + 1;
            while (end < part.cols && cells[end] == cells[begin]) ++end;
            out.add(cells[begin], end - begin, {part.row + row, part.col + begin, 1, end - begin});
            begin = end;
        }
    }
}

bool less(Cell a, Cell b, DType dtype) {
    const bool is_signed = dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32 || dtype == DType::i64;
    // With the sign bit turned over, negative numbers come first.
    const auto sign = is_signed ? std::uint64_t{1} << (size_of(dtype) * 8 - 1) : 0;
    return (a.bits ^ sign) < (b.bits ^ sign);
}

}  // namespace

std::vector<Plane::Count> Plane::counts() const {
    if (is_floating(dtype_) || rows_ == 0 || cols_ == 0) return {};
    const TileGrid grid{rows_, cols_};
    Tallies all;
    std::mutex guard;
    parallel_for(Lane::ui, tile_rows(), kRowsAtOnce, [&](const Chunk& chunk) {
        Tallies some;
        for (auto index = chunk.begin * tile_cols(); index < chunk.end * tile_cols(); ++index) {
            const auto view = tile(index);
            const Rect part = grid.rect_of(index);
            if (view.cells == nullptr) {
                some.add(view.uniform.bits, part.rows * part.cols, part);
                continue;
            }
            with_cell_type(cell_bytes(),
                           [&]<class T>(T) { count_cells(reinterpret_cast<const T*>(view.cells), part, some); });
        }
        const std::lock_guard lock(guard);
        all.add(some);
    });
    std::vector<Count> out;
    out.reserve(all.by_bits().size());
    for (const auto& [bits, tally] : all.by_bits()) out.push_back({Cell{bits}, tally.cells, tally.bounds});
    std::sort(out.begin(), out.end(), [&](const Count& a, const Count& b) { return less(a.cell, b.cell, dtype_); });
    return out;
}

}  // namespace maskscope::mask
