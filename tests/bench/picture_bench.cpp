// SPDX-License-Identifier: Apache-2.0
// Pictures of square f32 planes, 1600 x 900 device pixels, against the time of reading the plane once.
//   picture_bench --benchmark_filter=/16384        MS_THREADS=1 for one thread
// Each size is measured by all benchmarks on the same plane; the planes hold values in [0, 1), every tenth row a zero.
#include "core/render/pool/colour.h"
#include "core/render/pool/heatmap_data.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace maskscope;
using namespace maskscope::render;

namespace {

constexpr int kWidth = 1600;
constexpr int kHeight = 900;

Tensor make_plane(std::int64_t side) {
    set_memory_budget(std::size_t{1} << 40);
    auto tensor = *Tensor::zeros(Shape{side, side}, DType::f32);
    float* cells = tensor.writable_as<float>();
    parallel_for(Lane::ui, side, 64, [&](const Chunk& chunk) {
        std::uint32_t seed = static_cast<std::uint32_t>(chunk.index) * 2654435761U + 1U;
        for (std::int64_t i = chunk.begin * side; i < chunk.end * side; ++i) {
            seed = seed * 1664525U + 1013904223U;
            cells[i] = static_cast<float>(seed >> 8U) * 0x1p-24F;
        }
    });
    return tensor;
}

// The plane of the last size asked for, and the same once prepared.
const Tensor& plane_of(std::int64_t side) {
    static Tensor plane;
    if (!plane.defined() || plane.size(0) != side) {
        plane = Tensor();
        plane = make_plane(side);
    }
    return plane;
}

const HeatmapData& prepared_of(std::int64_t side) {
    static std::int64_t size = 0;
    static std::unique_ptr<HeatmapData> data;
    if (size != side) {
        data.reset();
        data = std::make_unique<HeatmapData>(Plane{plane_of(side), {}}, std::nullopt);
        if (!data->prepare(JobContext()).ok()) std::abort();
        size = side;
    }
    return *data;
}

Viewport whole(std::int64_t side) {
    Viewport viewport{0, 0, fitting_pitch(side, side, kWidth, kHeight), kWidth, kHeight};
    return viewport;
}

Look look_of(double lo, double hi) {
    Look look;
    look.scale = make_scale(ScaleKind::linear, lo, hi, false, 1e-6);
    return look;
}

// The floor: every cell read once, by the threads that prepare() has.
void read_pass(benchmark::State& state) {
    const Tensor& plane = plane_of(state.range(0));
    const auto* words = reinterpret_cast<const std::uint64_t*>(plane.data());
    const auto count = static_cast<std::int64_t>(plane.byte_size() / 8);
    for (auto _ : state) {
        std::atomic<std::uint64_t> all{0};
        parallel_for(Lane::background, count, std::int64_t{1} << 19, [&](const Chunk& chunk) {
            std::uint64_t sum = 0;
            for (std::int64_t i = chunk.begin; i < chunk.end; ++i) sum |= words[i];
            all |= sum;
        });
        benchmark::DoNotOptimize(all.load());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(plane.byte_size()));
}

void prepare(benchmark::State& state) {
    const Tensor& plane = plane_of(state.range(0));
    double extra = 0;
    for (auto _ : state) {
        HeatmapData data(Plane{plane, {}}, std::nullopt);
        if (!data.prepare(JobContext()).ok()) state.SkipWithError("not prepared");
        extra = static_cast<double>(data.extra_bytes());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(plane.byte_size()));
    state.counters["extra_share"] = extra / static_cast<double>(plane.byte_size());
}

void first_picture(benchmark::State& state) {
    const Tensor& plane = plane_of(state.range(0));
    std::vector<Rgb> pixels(kWidth * kHeight);
    for (auto _ : state) {
        const HeatmapData data(Plane{plane, {}}, std::nullopt);
        const Pooled pooled = data.pool(whole(state.range(0)), PoolRule::largest);
        colour(pooled, look_of(0, 1), pixels, kWidth);
        benchmark::DoNotOptimize(pixels.data());
    }
}

// Panning by 7 pixels over pixels that were seen before, one cell a pixel and three.
void pan(benchmark::State& state) {
    const HeatmapData& data = prepared_of(state.range(0));
    std::vector<Rgb> pixels(kWidth * kHeight);
    const double pitch = state.range(1) == 1 ? 1.0 : 1 / 3.3;
    Pooled pooled;
    int step = 0;
    const auto frame = [&] {
        step = (step + 1) % 16;
        data.pool_into({100 + 7 * step / pitch, 100, pitch, kWidth, kHeight}, PoolRule::largest, pooled);
        colour(pooled, look_of(0, 1), pixels, kWidth);
        benchmark::DoNotOptimize(pixels.data());
    };
    for (int i = 0; i < 16; ++i) frame();
    for (auto _ : state) frame();
}

void range_change(benchmark::State& state) {
    const HeatmapData& data = prepared_of(state.range(0));
    std::vector<Rgb> pixels(kWidth * kHeight);
    Pooled pooled;
    double lo = 0;
    for (auto _ : state) {
        lo = lo > 0.5 ? 0 : lo + 0.001;
        data.pool_into(whole(state.range(0)), PoolRule::largest, pooled);
        colour(pooled, look_of(lo, 1), pixels, kWidth);
        benchmark::DoNotOptimize(pixels.data());
    }
}

// A frame at a pitch that was never seen, at `range(1)` hundredths of a cell a pixel.
void zoom(benchmark::State& state) {
    const HeatmapData& data = prepared_of(state.range(0));
    std::vector<Rgb> pixels(kWidth * kHeight);
    Pooled pooled;
    double cells = static_cast<double>(state.range(1)) / 100;
    for (auto _ : state) {
        cells *= 0.99999;
        data.pool_into({0, 0, 1 / cells, kWidth, kHeight}, PoolRule::largest, pooled);
        colour(pooled, look_of(0, 1), pixels, kWidth);
        benchmark::DoNotOptimize(pixels.data());
    }
}

// The same under a causal keep mask that is stored in full.
const HeatmapData& causal_of(std::int64_t side) {
    static std::int64_t size = 0;
    static std::unique_ptr<HeatmapData> data;
    if (size != side) {
        data.reset();
        auto keep = *Tensor::zeros(Shape{side, side}, DType::boolean);
        for (std::int64_t row = 0; row < side; ++row) {
            std::fill_n(keep.writable_as<std::uint8_t>() + row * side, row + 1, std::uint8_t{1});
        }
        data = std::make_unique<HeatmapData>(Plane{plane_of(side), {}}, MaskPlane{keep, MaskConvention::keep});
        if (!data->prepare(JobContext()).ok()) std::abort();
        size = side;
    }
    return *data;
}

void zoom_causal(benchmark::State& state) {
    const HeatmapData& data = causal_of(state.range(0));
    std::vector<Rgb> pixels(kWidth * kHeight);
    Pooled pooled;
    double cells = static_cast<double>(state.range(1)) / 100;
    for (auto _ : state) {
        cells *= 0.99999;
        data.pool_into({0, 0, 1 / cells, kWidth, kHeight}, PoolRule::largest, pooled);
        if (!pooled.exact) state.SkipWithError("not exact");
        colour(pooled, look_of(0, 1), pixels, kWidth);
        benchmark::DoNotOptimize(pixels.data());
    }
}

const std::vector<std::int64_t> kSides = {1024, 4096, 16384, 32768};

}  // namespace

int main(int argc, char** argv) {
    if (const char* threads = std::getenv("MS_THREADS")) set_thread_count(std::atoi(threads));
    // Sizes outermost, so that each plane is made once.
    for (const std::int64_t side : kSides) {
        const auto add = [&](const char* name, auto function) {
            return benchmark::RegisterBenchmark(name, function)->Unit(benchmark::kMillisecond)->UseRealTime();
        };
        add("read_pass", read_pass)->Arg(side)->MeasureProcessCPUTime();
        add("prepare", prepare)->Arg(side)->MeasureProcessCPUTime();
        add("first_picture", first_picture)->Arg(side);
        for (const std::int64_t cells : {1, 3}) add("pan", pan)->Args({side, cells});
        add("range_change", range_change)->Arg(side);
        for (const std::int64_t cells : {120, 200, 330, 500, 790, 1200, 2000, 3100, 3700}) {
            if (cells * kHeight <= side * 120) add("zoom", zoom)->Args({side, cells});
            if (side == 16384 && cells * kHeight <= side * 120) add("zoom_causal", zoom_causal)->Args({side, cells});
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
