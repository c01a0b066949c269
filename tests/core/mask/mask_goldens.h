// SPDX-License-Identifier: Apache-2.0
// What other libraries make of small masks: tests/golden/mask/algorithms.json.
#pragma once

#include "tests/core/mask/bitmap.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace maskscope::test {

inline const nlohmann::json& mask_goldens() {
    static const auto goldens = [] {
        std::ifstream file(MS_SOURCE_DIR "/tests/golden/mask/algorithms.json");
        return nlohmann::json::parse(file);
    }();
    return goldens;
}

// [columns, rows as hexadecimal digits of four cells].
inline Bitmap bitmap_from(const nlohmann::json& golden) {
    const auto& rows = golden[1];
    Bitmap out(static_cast<std::int64_t>(rows.size()), golden[0].get<std::int64_t>());
    for (std::int64_t r = 0; r < out.rows; ++r) {
        const auto text = rows[static_cast<std::size_t>(r)].get<std::string>();
        for (std::int64_t c = 0; c < out.cols; ++c) {
            const int digit = std::stoi(text.substr(static_cast<std::size_t>(c / 4), 1), nullptr, 16);
            out.at(r, c) = (digit >> (3 - c % 4)) & 1 ? 1 : 0;
        }
    }
    return out;
}

inline Bitmap golden_mask(const nlohmann::json& name) {
    return bitmap_from(mask_goldens()["masks"][name.get<std::string>()]);
}

}  // namespace maskscope::test
