// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/value_summary.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <cmath>

namespace maskscope::render {
namespace {

constexpr std::int64_t kGrainCells = 1 << 18;

// Calls visit for each finite visible value of a row.
template <class Visit>
void each_value(const Plane& plane, const MaskPlane* mask, std::int64_t row, std::vector<double>& buffer, Visit visit) {
    const std::int64_t cols = plane.cols();
    buffer.resize(static_cast<std::size_t>(cols));
    const Tensor& tensor = plane.tensor;
    const auto* first = tensor.data() + row * tensor.strides()[0] * static_cast<std::int64_t>(size_of(tensor.dtype()));
    convert_to_f64(first, tensor.dtype(), tensor.strides()[1], cols, buffer.data());
    for (std::int64_t col = 0; col < cols; ++col) {
        const double value = buffer[static_cast<std::size_t>(col)];
        if (!std::isfinite(value) || value == plane.masked_value) continue;
        if (mask != nullptr && hides(*mask, row, col)) continue;
        visit(col, value);
    }
}

}  // namespace

double ValueSummary::deviation() const {
    return count > 0 ? std::sqrt(sum_of_squares / static_cast<double>(count)) : 0;
}

void ValueSummary::merge(const ValueSummary& other) {
    if (other.count == 0) return;
    const auto mine = static_cast<double>(count);
    const auto theirs = static_cast<double>(other.count);
    const double delta = other.mean - mean;
    mean += delta * theirs / (mine + theirs);
    sum_of_squares += other.sum_of_squares + delta * delta * mine * theirs / (mine + theirs);
    count += other.count;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    smallest_positive = std::min(smallest_positive, other.smallest_positive);
}

Result<ValueSummary> summarise(const Plane& plane, const MaskPlane* mask, const JobContext& context) {
    const std::int64_t grain = std::max<std::int64_t>(1, kGrainCells / std::max<std::int64_t>(plane.cols(), 1));
    std::vector<ValueSummary> parts(static_cast<std::size_t>(chunk_count(plane.rows(), grain)));
    parallel_for(Lane::background, plane.rows(), grain, [&](const Chunk& chunk) {
        if (context.cancelled()) return;
        std::vector<double> buffer;
        ValueSummary part;
        for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
            each_value(plane, mask, row, buffer, [&part](std::int64_t, double value) {
                // Welford's update.
                ++part.count;
                const double delta = value - part.mean;
                part.mean += delta / static_cast<double>(part.count);
                part.sum_of_squares += delta * (value - part.mean);
                part.min = std::min(part.min, value);
                part.max = std::max(part.max, value);
                if (value > 0) part.smallest_positive = std::min(part.smallest_positive, value);
            });
        }
        parts[static_cast<std::size_t>(chunk.index)] = part;
        context.advance(chunk.end - chunk.begin);
    });
    if (context.cancelled()) return cancelled_error();
    ValueSummary all;
    for (const auto& part : parts) all.merge(part);
    return all;
}

Result<void> collect_values(const Plane& plane, const MaskPlane* mask, std::int64_t step, std::vector<float>& out,
                            const JobContext& context) {
    std::vector<double> buffer;
    for (std::int64_t row = 0; row < plane.rows(); ++row) {
        if (context.cancelled()) return cancelled_error();
        each_value(plane, mask, row, buffer, [&](std::int64_t col, double value) {
            if ((col + row) % step == 0) out.push_back(static_cast<float>(value));
        });
    }
    return {};
}

}  // namespace maskscope::render
