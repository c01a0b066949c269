// SPDX-License-Identifier: Apache-2.0
#include "core/ops/loops/copy.h"

#include "core/jobs/parallel.h"
#include "core/ops/loops/blocks.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace maskscope::ops {
namespace {

constexpr std::int64_t kCopyGrain = std::int64_t{1} << 20U;  // bytes

template <class T>
void move_run(const ElementRun& run) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    const auto [to_step, from_step] = std::array{run.step[0], run.step[1]};
    if (to_step == kSize && from_step == kSize) {
        std::memcpy(run.data[0], run.data[1], static_cast<std::size_t>(run.count) * sizeof(T));
        return;
    }
    if (from_step == 0) {
        T value;
        std::memcpy(&value, run.data[1], sizeof(T));
        for (std::int64_t i = 0; i < run.count; ++i) std::memcpy(run.data[0] + i * to_step, &value, sizeof(T));
        return;
    }
    for (std::int64_t i = 0; i < run.count; ++i)
        std::memcpy(run.data[0] + i * to_step, run.data[1] + i * from_step, sizeof(T));
}

template <class T>
void convert_run(const ElementRun& run, DType from, DType to) {
    std::array<T, kBlock> block;
    for (std::int64_t done = 0; done < run.count; done += kBlock) {
        const auto count = std::min(kBlock, run.count - done);
        load_block(run.data[1] + done * run.step[1], from, run.step[1], count, block.data());
        store_block(block.data(), to, run.step[0], count, run.data[0] + done * run.step[0]);
    }
}

// The narrowest type of arithmetic that holds every value of the source: one rounding only, at the end.
Compute carrier_of(DType from, DType to) {
    if (from == DType::u64 && is_floating(to)) return Compute::f64;
    return compute_of(from);
}

bool same_view(const Tensor& a, const Tensor& b) {
    return a.storage() == b.storage() && a.offset() == b.offset() && a.dtype() == b.dtype() && a.shape() == b.shape() &&
           a.strides() == b.strides();
}

// The elements fill the bytes from the first to the last one, each place once.
bool is_dense(const Tensor& tensor) {
    const auto count = tensor.numel();
    std::int64_t reach = 1;
    for (int d = 0; d < tensor.rank(); ++d) {
        if (tensor.strides()[d] < 0 || (tensor.strides()[d] == 0 && tensor.size(d) > 1)) return false;
        reach += (tensor.size(d) - 1) * tensor.strides()[d];
    }
    return reach == count;
}

}  // namespace

void copy_elements(const Tensor& from, Tensor& to) {
    if (to.numel() == 0 || same_view(from, to)) return;
    const auto size = static_cast<std::int64_t>(size_of(to.dtype()));
    if (from.dtype() == to.dtype() && from.shape() == to.shape() && from.is_contiguous() && to.is_contiguous()) {
        auto* target = to.writable_data();
        const auto* source = from.data();
        parallel_for(Lane::ui, to.numel() * size, kCopyGrain, [&](const Chunk& chunk) {
            std::memcpy(target + chunk.begin, source + chunk.begin, static_cast<std::size_t>(chunk.end - chunk.begin));
        });
        return;
    }
    const Tensor* const operands[] = {&to, &from};
    if (from.dtype() == to.dtype()) {
        for_each_run(operands, [&](const ElementRun& run) {
            switch (size) {
                case 1:
                    return move_run<std::uint8_t>(run);
                case 2:
                    return move_run<std::uint16_t>(run);
                case 4:
                    return move_run<std::uint32_t>(run);
                default:
                    return move_run<std::uint64_t>(run);
            }
        });
        return;
    }
    const Compute carrier = carrier_of(from.dtype(), to.dtype());
    for_each_run(operands, [&](const ElementRun& run) {
        switch (carrier) {
            case Compute::f32:
                return convert_run<float>(run, from.dtype(), to.dtype());
            case Compute::f64:
                return convert_run<double>(run, from.dtype(), to.dtype());
            case Compute::i64:
                return convert_run<std::int64_t>(run, from.dtype(), to.dtype());
        }
    });
}

void fill_elements(Tensor& to, const std::byte* element) {
    const Tensor* const operands[] = {&to};
    const std::size_t size = size_of(to.dtype());
    const auto fill = [&]<class T>(T value) {
        std::memcpy(&value, element, sizeof(T));
        for_each_run(operands, [&](const ElementRun& run) {
            if (run.step[0] == static_cast<std::int64_t>(sizeof(T))) {
                std::fill_n(reinterpret_cast<T*>(run.data[0]), run.count, value);
                return;
            }
            for (std::int64_t i = 0; i < run.count; ++i) std::memcpy(run.data[0] + i * run.step[0], &value, sizeof(T));
        });
    };
    switch (size) {
        case 1:
            return fill(std::uint8_t{});
        case 2:
            return fill(std::uint16_t{});
        case 4:
            return fill(std::uint32_t{});
        default:
            return fill(std::uint64_t{});
    }
}

Overlap overlap_of(const Tensor& a, const Tensor& b) {
    if (same_view(a, b)) return Overlap::full;
    if (a.storage() != b.storage() || a.numel() == 0 || b.numel() == 0) return Overlap::none;
    // With gaps it is too hard to tell, and PyTorch lets it pass.
    if (!is_dense(a) || !is_dense(b)) return Overlap::none;
    const auto begin = [](const Tensor& t) { return t.offset() * static_cast<std::int64_t>(size_of(t.dtype())); };
    const auto end = [&](const Tensor& t) { return begin(t) + static_cast<std::int64_t>(t.byte_size()); };
    if (begin(a) == begin(b) && end(a) == end(b)) return a.strides() == b.strides() ? Overlap::full : Overlap::partial;
    return begin(a) < end(b) && begin(b) < end(a) ? Overlap::partial : Overlap::none;
}

bool has_internal_overlap(const Tensor& tensor) {
    if (tensor.numel() == 0) return false;
    for (int d = 0; d < tensor.rank(); ++d)
        if (tensor.strides()[d] == 0 && tensor.size(d) > 1) return true;
    return false;
}

}  // namespace maskscope::ops
