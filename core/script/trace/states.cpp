// SPDX-License-Identifier: Apache-2.0
#include "core/script/trace/states.h"

#include "core/tensor/convert.h"
#include "core/tensor/stats.h"

#include <cmath>

namespace maskscope::script {
namespace {

// The first NaN or infinity in row-major order. Called only when there is one.
std::vector<std::int64_t> first_bad(const Tensor& tensor) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(tensor.rank()), 0);
    const std::int64_t count = tensor.numel();
    for (std::int64_t i = 0; i < count; ++i) {
        if (!std::isfinite(to_double(tensor.at(index)))) return index;
        for (int d = tensor.rank() - 1; d >= 0; --d) {
            if (++index[static_cast<std::size_t>(d)] < tensor.size(d)) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
    return {};
}

}  // namespace

std::optional<States> count_states(const Tensor& tensor, const JobContext& context) {
    const auto stats = compute_stats(tensor, JobContext(), Lane::ui);
    if (!stats || context.cancelled()) return std::nullopt;
    States out;
    out.nan = stats->nan;
    out.posinf = stats->posinf;
    out.neginf = stats->neginf;
    out.zero = stats->zero;
    out.finite = stats->finite;
    if (stats->finite > 0) {
        out.min = to_double(stats->min);
        out.max = to_double(stats->max);
    }
    if (out.nan + out.posinf + out.neginf > 0) out.first_bad = first_bad(tensor);
    return out;
}

}  // namespace maskscope::script
