// SPDX-License-Identifier: Apache-2.0
// A plane's cells as labels of 32 bits.
#pragma once

#include "core/mask/plane.h"
#include "core/render/overlay/label_pool.h"

#include <cstddef>
#include <cstdint>

namespace maskscope::render {

class CellLabels {
public:
    CellLabels(DType dtype, const LabelRule& rule) : dtype_(dtype), rule_(rule) {}

    std::int32_t of(mask::Cell cell) const;
    void convert(const std::byte* cells, std::int64_t count, std::int32_t* out) const;

private:
    void convert_stored(const std::byte* cells, std::int64_t count, std::int32_t* out) const;
    DType dtype_;
    LabelRule rule_;
};

}  // namespace maskscope::render
