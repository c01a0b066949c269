// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/lines.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace maskscope::ops {

Result<void> for_each_line(const Tensor& input, int axis, std::span<Tensor> outputs, const JobContext& context,
                           FunctionRef<void(std::span<const Line>)> body) {
    constexpr std::int64_t kWork = 16384;
    const Layout layout = layout_of(input, outputs, one_axis(input.rank(), axis), Order::any);
    const LoopDim& along = layout.reduced.inner();
    const LoopDim& across = layout.kept.inner();
    const std::int64_t count = layout.kept.count();
    if (count == 0) return {};
    const std::int64_t grain = std::max<std::int64_t>(1, kWork / std::max<std::int64_t>(1, along.size));
    parallel_for(Lane::ui, count, grain, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        std::vector<Line> lines;
        for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
            const auto place = layout.kept.outer_place(i / across.size);
            const std::int64_t at = i % across.size;
            Line line{input.data() + place.in + at * across.in_step, along.in_step, along.size, {}, along.out_step};
            for (std::size_t o = 0; o < outputs.size(); ++o)
                line.out[o] = outputs[o].writable_data() + place.out[o] + at * across.out_step[o];
            lines.push_back(line);
        }
        body(lines);
    });
    if (context.cancelled()) return cancelled_error();
    return {};
}

void copy_element(const Line& line, std::int64_t from, std::int64_t to, std::size_t width) {
    const std::byte* source = line.in + from * line.in_step;
    std::byte* target = line.out[0] + to * line.out_step[0];
    // Constant widths become single moves.
    switch (width) {
        case 1:
            *target = *source;
            return;
        case 2:
            std::memcpy(target, source, 2);
            return;
        case 4:
            std::memcpy(target, source, 4);
            return;
        default:
            std::memcpy(target, source, 8);
    }
}

void put_index(const Line& line, std::size_t output, std::int64_t to, std::int64_t index) {
    std::memcpy(line.out[output] + to * line.out_step[output], &index, sizeof(index));
}

}  // namespace maskscope::ops
