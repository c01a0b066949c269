// SPDX-License-Identifier: Apache-2.0
// From addresses on the command line to mask planes of an image's size.
#pragma once

#include "app/cli/command.h"
#include "core/mask/plane.h"
#include "core/render/overlay/resize.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope::cli {

// What the masks have to fit.
struct ImageSize {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
};

struct MaskPlane {
    std::string name;                 // "pred.npy", or "masks[3]" of a stack
    std::optional<std::int64_t> nth;  // of a stack
    std::shared_ptr<const mask::Plane> plane;
    bool soft = false;                // floating: shares, not labels
    std::optional<ImageSize> before;  // its own size, where it was resized
};

// One plane of [h, w], or one for each instance of [n, h, w]. Refuses another size unless a rule says how to resize;
// notes swapped rows and columns.
Result<std::vector<MaskPlane>> load_masks(const std::string& address, const ImageSize& image,
                                          std::optional<render::ResizeRule> rule, Environment& environment);

Result<render::ResizeRule> resize_rule(const std::string& word);
// "photo.png", "attn[0]", "photo.png[:, 4]".
std::string shown_name(const std::string& address);

}  // namespace maskscope::cli
