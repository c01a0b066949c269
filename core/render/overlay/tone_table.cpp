// SPDX-License-Identifier: Apache-2.0
#include "core/render/overlay/tone_table.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

// Steps from black to white where values have no entries of their own.
constexpr int kSteps = 65535;

}  // namespace

ToneTable::ToneTable(const Tone& tone, int largest)
    : tone_(tone),
      whole_(largest > 0),
      // An empty range is a step: black below it, white from it on.
      scale_(tone.hi > tone.lo ? 1 / (tone.hi - tone.lo) : 0) {
    const double power = tone.gamma > 0 ? 1 / tone.gamma : 1;
    const int last = whole_ ? largest : kSteps;
    bytes_.resize(static_cast<std::size_t>(last) + 1);
    for (int i = 0; i <= last; ++i) {
        const double position = scale_ > 0 ? (i - tone.lo) * scale_ : (i >= tone.lo ? 1.0 : 0.0);
        const double t = std::clamp(whole_ ? position : static_cast<double>(i) / kSteps, 0.0, 1.0);
        const double bright = power == 1 ? t : std::pow(t, power);
        bytes_[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::floor(bright * 255 + 0.5));
    }
}

std::uint8_t ToneTable::of(double value) const {
    const auto last = static_cast<double>(bytes_.size() - 1);
    if (whole_) return bytes_[static_cast<std::size_t>(std::clamp(std::floor(value + 0.5), 0.0, last))];
    const double t = scale_ > 0 ? (value - tone_.lo) * scale_ : (value >= tone_.lo ? 1.0 : 0.0);
    return bytes_[static_cast<std::size_t>(std::floor(std::clamp(t, 0.0, 1.0) * last + 0.5))];
}

}  // namespace maskscope::render
