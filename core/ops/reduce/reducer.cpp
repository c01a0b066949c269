// SPDX-License-Identifier: Apache-2.0
#include "core/ops/reduce/reducer.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace maskscope::ops {
namespace {

// Elements that a thread takes at once, and states that stay in the first cache.
constexpr std::int64_t kWork = 65536;
constexpr std::int64_t kWidth = 1024;
constexpr std::int64_t kMaxSplits = 256;
// Elements converted at a time, in one row or in several rows of a few columns.
constexpr std::int64_t kConverted = 2048;
// Shorter rows are read across where there are enough of them.
constexpr std::int64_t kShortRow = 16;

std::int64_t width_of(Element element) {
    switch (element) {
        case Element::f32:
            return 4;
        case Element::f64:
        case Element::i64:
            return 8;
        case Element::truth:
            return 1;
    }
    return 0;
}

bool stored_as(Element element, DType dtype) {
    switch (element) {
        case Element::f32:
            return dtype == DType::f32;
        case Element::f64:
            return dtype == DType::f64;
        case Element::i64:
            return dtype == DType::i64;
        case Element::truth:
            return dtype == DType::boolean || dtype == DType::u8 || dtype == DType::i8;
    }
    return false;
}

bool by_columns(const Layout& layout) {
    const auto& kept = layout.kept.inner();
    const auto& reduced = layout.reduced.inner();
    if (kept.size < 4 || kept.in_step == 0) return false;
    if (reduced.size < kShortRow && kept.size >= 4 * kShortRow) return true;
    return reduced.in_step == 0 || std::abs(kept.in_step) < std::abs(reduced.in_step);
}

std::int64_t pieces(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

using Bytes = std::unique_ptr<std::byte[]>;
Bytes room(std::size_t bytes) {
    return Bytes(new std::byte[bytes]);
}

class Reduction {
public:
    Reduction(const Tensor& input, const Axes& axes, Order order, const Reducer& reducer, std::span<Tensor> outputs)
        : reducer_(reducer),
          outputs_(outputs),
          layout_(layout_of(input, outputs, axes, order)),
          dtype_(input.dtype()),
          data_(input.data()),
          columns_(by_columns(layout_)),
          element_(width_of(reducer.element())) {
        const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % static_cast<std::uintptr_t>(element_) == 0;
        in_place_ = aligned && stored_as(reducer.element(), dtype_);
        count_ = layout_.reduced.count();
        const std::int64_t per_state = std::max<std::int64_t>(count_, 1);
        const std::int64_t limit = columns_ ? kWidth : std::clamp<std::int64_t>(kWork / per_state, 1, kWidth);
        block_ = std::min(layout_.kept.inner().size, limit);
    }

    Result<void> run(const JobContext& context) {
        if (layout_.kept.count() == 0) return {};
        blocks_ = pieces(layout_.kept.inner().size, block_);
        const std::int64_t all_blocks = blocks_ * layout_.kept.outer_count();
        const std::int64_t splits = splits_for(all_blocks);
        if (splits > 1) return run_split(all_blocks, splits, context);
        const std::int64_t grain = std::max<std::int64_t>(1, kWork / std::max<std::int64_t>(block_ * count_, 1));
        parallel_for(Lane::ui, all_blocks, grain, [&](const Chunk& chunk) {
            const Bytes states = room(state_bytes(block_));
            const Bytes converted = room(static_cast<std::size_t>(kConverted * element_));
            for (std::int64_t i = chunk.begin; i < chunk.end && !context.cancelled(); ++i) {
                const Block block = block_at(i);
                reducer_.start(states.get(), block.size);
                take(block, 0, count_, states.get(), converted.get());
                put(block, states.get());
            }
        });
        if (context.cancelled()) return cancelled_error();
        return {};
    }

private:
    struct Block {
        const std::byte* in;
        std::array<std::byte*, kMaxOutputs> out;
        std::int64_t size;
    };

    std::size_t state_bytes(std::int64_t count) const {
        return reducer_.state_bytes() * static_cast<std::size_t>(count);
    }

    // Few outputs of many elements: the elements are cut into parts of a size that only the shape decides.
    std::int64_t splits_for(std::int64_t all_blocks) const {
        if (all_blocks >= 16 || count_ == 0) return 1;
        return std::clamp<std::int64_t>(count_ * block_ / kWork, 1, kMaxSplits);
    }

    Result<void> run_split(std::int64_t all_blocks, std::int64_t splits, const JobContext& context) {
        const std::size_t stride = state_bytes(block_);
        const Bytes states = room(stride * static_cast<std::size_t>(all_blocks * splits));
        const std::int64_t part = pieces(count_, splits);
        parallel_for(Lane::ui, all_blocks * splits, 1, [&](const Chunk& chunk) {
            const Bytes converted = room(static_cast<std::size_t>(kConverted * element_));
            for (std::int64_t i = chunk.begin; i < chunk.end && !context.cancelled(); ++i) {
                const Block block = block_at(i / splits);
                std::byte* own = states.get() + stride * static_cast<std::size_t>(i);
                reducer_.start(own, block.size);
                const std::int64_t begin = std::min(count_, i % splits * part);
                take(block, begin, std::min(count_, begin + part), own, converted.get());
            }
        });
        if (context.cancelled()) return cancelled_error();
        for (std::int64_t i = 0; i < all_blocks; ++i) {
            const Block block = block_at(i);
            std::byte* first = states.get() + stride * static_cast<std::size_t>(i * splits);
            for (std::int64_t s = 1; s < splits; ++s)
                reducer_.merge(first, first + stride * static_cast<std::size_t>(s), block.size);
            put(block, first);
        }
        return {};
    }

    Block block_at(std::int64_t index) const {
        const auto& inner = layout_.kept.inner();
        const std::int64_t begin = index % blocks_ * block_;
        const auto place = layout_.kept.outer_place(index / blocks_);
        Block block{data_ + place.in + begin * inner.in_step, {}, std::min(block_, inner.size - begin)};
        for (std::size_t o = 0; o < outputs_.size(); ++o)
            block.out[o] = outputs_[o].writable_data() + place.out[o] + begin * inner.out_step[o];
        return block;
    }

    // Elements [begin, end) of each state of the block.
    void take(const Block& block, std::int64_t begin, std::int64_t end, std::byte* states, std::byte* converted) const {
        const auto& inner = layout_.reduced.inner();
        for (std::int64_t position = begin; position < end;) {
            const std::int64_t offset = position % inner.size;
            const std::int64_t run = std::min(inner.size - offset, end - position);
            const std::byte* first =
                block.in + layout_.reduced.outer_place(position / inner.size).in + offset * inner.in_step;
            if (columns_)
                take_columns(first, inner.in_step, run, block.size, position, states, converted);
            else
                for (std::int64_t i = 0; i < block.size; ++i)
                    take_row(first + i * layout_.kept.inner().in_step, inner.in_step, run, position,
                             states + state_bytes(i), converted);
            position += run;
        }
    }

    void take_row(const std::byte* first, std::int64_t step, std::int64_t run, std::int64_t position, std::byte* state,
                  std::byte* converted) const {
        if (in_place_ && (step == element_ || run == 1)) return reducer_.row(state, first, run, position);
        for (std::int64_t done = 0; done < run; done += kConverted) {
            const std::int64_t now = std::min(kConverted, run - done);
            load(first + done * step, step, now, converted);
            reducer_.row(state, converted, now, position + done);
        }
    }

    void take_columns(const std::byte* first, std::int64_t row_step, std::int64_t rows, std::int64_t width,
                      std::int64_t position, std::byte* states, std::byte* converted) const {
        const std::int64_t step = layout_.kept.inner().in_step;
        if (in_place_ && step == element_)
            return reducer_.columns(states, first, row_step / element_, rows, width, position);
        const std::int64_t at_once = std::max<std::int64_t>(1, kConverted / width);
        for (std::int64_t done = 0; done < rows; done += at_once) {
            const std::int64_t now = std::min(at_once, rows - done);
            for (std::int64_t r = 0; r < now; ++r)
                load(first + (done + r) * row_step, step, width, converted + r * width * element_);
            reducer_.columns(states, converted, width, now, width, position + done);
        }
    }

    void load(const std::byte* first, std::int64_t step, std::int64_t count, std::byte* to) const {
        switch (reducer_.element()) {
            case Element::f32:
                return load_block(first, dtype_, step, count, reinterpret_cast<float*>(to));
            case Element::f64:
                return load_block(first, dtype_, step, count, reinterpret_cast<double*>(to));
            case Element::i64:
                return load_block(first, dtype_, step, count, reinterpret_cast<std::int64_t*>(to));
            case Element::truth:
                return load_truth(first, dtype_, step, count, reinterpret_cast<std::uint8_t*>(to));
        }
    }

    void put(const Block& block, const std::byte* states) const {
        constexpr std::int64_t kAtOnce = 128;
        struct alignas(16) Results {
            std::array<std::byte, kAtOnce * sizeof(double)> bytes;
        };
        std::array<Results, kMaxOutputs> results;
        std::array<void*, kMaxOutputs> first{};
        for (std::size_t o = 0; o < first.size(); ++o) first[o] = results[o].bytes.data();
        const auto& inner = layout_.kept.inner();
        for (std::int64_t done = 0; done < block.size; done += kAtOnce) {
            const std::int64_t now = std::min(kAtOnce, block.size - done);
            reducer_.finish(states + state_bytes(done), now, std::span(first.data(), outputs_.size()));
            for (std::size_t o = 0; o < outputs_.size(); ++o)
                store(reducer_.result(o), first[o], outputs_[o].dtype(), inner.out_step[o], now,
                      block.out[o] + done * inner.out_step[o]);
        }
    }

    static void store(Compute kind, const void* from, DType dtype, std::int64_t step, std::int64_t count,
                      std::byte* to) {
        switch (kind) {
            case Compute::f32:
                return store_block(static_cast<const float*>(from), dtype, step, count, to);
            case Compute::f64:
                return store_block(static_cast<const double*>(from), dtype, step, count, to);
            case Compute::i64:
                return store_block(static_cast<const std::int64_t*>(from), dtype, step, count, to);
        }
    }

    const Reducer& reducer_;
    std::span<Tensor> outputs_;
    Layout layout_;
    DType dtype_;
    const std::byte* data_;
    bool columns_;
    std::int64_t element_;
    bool in_place_ = false;
    std::int64_t count_ = 0;
    std::int64_t block_ = 1;
    std::int64_t blocks_ = 1;
};

template <class Bits>
void truth_of(const std::byte* first, Bits ignored, std::int64_t step, std::int64_t count, std::uint8_t* dst) {
    const auto each = [&](std::int64_t apart) {
        for (std::int64_t i = 0; i < count; ++i) {
            Bits bits;
            std::memcpy(&bits, first + i * apart, sizeof(Bits));
            dst[i] = (bits & static_cast<Bits>(~ignored)) != 0 ? 1 : 0;
        }
    };
    // A constant distance lets the compiler use vectors.
    if (step == static_cast<std::int64_t>(sizeof(Bits)))
        each(sizeof(Bits));
    else
        each(step);
}

}  // namespace

Result<void> reduce(const Tensor& input, const Axes& axes, Order order, const Reducer& reducer,
                    std::span<Tensor> outputs, const JobContext& context) {
    return Reduction(input, axes, order, reducer, outputs).run(context);
}

void load_truth(const std::byte* first, DType dtype, std::int64_t step, std::int64_t count, std::uint8_t* dst) {
    // The sign of a floating zero does not make it true.
    const bool sign = is_floating(dtype) || dtype == DType::f8_e4m3 || dtype == DType::f8_e5m2;
    switch (size_of(dtype)) {
        case 1:
            return truth_of<std::uint8_t>(first, sign ? 0x80U : 0U, step, count, dst);
        case 2:
            return truth_of<std::uint16_t>(first, sign ? 0x8000U : 0U, step, count, dst);
        case 4:
            return truth_of<std::uint32_t>(first, sign ? 0x80000000U : 0U, step, count, dst);
        default:
            return truth_of<std::uint64_t>(first, sign ? std::uint64_t{1} << 63U : 0U, step, count, dst);
    }
}

}  // namespace maskscope::ops
