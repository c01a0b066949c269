// SPDX-License-Identifier: Apache-2.0
// How far each pixel of an area is from its border.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace maskscope::render {

// Keeps its room between calls.
class EdgeFinder {
public:
    // `labels` has kEdgeReach pixels more than width x height on each side. `edge` is LabelPixels::edge.
    void find(const std::vector<std::int32_t>& labels, int width, int height, std::vector<std::uint8_t>& edge);

private:
    using Pixels = std::vector<std::uint8_t>;
    const std::int32_t* label_line(int y) const { return labels_ + static_cast<std::ptrdiff_t>(y) * width_; }
    std::uint8_t* line(Pixels& of, int y) const { return of.data() + static_cast<std::ptrdiff_t>(y) * width_; }
    void spread_all();
    void crop(std::vector<std::uint8_t>& edge);

    const std::int32_t* labels_ = nullptr;
    int width_ = 0;  // with the margin
    int height_ = 0;
    Pixels near_;
    Pixels next_;
    std::vector<std::uint8_t> active_;  // lines that hold a distance
    std::vector<std::uint8_t> next_active_;
};

}  // namespace maskscope::render
