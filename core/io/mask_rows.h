// SPDX-License-Identifier: Apache-2.0
// A mask as labels, row by row: what a picture of labels is written from. A stack is flattened, later instances above
// earlier ones; soft values are cut at one half.
#pragma once

#include "core/io/mask_export.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace maskscope::io {

inline constexpr double kSoftThreshold = 0.5;

// One plane, or a stack of them, with how the cells are read.
struct MaskPlanes {
    Tensor tensor;                     // [n, h, w]
    bool stack = false;                // of instances; else n is 1
    bool soft = false;                 // some value is no whole number: kSoftThreshold and above counts as 1
    std::int64_t soft_cells = 0;       // neither 0 nor 1; 0 unless soft
    std::vector<std::int64_t> labels;  // of a stack's instances
    bool own_ids = false;              // these are the annotations' ids

    std::int64_t height() const { return tensor.size(1); }
    std::int64_t width() const { return tensor.size(2); }
    std::int64_t count() const { return tensor.size(0); }
    // The values of a row; `out` has width() of them.
    void values(std::int64_t plane, std::int64_t row, std::span<double> out) const;
    // Its labels. `overlap` takes how many of the cells two or more instances cover.
    void label_row(std::int64_t row, std::span<double> out, std::int64_t* overlap = nullptr) const;
};

// Refuses what is no mask. Ids of annotations are taken as labels where they are positive, differ and do not pass
// `most_label`; else instances count from 1.
Result<MaskPlanes> mask_planes(const MaskToSave& mask, std::int64_t most_label, const JobContext& context);

// What stands in the labels, found in one pass over all rows.
struct LabelScan {
    std::int64_t overlap = 0;   // cells that two or more instances cover
    std::int64_t negative = 0;  // cells
    std::int64_t beyond = 0;    // cells above `most`
    double lowest = 0;          // of the negative labels
    double first_beyond = 0;    // the smallest of the labels above `most`
    double highest = 0;         // of all
    // Row and column of the first cell above `most`, and of the first negative one.
    std::optional<std::array<std::int64_t, 2>> beyond_at;
    std::optional<std::array<std::int64_t, 2>> negative_at;

    bool fits() const { return beyond == 0 && negative == 0; }
};
Result<LabelScan> scan_labels(const MaskPlanes& planes, double most, const JobContext& context);

}  // namespace maskscope::io
