// SPDX-License-Identifier: Apache-2.0
// Opening a 1 GiB npy, and touching all of it, beside a bare read pass over the same mapped pages in the same run.
// The file is made in TMPDIR and removed again.
#include "core/io/format.h"
#include "core/jobs/parallel.h"
#include "core/tensor/stats.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace maskscope;

constexpr std::int64_t kSide = 16384;

// Made once, kept until the program ends.
class LargeFile {
public:
    LargeFile() {
        path_ = (std::filesystem::temp_directory_path() / "maskscope-bench.npy").string();
        auto cells = Tensor::zeros({kSide, kSide}, DType::f32);
        if (!cells) return;
        float* data = cells->writable_as<float>();
        parallel_for(Lane::ui, kSide * kSide, 1 << 20, [&](const Chunk& chunk) {
            for (auto i = chunk.begin; i < chunk.end; ++i) data[i] = static_cast<float>(i % 1021) * 0x1p-10F;
        });
        ready_ = io::save_file(path_, std::vector<io::NamedTensor>{{"", *cells}}).ok();
    }
    ~LargeFile() { std::filesystem::remove(path_); }
    LargeFile(const LargeFile&) = delete;
    LargeFile& operator=(const LargeFile&) = delete;
    const std::string& path() const { return path_; }
    bool ready() const { return ready_; }

private:
    std::string path_;
    bool ready_ = false;
};

const LargeFile& large_file() {
    static const LargeFile file;
    return file;
}

void npy_open(benchmark::State& state) {
    if (!large_file().ready()) return state.SkipWithError("no room for a 1 GiB file");
    for (auto _ : state) benchmark::DoNotOptimize(io::open_file(large_file().path()));
}

void read_pass(benchmark::State& state) {
    if (!large_file().ready()) return state.SkipWithError("no room for a 1 GiB file");
    for (auto _ : state) {
        const auto contents = io::open_file(large_file().path());
        const auto* words = reinterpret_cast<const std::uint64_t*>(contents->items[0].tensor.data());
        const std::int64_t count = kSide * kSide / 2;
        std::vector<std::uint64_t> sums(static_cast<std::size_t>(chunk_count(count, 1 << 16)));
        parallel_for(Lane::ui, count, 1 << 16, [&](const Chunk& chunk) {
            std::uint64_t sum = 0;
            for (auto i = chunk.begin; i < chunk.end; ++i) sum += words[i];
            sums[static_cast<std::size_t>(chunk.index)] = sum;
        });
        benchmark::DoNotOptimize(sums.data());
    }
    state.SetBytesProcessed(state.iterations() * kSide * kSide * 4);
}

void npy_statistics(benchmark::State& state) {
    if (!large_file().ready()) return state.SkipWithError("no room for a 1 GiB file");
    for (auto _ : state) {
        const auto contents = io::open_file(large_file().path());
        benchmark::DoNotOptimize(compute_stats(contents->items[0].tensor, JobContext{}));
    }
    state.SetBytesProcessed(state.iterations() * kSide * kSide * 4);
}

BENCHMARK(npy_open)->Name("file/open")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_pass)->Name("file/read_pass")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(npy_statistics)->Name("file/statistics")->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
