// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/scan.h"

#include "core/jobs/parallel.h"
#include "core/ops/reduce/layout.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kWidth = 1024;
constexpr std::int64_t kWork = 65536;

void load(Compute kind, const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::byte* to) {
    switch (kind) {
        case Compute::f32:
            return load_block(first, dtype, step, count, reinterpret_cast<float*>(to));
        case Compute::f64:
            return load_block(first, dtype, step, count, reinterpret_cast<double*>(to));
        case Compute::i64:
            return load_block(first, dtype, step, count, reinterpret_cast<std::int64_t*>(to));
    }
}

void store(Compute kind, const std::byte* from, DType dtype, std::int64_t step, std::int64_t count, std::byte* to) {
    switch (kind) {
        case Compute::f32:
            return store_block(reinterpret_cast<const float*>(from), dtype, step, count, to);
        case Compute::f64:
            return store_block(reinterpret_cast<const double*>(from), dtype, step, count, to);
        case Compute::i64:
            return store_block(reinterpret_cast<const std::int64_t*>(from), dtype, step, count, to);
    }
}

// `count` elements, in the input and in the outputs.
struct Piece {
    const std::byte* in;
    std::int64_t in_step;
    std::array<std::byte*, kMaxOutputs> out;
    std::array<std::int64_t, kMaxOutputs> out_step;
    std::int64_t count;
};

class Scan {
public:
    Scan(const Tensor& input, int axis, const Scanner& scanner, std::span<Tensor> outputs)
        : scanner_(scanner),
          outputs_(outputs),
          layout_(layout_of(input, outputs, one_axis(input.rank(), axis), Order::any)),
          data_(input.data()),
          dtype_(input.dtype()) {
        const auto& kept = layout_.kept.inner();
        columns_ =
            kept.size >= 4 && kept.in_step != 0 && std::abs(kept.in_step) < std::abs(layout_.reduced.inner().in_step);
        block_ = columns_ ? std::min(kept.size, kWidth) : 1;
        blocks_ = (kept.size + block_ - 1) / block_;
    }

    Result<void> run(const JobContext& context) const {
        const auto& line = layout_.reduced.inner();
        const std::int64_t lines = layout_.kept.count();
        if (lines == 0 || line.size == 0) return {};
        const std::int64_t grain = std::max<std::int64_t>(1, kWork / (block_ * line.size));
        parallel_for(Lane::ui, blocks_ * layout_.kept.outer_count(), grain, [&](const Chunk& chunk) {
            struct alignas(16) Values {
                std::array<std::byte, kWidth * sizeof(double)> bytes;
            };
            Values values;
            std::array<std::int64_t, kWidth> indices;
            const auto states =
                std::make_unique<std::byte[]>(scanner_.state_bytes() * static_cast<std::size_t>(block_));
            for (std::int64_t i = chunk.begin; i < chunk.end && !context.cancelled(); ++i)
                scan_block(i, values.bytes.data(), indices.data(), states.get());
        });
        if (context.cancelled()) return cancelled_error();
        return {};
    }

private:
    void scan_block(std::int64_t index, std::byte* values, std::int64_t* indices, std::byte* states) const {
        const auto& kept = layout_.kept.inner();
        const auto& line = layout_.reduced.inner();
        const auto place = layout_.kept.outer_place(index / blocks_);
        const std::int64_t begin = index % blocks_ * block_;
        const std::int64_t width = std::min(block_, kept.size - begin);
        scanner_.start(states, width);
        // Side by side an element of each line at a time, else a stretch of one line.
        const std::int64_t stretch = columns_ ? 1 : kWidth;
        for (std::int64_t position = 0; position < line.size; position += stretch) {
            const LoopDim& along = columns_ ? kept : line;
            Piece piece{data_ + place.in + begin * kept.in_step + position * line.in_step,
                        along.in_step,
                        {},
                        along.out_step,
                        columns_ ? width : std::min(stretch, line.size - position)};
            for (std::size_t o = 0; o < outputs_.size(); ++o)
                piece.out[o] =
                    outputs_[o].writable_data() + place.out[o] + begin * kept.out_step[o] + position * line.out_step[o];
            load(scanner_.element(), piece.in, dtype_, piece.in_step, piece.count, values);
            if (columns_)
                scanner_.columns(states, values, indices, piece.count, position);
            else
                scanner_.row(states, values, indices, piece.count, position);
            store(scanner_.element(), values, outputs_[0].dtype(), piece.out_step[0], piece.count, piece.out[0]);
            if (outputs_.size() > 1)
                store_block(indices, outputs_[1].dtype(), piece.out_step[1], piece.count, piece.out[1]);
        }
    }

    const Scanner& scanner_;
    std::span<Tensor> outputs_;
    Layout layout_;
    const std::byte* data_;
    DType dtype_;
    bool columns_ = false;
    std::int64_t block_ = 1;
    std::int64_t blocks_ = 1;
};

}  // namespace

Result<void> scan(const Tensor& input, int axis, const Scanner& scanner, std::span<Tensor> outputs,
                  const JobContext& context) {
    return Scan(input, axis, scanner, outputs).run(context);
}

}  // namespace maskscope::ops
