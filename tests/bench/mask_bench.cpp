// SPDX-License-Identifier: Apache-2.0
// Editing a mask of 16,384 square: a move of the brush, a large fill, and undo and redo of it.
#include "core/mask/brush.h"
#include "core/mask/editable_mask.h"
#include "core/mask/mask_edit.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

namespace {

using namespace maskscope;
using namespace maskscope::mask;

constexpr std::int64_t kSide = 16384;

enum Content : std::int64_t { empty, labels };

// Labels in blobs, so that most tiles are of one value, as in masks that people paint.
const Tensor& label_tensor() {
    static const Tensor tensor = [] {
        Tensor out = *Tensor::zeros({kSide, kSide}, DType::u8);
        auto* cells = out.writable_as<std::uint8_t>();
        for (std::int64_t r = 0; r < kSide; ++r)
            for (std::int64_t c = 0; c < kSide; ++c)
                cells[r * kSide + c] = static_cast<std::uint8_t>(((r + c / 3) / 700 + (c - r / 5) / 900 * 7) % 23);
        return out;
    }();
    return tensor;
}

Plane plane_of(std::int64_t content) {
    return content == labels ? *Plane::of(label_tensor()) : Plane(kSide, kSide, DType::u8);
}

// The mouse goes around in a large circle, 25 pixels a move.
Position on_the_way(std::int64_t move) {
    const double turn = static_cast<double>(move) * 25 / 6000;
    return {8192 + 6000 * std::cos(turn), 8192 + 6000 * std::sin(turn)};
}

void brush_move(benchmark::State& state) {
    const Brush brush{BrushShape::round, static_cast<int>(state.range(0))};
    Plane plane = plane_of(state.range(1));
    std::optional<MaskEdit> edit(plane);
    std::int64_t move = 0;
    for (auto _ : state) {
        edit->paint(stroke(brush, on_the_way(move), on_the_way(move + 1)), {Cell{250}, false, {}});
        benchmark::DoNotOptimize(edit->take_dirty());
        if (++move % 200 == 0) {
            state.PauseTiming();
            edit.reset();
            edit.emplace(plane);
            state.ResumeTiming();
        }
    }
}
BENCHMARK(brush_move)
    ->ArgNames({"pixels", "labels"})
    ->ArgsProduct({{64, 1000, 4096}, {empty, labels}})
    ->Unit(benchmark::kMicrosecond);

// What the journal and the history add at the end of a stroke of 200 moves.
void brush_commit(benchmark::State& state) {
    const Brush brush{BrushShape::round, static_cast<int>(state.range(0))};
    Plane plane = plane_of(labels);
    for (auto _ : state) {
        state.PauseTiming();
        MaskEdit edit(plane);
        for (std::int64_t move = 0; move < 200; ++move)
            edit.paint(stroke(brush, on_the_way(move), on_the_way(move + 1)), {Cell{250}, false, {}});
        state.ResumeTiming();
        auto delta = edit.commit();
        state.PauseTiming();
        state.counters["step_bytes"] = static_cast<double>(delta.bytes());
        delta.undo(plane);
        state.ResumeTiming();
    }
}
BENCHMARK(brush_commit)->ArgNames({"pixels"})->Arg(64)->Arg(1000)->Unit(benchmark::kMillisecond);

const Rect kLarge{3001, 3001, 10000, 10000};

void fill_large(benchmark::State& state) {
    Plane plane = plane_of(state.range(0));
    const Region region = Region::of_rect(kLarge);
    for (auto _ : state) {
        MaskEdit edit(plane);
        edit.paint(region, {Cell{250}, false, {}});
        benchmark::DoNotOptimize(edit.take_dirty());
        state.PauseTiming();
        edit.restart();
        state.ResumeTiming();
    }
}
BENCHMARK(fill_large)->ArgNames({"labels"})->Arg(empty)->Arg(labels)->Unit(benchmark::kMillisecond);

void fill_and_commit_large(benchmark::State& state) {
    Plane plane = plane_of(state.range(0));
    const Region region = Region::of_rect(kLarge);
    for (auto _ : state) {
        MaskEdit edit(plane);
        edit.paint(region, {Cell{250}, false, {}});
        const auto delta = edit.commit();
        state.PauseTiming();
        delta.undo(plane);
        state.ResumeTiming();
    }
}
BENCHMARK(fill_and_commit_large)->ArgNames({"labels"})->Arg(empty)->Arg(labels)->Unit(benchmark::kMillisecond);

void undo_redo_large(benchmark::State& state) {
    Plane plane = plane_of(state.range(0));
    MaskEdit edit(plane);
    edit.paint(Region::of_rect(kLarge), {Cell{250}, false, {}});
    const auto delta = edit.commit();
    for (auto _ : state) {
        delta.undo(plane);
        delta.redo(plane);
    }
}
BENCHMARK(undo_redo_large)->ArgNames({"labels"})->Arg(empty)->Arg(labels)->Unit(benchmark::kMillisecond);

void plane_from_tensor(benchmark::State& state) {
    const Tensor& tensor = label_tensor();
    for (auto _ : state) benchmark::DoNotOptimize(Plane::of(tensor));
}
BENCHMARK(plane_from_tensor)->Unit(benchmark::kMillisecond);

void plane_to_tensor(benchmark::State& state) {
    const Plane plane = plane_of(labels);
    for (auto _ : state) benchmark::DoNotOptimize(plane.tensor());
}
BENCHMARK(plane_to_tensor)->Unit(benchmark::kMillisecond);

void plane_counts(benchmark::State& state) {
    const Plane plane = plane_of(labels);
    for (auto _ : state) benchmark::DoNotOptimize(plane.counts());
}
BENCHMARK(plane_counts)->Unit(benchmark::kMillisecond);

void plane_snapshot(benchmark::State& state) {
    const Plane plane = plane_of(labels);
    for (auto _ : state) {
        Plane copy = plane;
        benchmark::DoNotOptimize(copy);
    }
}
BENCHMARK(plane_snapshot)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
