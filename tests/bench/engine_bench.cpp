// SPDX-License-Identifier: Apache-2.0
// The rows of `maskscope-cli bench` under Google Benchmark: engine/NAME, and beside each limit/NAME, the least time
// that the machine needs for its bytes or flops.      MS_THREADS=1 for one thread
#include "app/cli/engine_rows.h"
#include "core/jobs/parallel.h"

#include <benchmark/benchmark.h>

#include <cstdlib>

using namespace maskscope;
using cli::EngineRow;
using cli::MachineLimit;
using cli::RowRunner;

namespace {

void engine(benchmark::State& state, const EngineRow& row) {
    auto runner = RowRunner::make(row, {});
    if (!runner) return state.SkipWithError(runner.error().text().c_str());
    for (auto _ : state) {
        const auto seconds = runner->seconds();
        if (!seconds) return state.SkipWithError(seconds.error().text().c_str());
        state.SetIterationTime(*seconds);
    }
}

void limit(benchmark::State& state, const EngineRow& row) {
    auto measured = MachineLimit::make(row.load);
    if (!measured) return state.SkipWithError(measured.error().text().c_str());
    for (auto _ : state) state.SetIterationTime(measured->seconds());
}

}  // namespace

int main(int argc, char** argv) {
    if (const char* threads = std::getenv("MS_THREADS")) set_thread_count(std::atoi(threads));
    for (const auto& row : cli::engine_rows()) {
        const auto add = [&](const char* group, auto body) {
            benchmark::RegisterBenchmark((group + row.name).c_str(),
                                         [&row, body](benchmark::State& state) { body(state, row); })
                ->Unit(benchmark::kMillisecond)
                ->UseManualTime()
                ->MinTime(0.2);
        };
        add("limit/", limit);
        add("engine/", engine);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
