// SPDX-License-Identifier: Apache-2.0
// Numbers from start to end by a step.
#include "core/jobs/parallel.h"
#include "core/ops/create/factory.h"
#include "core/ops/dispatch/number.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/loops/blocks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope::ops {
using namespace create;
namespace {

constexpr std::int64_t kGrain = 32 * kBlock;

std::uint64_t bits(std::int64_t value) {
    return static_cast<std::uint64_t>(value);
}

Result<std::int64_t> count_of(const Args& args) {
    const double start = args.number(0);
    const double end = args.number(1);
    const double step = args.number(2);
    if (step == 0) return runtime_error("step must be nonzero");
    if (!std::isfinite(start) || !std::isfinite(end))
        return runtime_error("unsupported range: {} -> {}", short_number(start), short_number(end));
    if (!std::isfinite(step)) return runtime_error("step must be finite but got {}", short_number(step));
    if (step > 0 ? end < start : end > start)
        return runtime_error("upper bound and lower bound inconsistent with step sign");
    const auto overflow = [] { return runtime_error("invalid size, possible overflow?"); };
    if (args[0].is_int() && args[1].is_int() && args[2].is_int()) {
        // 64 bits that wrap, as PyTorch counts.
        const std::int64_t by = args.integer(2);
        const std::uint64_t reach = bits(args.integer(1)) - bits(args.integer(0)) + bits(by) - bits(by > 0 ? 1 : -1);
        // The one quotient that does not fit.
        if (by == -1)
            return static_cast<std::int64_t>(0 - reach) < 0 ? Result<std::int64_t>(overflow())
                                                            : static_cast<std::int64_t>(0 - reach);
        const std::int64_t count = static_cast<std::int64_t>(reach) / by;
        if (count < 0) return overflow();
        return count;
    }
    const double count = std::ceil((end - start) / step);
    if (!(count < 9223372036854775807.0)) return overflow();
    return static_cast<std::int64_t>(count);
}

// (Scalar start, Scalar end, Scalar step, ScalarType dtype)
Result<Outputs> range_shape(const Args& args) {
    const DType dtype = *args.dtype(3);
    if (dtype == DType::boolean) return not_implemented_for("arange_cpu", dtype);
    MS_TRY(count, count_of(args));
    MS_TRY(shape, new_shape(std::array{count}));
    // Narrow integers are counted in 64 bits and wrap, floats in the next wider type.
    const DType carrier = !is_floating(dtype) ? DType::i64 : size_of(dtype) < 4 ? DType::f32 : DType::f64;
    for (int i = 0; i < 3; ++i) MS_CHECK(refuse_overflow(args[i], carrier));
    return Outputs{{shape, dtype, std::nullopt}};
}

std::int64_t whole(const Value& number) {
    return number.is_int() ? number.to_int() : static_cast<std::int64_t>(number.to_double());
}

void count_up(const Args& args, Tensor& out) {
    const std::uint64_t start = bits(whole(args[0]));
    const std::uint64_t step = bits(whole(args[2]));
    const auto size = static_cast<std::int64_t>(size_of(out.dtype()));
    std::byte* data = out.writable_data();
    parallel_for(Lane::ui, out.numel(), kGrain, [&](const Chunk& chunk) {
        std::array<std::int64_t, kBlock> block;
        for (std::int64_t begin = chunk.begin; begin < chunk.end; begin += kBlock) {
            const auto count = std::min(kBlock, chunk.end - begin);
            for (std::int64_t i = 0; i < count; ++i)
                block[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(start + step * bits(begin + i));
            store_block(block.data(), out.dtype(), size, count, data + begin * size);
        }
    });
}

// PyTorch fills vectors of 32 bytes: the first element of each is rounded to the dtype and the others count on from it.
// What is left over after pairs of vectors is computed one by one. Number: what it computes in.
template <class Number>
void step_up(const Args& args, Tensor& out) {
    const auto start = static_cast<Number>(args.number(0));
    const auto step = static_cast<Number>(args.number(2));
    const DType dtype = out.dtype();
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    const std::int64_t lanes = 32 / size;
    const std::int64_t in_vectors = out.numel() - out.numel() % (2 * lanes);
    std::byte* data = out.writable_data();
    parallel_for(Lane::ui, out.numel(), kGrain, [&](const Chunk& chunk) {
        std::array<Number, kBlock> block;
        for (std::int64_t begin = chunk.begin; begin < chunk.end; begin += kBlock) {
            const auto count = std::min(kBlock, chunk.end - begin);
            for (std::int64_t i = 0; i < count; i += lanes) {
                const std::int64_t at = begin + i;
                const bool in_vector = at < in_vectors;
                Number first = std::fma(step, static_cast<Number>(at), start);
                if (in_vector) {
                    Element rounded{};
                    store_block(&first, dtype, size, 1, rounded.data());
                    load_block(rounded.data(), dtype, size, 1, &first);
                }
                for (std::int64_t lane = 0; lane < std::min(lanes, count - i); ++lane)
                    block[static_cast<std::size_t>(i + lane)] =
                        in_vector ? std::fma(step, static_cast<Number>(lane), first)
                                  : std::fma(step, static_cast<Number>(at + lane), start);
            }
            store_block(block.data(), dtype, size, count, data + begin * size);
        }
    });
}

Result<void> fill_range(const Args& args, std::span<Tensor> outputs, Run& /*run*/) {
    Tensor& out = outputs[0];
    if (!is_floating(out.dtype())) {
        count_up(args, out);
    } else if (size_of(out.dtype()) >= 4) {
        step_up<double>(args, out);
    } else {
        step_up<float>(args, out);
    }
    return {};
}

Result<Value> range(const Args& args, const Value& start, const Value& end, const Value& step, int first, Run& run) {
    const bool whole_numbers = start.is_int() && end.is_int() && step.is_int();
    MS_TRY(factory, factory_of(args, first, whole_numbers ? DType::i64 : run.default_dtype, run));
    MS_TRY(made, make_by(run, "arange", {start, end, step, factory.dtype}));
    return finished(std::move(made), factory);
}

Result<Value> to_end(const Args& args, Run& run) {
    return range(args, 0, args[0], 1, 2, run);
}

Result<Value> from_start(const Args& args, Run& run) {
    return range(args, args[0], args[1], 1, 2, run);
}

Result<Value> by_step(const Args& args, Run& run) {
    return range(args, args[0], args[1], args[2], 4, run);
}

}  // namespace

void add_arange(OpTable& table) {
    table.add(
        {"arange",
         "Numbers from start up to end, end left out, by a step. Whole numbers give int64, a float among the "
         "arguments gives float32; with a float step, rounding decides whether the last one is there.",
         {computed("(Scalar start, Scalar end, Scalar step, ScalarType dtype)", kInternal, range_shape, fill_range),
          composed("(Scalar end, *, " MS_OUT_KEYWORDS ")", kFunction, to_end),
          composed("(Scalar start, Scalar end, *, " MS_FACTORY_KEYWORDS ")", kFunction, from_start),
          composed("(Scalar start, Scalar end, Scalar step=1, *, " MS_OUT_KEYWORDS ")", kFunction, by_step)},
         {"torch.arange(5)", "torch.arange(2, 5)", "torch.arange(0, 1, 0.25)", "torch.arange(5, 0, -2)"}});
}

}  // namespace maskscope::ops
