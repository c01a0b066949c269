// SPDX-License-Identifier: Apache-2.0
// Which input places an output place of interpolate is made of, along one dim.
#pragma once

#include "core/tensor/dtype.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope::ops {

enum class Filter : std::uint8_t { nearest, nearest_exact, linear, cubic, area };

// One place and one weight for each output place; several taps add up.
struct Tap {
    std::vector<std::int64_t> places;
    std::vector<double> weights;
    std::vector<bool> counts;  // false: this output place has fewer taps
};

struct Resampling {
    std::int64_t in = 0;
    std::int64_t out = 0;
    Filter filter = Filter::nearest;
    bool aligns_corners = false;
    std::optional<double> scale_factor;  // where the user gave one, it and not the sizes says how far apart places are
    bool is_double = false;              // places and weights in double; float otherwise, whose rounding shows
};
std::vector<Tap> taps_of(const Resampling& resampling);

}  // namespace maskscope::ops
