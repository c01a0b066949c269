// SPDX-License-Identifier: Apache-2.0
// A result put together of boxes of its input: along each dim a list of pieces, each a run of the input taken forward,
// backward or one element again and again, or filled. flip, roll and pad are such lists.
#pragma once

#include "core/base/result.h"
#include "core/jobs/job_context.h"
#include "core/tensor/tensor.h"

#include <vector>

namespace maskscope::ops::geometry {

struct Piece {
    std::int64_t length = 0;
    std::int64_t from = 0;  // index in the input of the first element
    std::int64_t step = 1;  // 1, -1, 0
    bool filled = false;    // with the fill value, whatever `from` says
};
using Pieces = std::vector<Piece>;  // in order, as long together as the result's dim

// The whole of a dim, forward.
Pieces whole(std::int64_t size);
// Of an index for each place of the result, in as few pieces as will do.
template <class IndexAt>
Pieces pieces_of(std::int64_t length, IndexAt index_at) {
    Pieces out;
    for (std::int64_t i = 0; i < length; ++i) {
        const std::int64_t index = index_at(i);
        if (!out.empty()) {
            Piece& last = out.back();
            const std::int64_t step = index - (last.from + (last.length - 1) * last.step);
            if (last.length == 1 && step >= -1 && step <= 1) last.step = step;
            if (step == last.step) {
                ++last.length;
                continue;
            }
        }
        out.push_back({1, index, 1, false});
    }
    return out;
}

// `pieces` has one list for each dim; `fill` is the bytes of an element, null where no piece is filled.
Result<void> assemble(const Tensor& from, Tensor& to, const std::vector<Pieces>& pieces, const std::byte* fill,
                      const JobContext& context);

}  // namespace maskscope::ops::geometry
