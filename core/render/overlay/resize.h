// SPDX-License-Identifier: Apache-2.0
// A soft mask or an attention map brought to an image's size, by a convention that has a name.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <string_view>

namespace maskscope::render {

enum class ResizeRule : std::uint8_t {
    nearest,          // floor(d * s): cv2 and torch "nearest"
    nearest_exact,    // floor((d + 0.5) * s): PIL, skimage and torch "nearest-exact"
    bilinear,         // half-pixel centres, torch align_corners=False
    bilinear_corners  // torch align_corners=True
};
std::string_view name_of(ResizeRule rule);  // "nearest-exact"
std::string_view about(ResizeRule rule);    // one sentence: which libraries do so

// [rows, cols] of a plane [r, c]. Labels (integers, bool) take nearest rules only: refused otherwise. Nearest keeps the
// dtype and rounds nothing: sources are found in whole numbers. Bilinear computes in f64 and gives f32, or f64 from
// f64.
Result<Tensor> resized(const Tensor& plane, std::int64_t rows, std::int64_t cols, ResizeRule rule,
                       const JobContext& context = {});

}  // namespace maskscope::render
