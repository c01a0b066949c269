// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/find_nan.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace maskscope {
namespace {

constexpr std::int64_t kBlock = 1024;
constexpr std::int64_t kGrain = 1 << 16;  // elements a chunk

// Position in the storage of the row with number `row` of the last dimension.
std::int64_t row_position(const Tensor& tensor, std::int64_t row) {
    std::int64_t position = 0;
    for (int dim = tensor.rank() - 2; dim >= 0; --dim) {
        position += row % tensor.size(dim) * tensor.strides()[dim];
        row /= tensor.size(dim);
    }
    return position;
}

// Column of the first NaN in [0, length), or length.
std::int64_t first_in_row(const std::byte* first, DType dtype, std::int64_t stride, std::int64_t length) {
    std::array<float, kBlock> values;
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    for (std::int64_t at = 0; at < length; at += kBlock) {
        const std::int64_t count = std::min(kBlock, length - at);
        convert_to_f32(first + at * stride * size, dtype, stride, count, values.data());
        bool any = false;
        for (std::int64_t i = 0; i < count; ++i)
            any |= values[static_cast<std::size_t>(i)] != values[static_cast<std::size_t>(i)];
        if (!any) continue;
        const auto* hit = std::find_if(values.data(), values.data() + count, [](float v) { return std::isnan(v); });
        return at + (hit - values.data());
    }
    return length;
}

}  // namespace

std::optional<std::vector<std::int64_t>> find_first_nan(const Tensor& tensor, const JobContext& context) {
    if (!is_floating(tensor.dtype()) || tensor.numel() == 0) return std::nullopt;
    const int rank = tensor.rank();
    const std::int64_t length = rank == 0 ? 1 : tensor.size(rank - 1);
    const std::int64_t stride = rank == 0 ? 1 : tensor.strides()[rank - 1];
    const std::int64_t rows = tensor.numel() / length;
    const auto size = static_cast<std::int64_t>(size_of(tensor.dtype()));
    constexpr auto kNone = std::numeric_limits<std::int64_t>::max();
    std::atomic<std::int64_t> best{kNone};  // row-major number of the element
    parallel_for(Lane::background, rows, std::max<std::int64_t>(1, kGrain / length), [&](const Chunk& chunk) {
        for (std::int64_t row = chunk.begin; row < chunk.end; ++row) {
            if (context.cancelled() || row * length >= best) return;
            const auto* first = tensor.data() + row_position(tensor, row) * size;
            const std::int64_t column = first_in_row(first, tensor.dtype(), stride, length);
            if (column == length) continue;
            const std::int64_t found = row * length + column;
            std::int64_t known = best;
            while (found < known && !best.compare_exchange_weak(known, found)) {
            }
            return;
        }
    });
    if (best == kNone || context.cancelled()) return std::nullopt;
    std::vector<std::int64_t> index(static_cast<std::size_t>(rank));
    std::int64_t rest = best;
    for (int dim = rank - 1; dim >= 0; --dim) {
        index[static_cast<std::size_t>(dim)] = rest % tensor.size(dim);
        rest /= tensor.size(dim);
    }
    return index;
}

}  // namespace maskscope
