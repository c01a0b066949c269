// SPDX-License-Identifier: Apache-2.0
// From addresses on the command line to the plane that is drawn: which two dims, the mask on them, the tokens beside.
#pragma once

#include "app/cli/command.h"
#include "core/render/figure/heatmap_figure.h"
#include "core/render/pool/cell_state.h"

#include <optional>
#include <string>

namespace maskscope::cli {

struct PlaneRequest {
    std::string tensor;  // FILE[::KEY][SLICE]
    std::string mask;    // the same; empty: none
    render::MaskConvention convention = render::MaskConvention::keep;
    std::string tokens;  // a file of labels, or its KEY; empty: the tensor's own file
    std::string rows;    // a dim by name or number; empty: the last but one
    std::string cols;    // empty: the last
};

struct PlaneSource {
    std::string name;  // "weights[0, 1, 2]", or the file's name
    render::Plane plane;
    std::optional<render::MaskPlane> mask;
    std::string mask_text;  // "keep_mask[1] as keep: key → key; repeated along query"
    render::AxisLabels rows;
    render::AxisLabels cols;
};

// Refuses what has no two dims to draw, a mask that does not fit, and tokens that name no axis.
Result<PlaneSource> load_plane(const PlaneRequest& request, Environment& environment);

}  // namespace maskscope::cli
