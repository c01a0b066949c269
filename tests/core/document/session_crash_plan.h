// SPDX-License-Identifier: Apache-2.0
// What a run paints, as a function of its seed, so that the one who is killed and the one who checks know the same.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace maskscope::document {

inline constexpr std::int64_t kPlanes = 2;
inline constexpr std::int64_t kRows = 200;
inline constexpr std::int64_t kCols = 300;

struct Dab {
    std::int64_t row = 0;
    std::int64_t col = 0;
    std::int64_t radius = 0;
};

struct Deed {
    enum class Kind : std::uint8_t { stroke, undo, redo, jump, save };
    Kind kind = Kind::stroke;
    std::int64_t plane = 0;
    std::uint8_t label = 0;
    std::vector<Dab> dabs;
    std::size_t position = 0;  // of a jump
};

inline bool covers(const Dab& dab, std::int64_t row, std::int64_t col) {
    return (row - dab.row) * (row - dab.row) + (col - dab.col) * (col - dab.col) <= dab.radius * dab.radius;
}

inline Deed deed_of(std::uint32_t seed, std::uint32_t number, bool with_saves) {
    std::mt19937 random(seed * 7919U + number);
    Deed deed;
    const auto kind = random() % 12;
    if (kind == 0) deed.kind = Deed::Kind::undo;
    if (kind == 1) deed.kind = Deed::Kind::redo;
    if (kind == 2) deed.kind = Deed::Kind::jump;
    if (kind == 3 && with_saves) deed.kind = Deed::Kind::save;
    deed.position = random() % (number + 1);
    deed.plane = random() % kPlanes;
    deed.label = static_cast<std::uint8_t>(40 + number % 200);  // the mask itself holds less than 32
    auto row = static_cast<std::int64_t>(random() % kRows);
    auto col = static_cast<std::int64_t>(random() % kCols);
    const auto count = random() % 4 == 0 ? 25 + random() % 40 : 3 + random() % 8;
    for (std::uint32_t i = 0; i < count; ++i) {
        deed.dabs.push_back({row, col, 2 + static_cast<std::int64_t>(random() % 12)});
        row += static_cast<std::int64_t>(random() % 15) - 7;
        col += static_cast<std::int64_t>(random() % 15) - 7;
    }
    return deed;
}

}  // namespace maskscope::document
