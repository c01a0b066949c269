// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/scatter_mean.h"

#include "core/ops/loops/blocks.h"
#include "core/ops/loops/copy.h"
#include "core/ops/loops/iteration.h"
#include "core/ops/select/element.h"
#include "core/ops/select/line_moves.h"

#include <algorithm>
#include <array>

namespace maskscope::ops {
namespace {

std::int64_t divided(std::int64_t sum, std::int64_t count) {
    const std::int64_t whole = sum / count;
    return sum % count < 0 ? whole - 1 : whole;
}
float divided(float sum, float count) {
    return sum / count;
}
double divided(double sum, double count) {
    return sum / count;
}

template <class T>
void divide_run(const ElementRun& run, DType dtype) {
    std::array<T, kBlock> sums;
    std::array<T, kBlock> counts;
    for (std::int64_t done = 0; done < run.count; done += kBlock) {
        const auto count = std::min(kBlock, run.count - done);
        load_block(run.data[0] + done * run.step[0], dtype, run.step[0], count, sums.data());
        load_block(run.data[1] + done * run.step[1], DType::i64, run.step[1], count, counts.data());
        for (std::int64_t i = 0; i < count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            sums[k] = divided(sums[k], std::max(counts[k], T{1}));
        }
        store_block(sums.data(), dtype, run.step[0], count, run.data[0] + done * run.step[0]);
    }
}

}  // namespace

Result<void> divide_by_counts(Tensor& self, const Tensor& index, int dim, bool include_self, Run& run) {
    MS_TRY(counts, run.allocate(self.shape(), DType::i64));
    MS_TRY(start, held_element(Value(include_self ? 1 : 0), DType::i64));
    fill_elements(counts, start.data());
    MS_TRY(one, held_element(Value(1), DType::i64));
    MS_TRY(ones, repeated(one, DType::i64, index.shape(), run));
    scatter_lines(Combine::add, counts, index, ones, dim);
    const Tensor* const operands[] = {&self, &counts};
    const DType dtype = self.dtype();
    for_each_run(operands, [&](const ElementRun& elements) {
        switch (compute_of(dtype)) {
            case Compute::f32:
                return divide_run<float>(elements, dtype);
            case Compute::f64:
                return divide_run<double>(elements, dtype);
            case Compute::i64:
                return divide_run<std::int64_t>(elements, dtype);
        }
    });
    return {};
}

}  // namespace maskscope::ops
