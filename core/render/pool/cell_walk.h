// SPDX-License-Identifier: Apache-2.0
// Walks through the cells of one state.
#pragma once

#include "core/render/pool/mask_pyramid.h"
#include "core/render/pool/survey.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace maskscope::render {

struct WalkSource {
    const Plane* plane = nullptr;
    const MaskPlane* mask = nullptr;
    const Survey* survey = nullptr;  // may be null: then every cell is looked at
    const MaskPyramid* coverage = nullptr;
};

// The next cell of a state after (row, col) in row-major order, wrapping around to (row, col) itself.
std::optional<std::pair<std::int64_t, std::int64_t>> next_cell(const WalkSource& source, CellState state,
                                                               std::int64_t row, std::int64_t col);

}  // namespace maskscope::render
