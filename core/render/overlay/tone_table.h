// SPDX-License-Identifier: Apache-2.0
// Stored numbers to bytes of brightness, by look-up.
#pragma once

#include "core/render/overlay/image_data.h"

#include <cstdint>
#include <vector>

namespace maskscope::render {

class ToneTable {
public:
    // `largest`: values are whole numbers from 0 to it and each has its own entry; 0: any value.
    ToneTable(const Tone& tone, int largest);

    const Tone& tone() const { return tone_; }
    // Of whole numbers: index by the value.
    const std::uint8_t* bytes() const { return bytes_.data(); }
    // Of any value but NaN.
    std::uint8_t of(double value) const;

private:
    Tone tone_;
    bool whole_;
    double scale_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace maskscope::render
