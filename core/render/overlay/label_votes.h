// SPDX-License-Identifier: Apache-2.0
// How many cells hold each label: in the blocks of a tile, kept; under a pixel, counted out at once.
#pragma once

#include "core/mask/plane.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

struct Vote {
    std::int32_t label = 0;
    std::int32_t cells = 0;
};

// The labels of a tile's blocks, background left out. Of a block's labels the kMostVotes most frequent count.
struct TileVotes {
    static constexpr int kMostVotes = 16;
    std::vector<std::uint16_t> begin;  // of each block's votes, row by row, and one more for the end
    std::vector<Vote> votes;
};
// `labels` are those of a whole tile; `unit` is the side of a block.
TileVotes count_blocks(const std::int32_t* labels, int unit);

// What stands under one pixel.
class PixelVotes {
public:
    void clear() { votes_.clear(); }
    void add(std::int32_t label, std::int32_t cells) {
        if (label == 0) return;
        if (!votes_.empty() && votes_.back().label == label) {
            votes_.back().cells += cells;
        } else {
            votes_.push_back({label, cells});
        }
    }
    // The label with the most cells, the smaller of two equals; none: label 0.
    Vote winner();
    // One vote a label, the most frequent first; at most `most`.
    const std::vector<Vote>& ordered(int most);

private:
    void merge();
    std::vector<Vote> votes_;
};

}  // namespace maskscope::render
