// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/label_edges.h"

#include "core/render/overlay/label_pool.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace maskscope::render {
namespace {

constexpr std::uint8_t kFar = 100;  // farther than the reach, and one more still fits a byte

constexpr int kBlock = 16;  // pixels looked at together: few of them lie at a border

// Not 0 where a pixel's label differs from one beside it and is not background.
std::int32_t border(const std::int32_t* above, const std::int32_t* line, const std::int32_t* below, int x) {
    const std::int32_t label = line[x];
    const std::int32_t differs =
        (label ^ line[x - 1]) | (label ^ line[x + 1]) | (label ^ above[x]) | (label ^ below[x]);
    return label != 0 ? differs : 0;
}

// 1 at a border, else kFar. Whether there is any. The outermost pixels lack a neighbour, and are too far off to matter.
bool find_borders(const std::int32_t* above, const std::int32_t* line, const std::int32_t* below, int count,
                  std::uint8_t* out) {
    std::fill_n(out, count, kFar);
    bool any = false;
    for (int begin = 1; begin + 1 < count; begin += kBlock) {
        const int end = std::min(begin + kBlock, count - 1);
        std::int32_t found = 0;
        for (int x = begin; x < end; ++x) found |= border(above, line, below, x);
        if (found == 0) continue;
        any = true;
        for (int x = begin; x < end; ++x)
            if (border(above, line, below, x) != 0) out[x] = 1;
    }
    return any;
}

// One step more from the border.
void spread(const std::uint8_t* __restrict above, const std::uint8_t* __restrict line,
            const std::uint8_t* __restrict below, int count, std::uint8_t* __restrict out) {
    out[0] = line[0];
    out[count - 1] = line[count - 1];
    for (int x = 1; x + 1 < count; ++x) {
        const std::uint8_t across = line[x - 1] < line[x + 1] ? line[x - 1] : line[x + 1];
        const std::uint8_t down = above[x] < below[x] ? above[x] : below[x];
        const auto next = static_cast<std::uint8_t>((across < down ? across : down) + 1);
        out[x] = line[x] < next ? line[x] : next;
    }
}

}  // namespace

void EdgeFinder::find(const std::vector<std::int32_t>& labels, int width, int height, std::vector<std::uint8_t>& edge) {
    labels_ = labels.data();
    width_ = width + 2 * kEdgeReach;
    height_ = height + 2 * kEdgeReach;
    near_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    active_.assign(static_cast<std::size_t>(height_), 0);
    std::fill_n(line(near_, 0), width_, kFar);
    std::fill_n(line(near_, height_ - 1), width_, kFar);
    bool any = false;
    for (int y = 1; y + 1 < height_; ++y) {
        const bool found = find_borders(label_line(y - 1), label_line(y), label_line(y + 1), width_, line(near_, y));
        active_[static_cast<std::size_t>(y)] = found ? 1 : 0;
        any = any || found;
    }
    if (any) spread_all();
    crop(edge);
}

void EdgeFinder::spread_all() {
    next_ = near_;
    for (int step = 1; step < kEdgeReach; ++step) {
        next_active_ = active_;
        for (int y = 1; y + 1 < height_; ++y) {
            const auto i = static_cast<std::size_t>(y);
            if ((active_[i - 1] | active_[i] | active_[i + 1]) == 0) continue;
            spread(line(near_, y - 1), line(near_, y), line(near_, y + 1), width_, line(next_, y));
            next_active_[i] = 1;
        }
        std::swap(near_, next_);
        std::swap(active_, next_active_);
    }
}

void EdgeFinder::crop(std::vector<std::uint8_t>& edge) {
    const int width = width_ - 2 * kEdgeReach;
    const int height = height_ - 2 * kEdgeReach;
    edge.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
    for (int y = 0; y < height; ++y) {
        if (active_[static_cast<std::size_t>(y + kEdgeReach)] == 0) continue;
        const std::uint8_t* from = line(near_, y + kEdgeReach) + kEdgeReach;
        const std::int32_t* labels = label_line(y + kEdgeReach) + kEdgeReach;
        std::uint8_t* to = edge.data() + static_cast<std::ptrdiff_t>(y) * width;
        for (int x = 0; x < width; ++x) to[x] = labels[x] != 0 && from[x] <= kEdgeReach ? from[x] : std::uint8_t{0};
    }
}

}  // namespace maskscope::render
