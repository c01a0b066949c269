// SPDX-License-Identifier: Apache-2.0
// Whole labels at once, as edits of a plane, and a label map taken apart.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/mask_edit.h"
#include "core/mask/region.h"

#include <vector>

namespace maskscope::mask {

// Every cell that holds `from` holds `to` after it.
void relabel(MaskEdit& edit, Cell from, Cell to);
// All of `labels` become `into`.
void merge_labels(MaskEdit& edit, const std::vector<Cell>& labels, Cell into);
// Zero becomes `one`, everything else zero; a bool or binary mask inverted.
void invert(MaskEdit& edit, Cell one);
// The smallest positive label that no cell holds, up to what the dtype can hold. A sentence when there is none.
Result<Cell> free_label(const Plane& plane);

// A label map as one region for each value that is not zero, by ascending value; read in one pass however many there
// are.
struct LabelRegion {
    Cell label;
    Region region;
};
Result<std::vector<LabelRegion>> split_labels(const Plane& plane, const JobContext& context = {});

}  // namespace maskscope::mask
