// SPDX-License-Identifier: Apache-2.0
#include "core/ops/create/draw.h"

#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace maskscope::ops::create {

double standard_normal(Generator& generator) {
    if (generator.next_normal) {
        const double kept = *generator.next_normal;
        generator.next_normal.reset();
        return kept;
    }
    const double turn = uniform_double(generator);
    const double reach = uniform_double(generator);
    const double radius = std::sqrt(-2.0 * std::log1p(-reach));
    const double angle = 2.0 * std::numbers::pi * turn;
    generator.next_normal = radius * std::sin(angle);
    return radius * std::cos(angle);
}

double exponential(Generator& generator, double rate) {
    return -1.0 / rate * std::log1p(-uniform_double(generator));
}

template <class Number>
Result<void> fill_drawn(Tensor& out, Run& run, FunctionRef<void(std::span<Number>)> draw) {
    const Tensor* const operands[] = {&out};
    bool stopped = false;
    const auto fill = [&](const ElementRun& elements) {
        std::array<Number, kBlock> block;
        for (std::int64_t done = 0; done < elements.count && !stopped; done += kBlock) {
            const auto count = std::min(kBlock, elements.count - done);
            draw({block.data(), static_cast<std::size_t>(count)});
            store_block(block.data(), out.dtype(), elements.step[0], count, elements.data[0] + done * elements.step[0]);
            stopped = run.context().cancelled();
        }
    };
    // One grain for all: the draws follow each other.
    for_each_run(operands, fill, std::numeric_limits<std::int64_t>::max());
    if (stopped) return cancelled_error();
    return {};
}

template Result<void> fill_drawn<float>(Tensor&, Run&, FunctionRef<void(std::span<float>)>);
template Result<void> fill_drawn<double>(Tensor&, Run&, FunctionRef<void(std::span<double>)>);
template Result<void> fill_drawn<std::int64_t>(Tensor&, Run&, FunctionRef<void(std::span<std::int64_t>)>);

}  // namespace maskscope::ops::create
