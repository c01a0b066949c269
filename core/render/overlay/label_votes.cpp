// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/label_votes.h"

#include <algorithm>
#include <array>

namespace maskscope::render {
namespace {

bool comes_first(const Vote& a, const Vote& b) {
    return a.cells != b.cells ? a.cells > b.cells : a.label < b.label;
}

// Whether a block of the tile holds one label alone.
bool is_uniform(const std::int32_t* labels, int unit) {
    for (int row = 0; row < unit; ++row) {
        const std::int32_t* line = labels + static_cast<std::ptrdiff_t>(row) * mask::kTileSide;
        std::int32_t differs = 0;
        for (int col = 0; col < unit; ++col) differs |= line[col] ^ labels[0];
        if (differs != 0) return false;
    }
    return true;
}

}  // namespace

void PixelVotes::merge() {
    std::sort(votes_.begin(), votes_.end(), [](const Vote& a, const Vote& b) { return a.label < b.label; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < votes_.size(); ++i) {
        if (votes_[i].label == votes_[last].label) {
            votes_[last].cells += votes_[i].cells;
        } else {
            votes_[++last] = votes_[i];
        }
    }
    votes_.resize(last + 1);
}

Vote PixelVotes::winner() {
    if (votes_.empty()) return {};
    if (votes_.size() == 1) return votes_.front();
    merge();
    return *std::min_element(votes_.begin(), votes_.end(), comes_first);
}

const std::vector<Vote>& PixelVotes::ordered(int most) {
    if (votes_.size() > 1) {
        merge();
        std::sort(votes_.begin(), votes_.end(), comes_first);
        votes_.resize(std::min(votes_.size(), static_cast<std::size_t>(most)));
    }
    return votes_;
}

TileVotes count_blocks(const std::int32_t* labels, int unit) {
    TileVotes out;
    PixelVotes block;
    const int side = mask::kTileSide / unit;
    out.begin.reserve(static_cast<std::size_t>(side * side) + 1);
    for (int b = 0; b < side * side; ++b) {
        out.begin.push_back(static_cast<std::uint16_t>(out.votes.size()));
        const std::int32_t* corner = labels + (b / side * unit) * mask::kTileSide + b % side * unit;
        block.clear();
        if (is_uniform(corner, unit)) {
            block.add(*corner, unit * unit);
        } else {
            for (int cell = 0; cell < unit * unit; ++cell)
                block.add(corner[cell / unit * mask::kTileSide + cell % unit], 1);
        }
        const auto& votes = block.ordered(TileVotes::kMostVotes);
        out.votes.insert(out.votes.end(), votes.begin(), votes.end());
    }
    out.begin.push_back(static_cast<std::uint16_t>(out.votes.size()));
    return out;
}

}  // namespace maskscope::render
