// SPDX-License-Identifier: Apache-2.0
#include "app/cli/machine_limit.h"

#include "core/jobs/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "app/cli/machine_limit.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace maskscope::cli::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// All bytes counts are whole blocks of kBlock, all addresses are aligned.

std::uint64_t ReadAll(const std::uint8_t* from, std::int64_t bytes) {
    const hn::ScalableTag<std::uint8_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto a = hn::Zero(d);
    auto b = a;
    auto c = a;
    auto e = a;
    for (std::int64_t i = 0; i + 4 * lanes <= bytes; i += 4 * lanes) {
        a = hn::Or(a, hn::Load(d, from + i));
        b = hn::Or(b, hn::Load(d, from + i + lanes));
        c = hn::Or(c, hn::Load(d, from + i + 2 * lanes));
        e = hn::Or(e, hn::Load(d, from + i + 3 * lanes));
    }
    return hn::GetLane(hn::Or(hn::Or(a, b), hn::Or(c, e)));
}

// Past the caches when they would only be flushed again.
void WriteAll(const std::uint8_t* from, std::uint8_t* to, std::int64_t bytes, bool past_caches) {
    const hn::ScalableTag<std::uint8_t> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const auto zero = hn::Zero(d);
    if (past_caches) {
        for (std::int64_t i = 0; i < bytes; i += lanes)
            hn::Stream(from != nullptr ? hn::Load(d, from + i) : zero, d, to + i);
    } else {
        for (std::int64_t i = 0; i < bytes; i += lanes)
            hn::Store(from != nullptr ? hn::Load(d, from + i) : zero, d, to + i);
    }
}

// As many chains as two units with a latency of four need, and half as many again. Gives the flops done.
double MultiplyAdd(std::int64_t rounds, float* sink) {
    const hn::ScalableTag<float> d;
    const auto factor = hn::Set(d, *sink);
    const auto term = hn::Set(d, 1.0F);
    auto a = term, b = term, c = term, e = term, f = term, g = term, h = term, i = term, j = term, k = term, l = term,
         m = term;
    for (std::int64_t round = 0; round < rounds; ++round) {
        a = hn::MulAdd(a, factor, term);
        b = hn::MulAdd(b, factor, term);
        c = hn::MulAdd(c, factor, term);
        e = hn::MulAdd(e, factor, term);
        f = hn::MulAdd(f, factor, term);
        g = hn::MulAdd(g, factor, term);
        h = hn::MulAdd(h, factor, term);
        i = hn::MulAdd(i, factor, term);
        j = hn::MulAdd(j, factor, term);
        k = hn::MulAdd(k, factor, term);
        l = hn::MulAdd(l, factor, term);
        m = hn::MulAdd(m, factor, term);
    }
    const auto first = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
    *sink = hn::GetLane(hn::Add(first, hn::Add(hn::Add(j, k), hn::Add(l, m))));
    return 2.0 * 12.0 * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

}  // namespace maskscope::cli::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maskscope::cli {
namespace {

HWY_EXPORT(ReadAll);
HWY_EXPORT(WriteAll);
HWY_EXPORT(MultiplyAdd);

constexpr std::int64_t kBlock = 256;                     // bytes; four of the widest vectors
constexpr std::int64_t kChunk = std::int64_t{1} << 18U;  // bytes
// A result that fits the second-level cache is read again from there.
constexpr double kCacheBytes = 1 << 20;
constexpr std::int64_t kRounds = 200'000;

std::int64_t whole_blocks(double bytes) {
    return (static_cast<std::int64_t>(bytes) + kBlock - 1) / kBlock * kBlock;
}

// The part of `bytes` that chunk i of n does.
std::int64_t part(std::int64_t bytes, std::int64_t i, std::int64_t n) {
    return bytes / kBlock * i / n * kBlock;
}

template <class Body>
double timed(Body body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double memory_pass(const Tensor& from, Tensor& to) {
    const auto read = static_cast<std::int64_t>(from.byte_size());
    const auto write = static_cast<std::int64_t>(to.byte_size());
    const auto* source = from.data_as<std::uint8_t>();
    auto* target = to.writable_as<std::uint8_t>();
    const std::int64_t chunks = std::max<std::int64_t>(1, std::max(read, write) / kChunk);
    const bool past_caches = static_cast<double>(write) > kCacheBytes;
    std::atomic<std::uint64_t> seen{0};
    return timed([&] {
        parallel_for(Lane::ui, chunks, 1, [&](const Chunk& chunk) {
            for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
                const std::int64_t read_begin = part(read, i, chunks);
                const std::int64_t read_end = part(read, i + 1, chunks);
                const std::int64_t write_begin = part(write, i, chunks);
                const std::int64_t write_end = part(write, i + 1, chunks);
                // What is written is a copy as far as there is something to copy.
                const std::int64_t copied = std::min(read_end - read_begin, write_end - write_begin);
                if (copied > 0)
                    HWY_DYNAMIC_DISPATCH(WriteAll)(source + read_begin, target + write_begin, copied, past_caches);
                if (write_begin + copied < write_end) HWY_DYNAMIC_DISPATCH(WriteAll)
                (nullptr, target + write_begin + copied, write_end - write_begin - copied, past_caches);
                if (read_begin + copied < read_end)
                    seen |= HWY_DYNAMIC_DISPATCH(ReadAll)(source + read_begin + copied, read_end - read_begin - copied);
            }
        });
    });
}

double multiply_add_rate() {
    const std::int64_t chunks = 4 * thread_count();
    std::atomic<std::int64_t> flops{0};
    const double seconds = timed([&] {
        parallel_for(Lane::ui, chunks, 1, [&](const Chunk&) {
            float sink = 0.5F;
            flops += static_cast<std::int64_t>(HWY_DYNAMIC_DISPATCH(MultiplyAdd)(kRounds, &sink));
        });
    });
    return static_cast<double>(flops.load()) / seconds;
}

}  // namespace

Result<MachineLimit> MachineLimit::make(const Load& load) {
    MachineLimit out;
    out.load_ = load;
    if (load.flops > 0) return out;
    // Zeroed, so that each page is there before the clock runs.
    MS_TRY(from, Tensor::zeros({whole_blocks(load.read_bytes)}, DType::u8));
    MS_TRY(to, Tensor::zeros({whole_blocks(load.write_bytes)}, DType::u8));
    for (Tensor* tensor : {&from, &to})
        std::fill_n(tensor->writable_as<std::uint8_t>(), tensor->byte_size(), std::uint8_t{1});
    out.from_ = std::move(from);
    out.to_ = std::move(to);
    return out;
}

double MachineLimit::seconds() {
    return load_.flops > 0 ? load_.flops / multiply_add_rate() : memory_pass(from_, to_);
}

std::string_view MachineLimit::name() const {
    if (load_.flops > 0) return "fma";
    if (load_.write_bytes == 0) return "read";
    return load_.read_bytes == 0 ? "fill" : "copy";
}

}  // namespace maskscope::cli
#endif
