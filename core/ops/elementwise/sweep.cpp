// SPDX-License-Identifier: Apache-2.0
#include "core/ops/elementwise/sweep.h"

#include "core/ops/elementwise/operands.h"
#include "core/ops/loops/iteration.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace maskscope::ops {
namespace {

constexpr int kMaxInputs = kMaxOperands - 1;

template <class T>
constexpr DType kNative = DType::f32;
template <>
constexpr DType kNative<double> = DType::f64;
template <>
constexpr DType kNative<std::int64_t> = DType::i64;
template <>
constexpr DType kNative<std::uint8_t> = DType::boolean;

// Where elements come from and what they are to become.
struct Source {
    DType dtype = DType::f32;
    bool cut = false;  // to the common dtype, which holds fewer values than the type of arithmetic
};

template <class T>
void load_cut(const std::byte* first, const Source& source, DType common, std::int64_t step, std::int64_t count,
              T* block) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        if (step == 1) {
            for (std::int64_t i = 0; i < count; ++i) block[i] = static_cast<std::uint8_t>(first[i] != std::byte{0});
            return;
        }
        for (std::int64_t i = 0; i < count; ++i) block[i] = static_cast<std::uint8_t>(first[i * step] != std::byte{0});
    } else {
        load_block(first, source.dtype, step, count, block);
        if (!source.cut) return;
        std::array<std::byte, kBlock * sizeof(std::int64_t)> cut;
        const auto size = static_cast<std::int64_t>(size_of(common));
        store_block(block, common, size, count, cut.data());
        load_block(cut.data(), common, size, count, block);
    }
}

template <class T, class Out>
class Blocks {
public:
    Blocks(Loop<T, Out> loop, std::span<const Source> sources, const Sweep& sweep, DType out)
        : loop_(loop), sources_(sources), sweep_(sweep), out_(out) {}

    void operator()(const ElementRun& run) const {
        std::array<std::array<T, kBlock>, kMaxInputs> loaded;
        std::array<Out, kBlock> result;
        std::array<const T*, kMaxInputs> in{};
        const std::size_t inputs = sources_.size();
        // An operand that repeats one element fills its block once.
        for (std::size_t k = 0; k < inputs; ++k) {
            if (run.step[k + 1] != 0) continue;
            load_cut(run.data[k + 1], sources_[k], sweep_.common, 0, 1, loaded[k].data());
            std::fill_n(loaded[k].data() + 1, std::min(run.count, kBlock) - 1, loaded[k][0]);
            in[k] = loaded[k].data();
        }
        const bool writes_straight = out_ == kNative<Out> && run.step[0] == static_cast<std::int64_t>(sizeof(Out));
        for (std::int64_t done = 0; done < run.count; done += kBlock) {
            const auto count = std::min(kBlock, run.count - done);
            for (std::size_t k = 0; k < inputs; ++k) {
                const auto step = run.step[k + 1];
                if (step == 0) continue;
                const auto* first = run.data[k + 1] + done * step;
                in[k] = loaded[k].data();
                if (reads_straight(sources_[k], step)) {
                    in[k] = reinterpret_cast<const T*>(first);
                } else {
                    load_cut(first, sources_[k], sweep_.common, step, count, loaded[k].data());
                }
            }
            auto* const out = run.data[0] + done * run.step[0];
            if (writes_straight) {
                loop_(reinterpret_cast<Out*>(out), in.data(), count, sweep_.context);
            } else {
                loop_(result.data(), in.data(), count, sweep_.context);
                store(result.data(), run.step[0], count, out);
            }
        }
    }

private:
    static bool reads_straight(const Source& source, std::int64_t step) {
        return source.dtype == kNative<T> && step == static_cast<std::int64_t>(sizeof(T)) && !source.cut;
    }

    void store(const Out* block, std::int64_t step, std::int64_t count, std::byte* out) const {
        if constexpr (std::is_same_v<Out, std::uint8_t>) {
            std::array<std::int64_t, kBlock> wide;
            std::copy_n(block, count, wide.data());
            store_block(wide.data(), out_, step, count, out);
        } else {
            store_block(block, out_, step, count, out);
        }
    }

    Loop<T, Out> loop_;
    std::span<const Source> sources_;
    const Sweep& sweep_;
    DType out_;
};

bool needs_cut(DType dtype, DType common) {
    if (dtype == common) return false;
    // The types of arithmetic themselves hold these whole.
    return common != DType::f32 && common != DType::f64 && common != DType::i64;
}

template <class AnyLoops>
Result<void> sweep_any(const AnyLoops& loops, const Sweep& sweep, Tensor& out, const JobContext& job) {
    std::array<Tensor, kMaxInputs> inputs;
    std::array<const Tensor*, kMaxOperands> operands{&out};
    std::array<Source, kMaxInputs> sources;
    const std::size_t count = sweep.operands.size();
    bool all_bools = loops.bools != nullptr && sweep.common == DType::boolean;
    for (std::size_t k = 0; k < count; ++k) {
        MS_TRY(tensor, tensor_of(sweep.operands[k]));
        inputs[k] = tensor;
        operands[k + 1] = &inputs[k];
        const bool exact = sweep.exact_other && k == 1 && inputs[k].numel() == 1 && is_floating(sweep.common);
        sources[k] = {inputs[k].dtype(), !exact && needs_cut(inputs[k].dtype(), sweep.common)};
        all_bools = all_bools && inputs[k].dtype() == DType::boolean;
    }
    const auto walk = [&](auto loop) {
        const Blocks blocks(loop, std::span<const Source>(sources.data(), count), sweep, out.dtype());
        for_each_run(std::span<const Tensor* const>(operands.data(), count + 1), [&](const ElementRun& run) {
            if (!job.cancelled()) blocks(run);
        });
    };
    const Compute compute = compute_of(sweep.common);
    if (all_bools) {
        walk(loops.bools);
    } else if (compute == Compute::f32) {
        walk(loops.f32);
    } else if (compute == Compute::f64) {
        walk(loops.f64);
    } else {
        walk(loops.i64);
    }
    if (job.cancelled()) return cancelled_error();
    return {};
}

}  // namespace

Result<void> sweep(const Loops& loops, const Sweep& sweep, Tensor& out, const JobContext& job) {
    return sweep_any(loops, sweep, out, job);
}

Result<void> sweep(const Tests& tests, const Sweep& sweep, Tensor& out, const JobContext& job) {
    return sweep_any(tests, sweep, out, job);
}

Result<bool> has_zero(const Value& operand, DType common) {
    MS_TRY(tensor, tensor_of(operand));
    const Source source{tensor.dtype(), needs_cut(tensor.dtype(), common)};
    const Tensor* const operands[] = {&tensor};
    std::atomic<bool> found = false;
    for_each_run(operands, [&](const ElementRun& run) {
        std::array<std::int64_t, kBlock> block;
        for (std::int64_t done = 0; done < run.count && !found; done += kBlock) {
            const auto count = std::min(kBlock, run.count - done);
            load_cut(run.data[0] + done * run.step[0], source, common, run.step[0], count, block.data());
            if (std::find(block.begin(), block.begin() + count, 0) != block.begin() + count) found = true;
        }
    });
    return found.load();
}

}  // namespace maskscope::ops
