// SPDX-License-Identifier: Apache-2.0
#include "core/ops/select/places.h"

#include "core/jobs/parallel.h"
#include "core/ops/select/widths.h"

#include <algorithm>
#include <limits>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kBlock = 1024;
constexpr std::int64_t kGrain = 32768;

// Every bit counts but the sign of a float: -0.0 is zero.
template <class T>
T telling_bits(DType dtype) {
    constexpr T kAll = std::numeric_limits<T>::max();
    return is_floating(dtype) ? static_cast<T>(kAll >> 1U) : kAll;
}

template <class T>
void read_truth(const std::byte* first, std::int64_t step, std::int64_t count, T bits, std::uint8_t* truth) {
    if (step == static_cast<std::int64_t>(sizeof(T))) {
        for (std::int64_t i = 0; i < count; ++i)
            truth[i] = (get<T>(first + i * static_cast<std::int64_t>(sizeof(T))) & bits) != 0;
        return;
    }
    for (std::int64_t i = 0; i < count; ++i) truth[i] = (get<T>(first + i * step) & bits) != 0;
}

struct Rows {
    explicit Rows(const Tensor& tensor) : rank(tensor.rank()), length(rank > 0 ? tensor.size(rank - 1) : 1) {
        count = length > 0 ? tensor.numel() / length : 0;
        grain = std::max<std::int64_t>(kGrain / std::max<std::int64_t>(length, 1), 1);
    }
    int rank;
    std::int64_t length;
    std::int64_t count;
    std::int64_t grain;
};

// The blocks of rows [begin, end), with the index of the first element of each.
void walk(const Tensor& tensor, const Rows& rows, std::int64_t begin, std::int64_t end,
          FunctionRef<void(std::span<const std::int64_t>, std::span<const std::uint8_t>)> body) {
    const auto size = static_cast<std::int64_t>(size_of(tensor.dtype()));
    const std::int64_t step = rows.rank > 0 ? tensor.strides()[rows.rank - 1] * size : 0;
    std::array<std::int64_t, kMaxRank> index{};
    std::array<std::uint8_t, kBlock> truth;
    std::int64_t rest = begin;
    std::int64_t place = 0;  // elements from the first one
    for (int d = rows.rank - 2; d >= 0; --d) {
        index[static_cast<std::size_t>(d)] = rest % tensor.size(d);
        rest /= tensor.size(d);
        place += index[static_cast<std::size_t>(d)] * tensor.strides()[d];
    }
    for (auto row = begin; row < end; ++row) {
        for (std::int64_t col = 0; col < rows.length; col += kBlock) {
            const auto count = std::min(kBlock, rows.length - col);
            with_width(tensor.dtype(), [&]<class T>(T) {
                read_truth<T>(tensor.data() + place * size + col * step, step, count, telling_bits<T>(tensor.dtype()),
                              truth.data());
            });
            if (rows.rank > 0) index[static_cast<std::size_t>(rows.rank - 1)] = col;
            body(std::span(index.data(), static_cast<std::size_t>(rows.rank)),
                 std::span(truth.data(), static_cast<std::size_t>(count)));
        }
        for (int d = rows.rank - 2; d >= 0; --d) {
            auto& at = index[static_cast<std::size_t>(d)];
            place += tensor.strides()[d];
            if (++at < tensor.size(d)) break;
            place -= at * tensor.strides()[d];
            at = 0;
        }
    }
}

std::int64_t count_of(std::span<const std::uint8_t> truth) {
    std::uint32_t found = 0;
    for (const auto flag : truth) found += flag;
    return found;
}

}  // namespace

std::vector<std::int64_t> nonzero_counts(const Tensor& tensor) {
    const Rows rows(tensor);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(chunk_count(rows.count, rows.grain)) + 1, 0);
    parallel_for(Lane::ui, rows.count, rows.grain, [&](const Chunk& chunk) {
        std::int64_t found = 0;
        walk(tensor, rows, chunk.begin, chunk.end,
             [&](std::span<const std::int64_t>, std::span<const std::uint8_t> truth) { found += count_of(truth); });
        counts[static_cast<std::size_t>(chunk.index)] = found;
    });
    std::int64_t before = 0;
    for (auto& count : counts) {
        const auto found = count;
        count = before;
        before += found;
    }
    return counts;
}

void for_each_truth(const Tensor& tensor, std::span<const std::int64_t> counts,
                    FunctionRef<void(const TruthRun&)> body) {
    const Rows rows(tensor);
    parallel_for(Lane::ui, rows.count, rows.grain, [&](const Chunk& chunk) {
        auto before = counts[static_cast<std::size_t>(chunk.index)];
        walk(tensor, rows, chunk.begin, chunk.end,
             [&](std::span<const std::int64_t> index, std::span<const std::uint8_t> truth) {
                 const auto found = count_of(truth);
                 if (found == 0) return;
                 body(TruthRun{index, truth, before});
                 before += found;
             });
    });
}

}  // namespace maskscope::ops
