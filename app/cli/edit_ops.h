// SPDX-License-Identifier: Apache-2.0
// What `edit` can do to a mask: "dilate:3", "fill_holes", "relabel:2=5".
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/plane.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maskscope::cli {

struct EditOp {
    enum class Kind { dilate, erode, open, close, fill_holes, islands, invert, threshold, relabel };
    Kind kind = Kind::dilate;
    std::string text;         // as it was given
    std::int64_t amount = 0;  // a radius, or cells
    double value = 0;         // the threshold, or the label to replace
    double into = 0;          // what replaces it

    // Needs labels: all but the threshold, which makes them.
    bool needs_labels() const { return kind != Kind::threshold; }
};
// A usage error that says what is wrong with it, and what there is.
Result<EditOp> parse_edit_op(const std::string& text);
// One line for each, for --help.
std::string edit_ops_help();

// What a mask becomes by the op, and the cells that changed in it; over all planes of a stack.
struct EditCount {
    std::int64_t changed = 0;
    std::int64_t gained = 0;  // of them: background before, not after
    std::int64_t lost = 0;
};
Result<EditCount> apply(const EditOp& op, std::vector<mask::Plane>& planes, const JobContext& context);
// Of the result.
DType dtype_after(const EditOp& op, DType before);

}  // namespace maskscope::cli
