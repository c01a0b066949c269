// SPDX-License-Identifier: Apache-2.0
// Areas grown from a seed: bucket fill by label, wand by the image's colour, threshold of a soft mask, GrabCut.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/mask/plane.h"
#include "core/mask/region.h"
#include "core/tensor/tensor.h"

#include <cstdint>

namespace maskscope::mask {

enum class Neighbours : std::uint8_t { four, eight };

// The connected cells that hold what the seed holds. A sentence when the seed lies outside.
Result<Region> fill(const Plane& plane, std::int64_t row, std::int64_t col, Neighbours neighbours = Neighbours::four,
                    const JobContext& context = {});
// The connected pixels whose channels differ from the seed's by at most `tolerance` each. `image` is [h, w] or [h, w,
// c] of u8, u16 or a floating dtype. Anywhere: not only the connected ones.
struct WandOptions {
    double tolerance = 16;
    Neighbours neighbours = Neighbours::four;
    bool anywhere = false;
};
Result<Region> wand(const Tensor& image, std::int64_t row, std::int64_t col, const WandOptions& options = {},
                    const JobContext& context = {});
// value >= threshold. NaN is not.
Region threshold(const Plane& plane, double threshold);

// GrabCut on `around` (a margin is added): `surely` is foreground, `not_at_all` is background, the rest of `around` is
// guessed. Image u8 [h, w] or [h, w, 3 or 4]. Refuses more than 4096 x 4096 pixels and an area without background.
struct GrabCutOptions {
    int rounds = 5;
};
Result<Region> grab_cut(const Tensor& image, const Rect& around, const Region& surely, const Region& not_at_all,
                        const GrabCutOptions& options = {}, const JobContext& context = {});

}  // namespace maskscope::mask
