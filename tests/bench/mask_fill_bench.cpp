// SPDX-License-Identifier: Apache-2.0
// Bucket fill and morphology on a mask of 10,000 x 10,000 cells, the wand on a picture of 4,096 x 4,096 pixels, beside
// OpenCV on the same.
#include "core/mask/fill.h"
#include "core/mask/morphology.h"

#include <benchmark/benchmark.h>

#include <opencv2/imgproc.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>

using namespace maskscope;
using namespace maskscope::mask;

namespace {

constexpr int kSide = 10'000;

// Cells of 0 and 1 whose seed (0, 0) is 0.
struct Cells {
    cv::Mat mat = cv::Mat::zeros(kSide, kSide, CV_8UC1);

    Plane plane() const {
        auto tensor = *Tensor::uninitialised({kSide, kSide}, DType::u8);
        std::memcpy(tensor.writable_data(), mat.data, tensor.byte_size());
        return *Plane::of(tensor);
    }
};

const Cells& cells_of(const std::string& kind) {
    static std::map<std::string, Cells> made;
    if (const auto found = made.find(kind); found != made.end()) return found->second;
    Cells out;
    std::mt19937 random(5);
    for (int r = 0; r < kSide; ++r) {
        auto* row = out.mat.ptr<std::uint8_t>(r);
        for (int c = 0; c < kSide; ++c) {
            if (kind == "chequered") row[c] = static_cast<std::uint8_t>((r + c) % 2);
            if (kind == "random") row[c] = static_cast<std::uint8_t>(random() % 2);
            if (kind == "noise") row[c] = static_cast<std::uint8_t>(random() % 10 < 3);
            if (kind == "specks") row[c] = static_cast<std::uint8_t>(random() % 200 == 0);  // no tile is uniform
            if (kind == "corridor")
                row[c] = static_cast<std::uint8_t>(r % 2 == 1 && c != (r / 2 % 2 == 0 ? kSide - 1 : 0));
        }
    }
    if (kind == "discs")
        for (int i = 0; i < 300; ++i)
            cv::circle(out.mat, {static_cast<int>(random() % kSide), static_cast<int>(random() % kSide)}, 150, 1, -1);
    // The seed's surroundings, so that noise joins it to what it fills.
    cv::rectangle(out.mat, {0, 0}, kind == "chequered" || kind == "corridor" ? cv::Point(0, 0) : cv::Point(40, 40), 0,
                  -1);
    return made.emplace(kind, out).first->second;
}

void fill_ours(benchmark::State& state, const std::string& kind, Neighbours neighbours) {
    const auto plane = cells_of(kind).plane();
    std::int64_t cells = 0;
    for (auto _ : state) cells = fill(plane, 0, 0, neighbours)->count();
    state.counters["cells"] = static_cast<double>(cells);
}

void fill_opencv(benchmark::State& state, const std::string& kind, int neighbours) {
    const auto& mat = cells_of(kind).mat;
    std::int64_t cells = 0;
    for (auto _ : state) {
        state.PauseTiming();
        cv::Mat filled = mat.clone();  // it paints in place
        state.ResumeTiming();
        cells = cv::floodFill(filled, {0, 0}, 9, nullptr, {}, {}, neighbours);
    }
    state.counters["cells"] = static_cast<double>(cells);
}

constexpr int kPictureSide = 4096;

// Smooth colours with a little noise; a tolerance of 60 takes about half of it.
const cv::Mat& picture() {
    static const cv::Mat made = [] {
        cv::Mat out(kPictureSide, kPictureSide, CV_8UC3);
        std::mt19937 random(6);
        for (int r = 0; r < kPictureSide; ++r)
            for (int c = 0; c < kPictureSide; ++c)
                for (int k = 0; k < 3; ++k)
                    out.ptr<std::uint8_t>(r)[3 * c + k] =
                        static_cast<std::uint8_t>((r + c) * 120 / (2 * kPictureSide) + static_cast<int>(random() % 8));
        return out;
    }();
    return made;
}

void wand_ours(benchmark::State& state) {
    auto image = *Tensor::uninitialised({kPictureSide, kPictureSide, 3}, DType::u8);
    std::memcpy(image.writable_data(), picture().data, image.byte_size());
    WandOptions options;
    options.tolerance = 60;
    std::int64_t cells = 0;
    for (auto _ : state) cells = wand(image, 0, 0, options)->count();
    state.counters["cells"] = static_cast<double>(cells);
}

void wand_opencv(benchmark::State& state) {
    cv::Mat image = picture().clone();
    std::int64_t cells = 0;
    for (auto _ : state) {
        cv::Mat mask = cv::Mat::zeros(kPictureSide + 2, kPictureSide + 2, CV_8UC1);
        cells = cv::floodFill(image, mask, {0, 0}, {}, nullptr, cv::Scalar::all(60), cv::Scalar::all(60),
                              4 | cv::FLOODFILL_FIXED_RANGE | cv::FLOODFILL_MASK_ONLY);
    }
    state.counters["cells"] = static_cast<double>(cells);
}

void dilate_ours(benchmark::State& state, const std::string& kind) {
    const auto plane = cells_of(kind).plane();
    const auto region = plane.where_not_zero();
    for (auto _ : state)
        benchmark::DoNotOptimize(
            morph(region, plane.bounds(), Morph::dilate, static_cast<int>(state.range(0)))->count());
}

void dilate_opencv(benchmark::State& state, const std::string& kind) {
    const auto radius = static_cast<int>(state.range(0));
    const auto element = cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * radius + 1, 2 * radius + 1});
    cv::Mat out;
    for (auto _ : state) cv::dilate(cells_of(kind).mat, out, element);
}

void register_all() {
    benchmark::RegisterBenchmark("wand/ours", wand_ours)->UseRealTime()->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("wand/opencv", wand_opencv)->UseRealTime()->Unit(benchmark::kMillisecond);
    for (const char* kind : {"uniform", "specks", "discs", "random", "noise", "chequered", "corridor"}) {
        for (const int neighbours : {4, 8}) {
            const auto name = std::string(kind) + "/" + std::to_string(neighbours);
            benchmark::RegisterBenchmark(("fill/ours/" + name).c_str(),
                                         [=](benchmark::State& state) {
                                             fill_ours(state, kind,
                                                       neighbours == 4 ? Neighbours::four : Neighbours::eight);
                                         })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
            benchmark::RegisterBenchmark(("fill/opencv/" + name).c_str(),
                                         [=](benchmark::State& state) { fill_opencv(state, kind, neighbours); })
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
        }
    }
    for (const char* kind : {"discs", "specks"}) {
        benchmark::RegisterBenchmark((std::string("dilate/ours/") + kind).c_str(),
                                     [=](benchmark::State& state) { dilate_ours(state, kind); })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond)
            ->Arg(3)
            ->Arg(20)
            ->Arg(200);
        benchmark::RegisterBenchmark((std::string("dilate/opencv/") + kind).c_str(),
                                     [=](benchmark::State& state) { dilate_opencv(state, kind); })
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond)
            ->Arg(3)
            ->Arg(20);
    }
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    register_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
