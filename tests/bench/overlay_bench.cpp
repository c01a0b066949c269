// SPDX-License-Identifier: Apache-2.0
// What the image view costs at 16,384 square: the image, one and ten label layers; whole, one to one, and the rectangle
// that a brush touched. One thread, like the table of the heatmap; OVERLAY_THREADS says otherwise.
#include "core/jobs/parallel.h"
#include "core/mask/mask_edit.h"
#include "core/mask/plane.h"
#include "core/render/overlay/compose.h"
#include "core/render/overlay/image_data.h"
#include "core/render/overlay/label_pool.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace maskscope;
using namespace maskscope::render;

constexpr std::int64_t kSide = 16384;
constexpr int kWidth = 1600;
constexpr int kHeight = 900;

std::shared_ptr<ImageData> make_image(int channels) {
    auto tensor = *Tensor::uninitialised(Shape{kSide, kSide, channels}, DType::u8);
    auto* to = tensor.writable_as<std::uint8_t>();
    std::uint64_t state = 1;
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        to[i] = static_cast<std::uint8_t>((i >> 6U) + static_cast<std::int64_t>(state >> 60U));
    }
    auto image = *ImageData::of(tensor);
    if (!image->prepare(JobContext{})) std::abort();
    return image;
}

const ImageData& image_of(int channels) {
    static const auto grey = make_image(1);
    if (channels == 1) return *grey;
    static const auto colour = make_image(3);
    return *colour;
}

// Discs of 40 to 300 cells, about a third of the plane.
mask::Plane make_plane(unsigned seed) {
    auto tensor = *Tensor::zeros(Shape{kSide, kSide}, DType::u8);
    auto* to = tensor.writable_as<std::uint8_t>();
    std::mt19937 random(seed);
    for (int disc = 0; disc < 1200; ++disc) {
        const auto row = static_cast<std::int64_t>(random() % kSide);
        const auto col = static_cast<std::int64_t>(random() % kSide);
        const auto radius = static_cast<std::int64_t>(40 + random() % 260);
        for (auto r = std::max<std::int64_t>(0, row - radius); r < std::min(kSide, row + radius + 1); ++r) {
            const auto half = static_cast<std::int64_t>(std::sqrt(radius * radius - (r - row) * (r - row)));
            const auto begin = std::max<std::int64_t>(0, col - half);
            std::fill(to + r * kSide + begin, to + r * kSide + std::min(kSide, col + half + 1),
                      static_cast<std::uint8_t>(1 + disc % 40));
        }
    }
    return *mask::Plane::of(tensor);
}

std::vector<mask::Plane>& planes() {
    static auto made = [] {
        std::vector<mask::Plane> out;
        for (unsigned i = 0; i < 10; ++i) out.push_back(make_plane(i));
        return out;
    }();
    return made;
}

Viewport view_at(double pitch) {
    const double size = kWidth / pitch;
    const double origin = size < kSide ? (kSide - size) / 3 : 0;
    return {.col0 = origin, .row0 = origin, .pitch = pitch, .width = kWidth, .height = kHeight};
}
const double kWhole = fitting_pitch(kSide, kSide, kWidth, kHeight);

void image_pool(benchmark::State& state, double pitch, int channels) {
    const auto& image = image_of(channels);
    const auto view = view_at(pitch);
    std::vector<Rgb> pixels(static_cast<std::size_t>(kWidth) * kHeight);
    for (auto _ : state) {
        image.pool(view, 0, 0, kWidth, kHeight, Tone{}, 0xff000000U, pixels.data(), kWidth);
        benchmark::DoNotOptimize(pixels.data());
    }
}

// One after the other as the view does; parts: labels alone, or with drawing.
void layers_over(benchmark::State& state, double pitch, std::size_t count, bool draw) {
    const auto view = view_at(pitch);
    const auto& theme = Theme::get(ThemeId::dark);
    std::vector<LabelPool> pools(count);
    std::vector<Rgb> pixels(static_cast<std::size_t>(kWidth) * kHeight, 0xff808080U);
    LabelPixels labels;
    const auto frame = [&] {
        for (std::size_t i = 0; i < count; ++i) {
            pools[i].pool(planes()[i], {}, view, 0, 0, kWidth, kHeight, labels);
            if (draw) lay_over(labels, LayerLook{}, theme, 1, 0, 0, pixels.data(), kWidth);
        }
        benchmark::DoNotOptimize(pixels.data());
    };
    frame();  // tiles are summarised
    for (auto _ : state) frame();
}

void first_pool(benchmark::State& state, double pitch) {
    LabelPixels labels;
    for (auto _ : state) {
        LabelPool pool;
        pool.pool(planes()[0], {}, view_at(pitch), 0, 0, kWidth, kHeight, labels);
        benchmark::DoNotOptimize(labels.label.data());
    }
}

// A move of the brush: the plane changes, and the view redraws what the brush touched, image and layers.
void brush_move(benchmark::State& state, double pitch, int size, std::size_t count) {
    const auto& image = image_of(3);
    const auto view = view_at(pitch);
    const auto& theme = Theme::get(ThemeId::dark);
    std::vector<LabelPool> pools(count);
    std::vector<Rgb> pixels(static_cast<std::size_t>(kWidth) * kHeight);
    LabelPixels labels;
    for (std::size_t i = 0; i < count; ++i) pools[i].pool(planes()[i], {}, view, 0, 0, kWidth, kHeight, labels);
    mask::MaskEdit edit(planes()[0]);
    const auto around = static_cast<int>(std::ceil(size * pitch)) + 2 * kEdgeReach;
    const int width = std::min(kWidth, around);
    const int height = std::min(kHeight, around);
    int step = 0;
    for (auto _ : state) {
        state.PauseTiming();
        const auto row = static_cast<std::int64_t>(view.row0) + step % 300;
        const auto col = static_cast<std::int64_t>(view.col0) + 7 * step % 500;
        edit.paint(mask::Region::of_rect({row, col, size, size}),
                   {.value = {static_cast<std::uint64_t>(1 + step++ % 9)}, .locked = {}});
        const auto x0 = std::clamp(static_cast<int>((static_cast<double>(col) - view.col0) * pitch) - kEdgeReach, 0,
                                   kWidth - width);
        const auto y0 = std::clamp(static_cast<int>((static_cast<double>(row) - view.row0) * pitch) - kEdgeReach, 0,
                                   kHeight - height);
        state.ResumeTiming();
        Rgb* to = pixels.data() + static_cast<std::ptrdiff_t>(y0) * kWidth + x0;
        image.pool(view, x0, y0, width, height, Tone{}, 0xff000000U, to, kWidth);
        for (std::size_t i = 0; i < count; ++i) {
            pools[i].pool(planes()[i], {}, view, x0, y0, width, height, labels);
            lay_over(labels, LayerLook{}, theme, 1, x0, y0, to, kWidth);
        }
        benchmark::DoNotOptimize(pixels.data());
    }
}

void prepare_image(benchmark::State& state, int channels) {
    const Tensor tensor = image_of(channels).tensor();
    for (auto _ : state) {
        const auto image = *ImageData::of(tensor);
        if (!image->prepare(JobContext{})) std::abort();
    }
}

}  // namespace

int main(int argc, char** argv) {
    const char* threads = std::getenv("OVERLAY_THREADS");
    maskscope::set_thread_count(threads != nullptr ? std::atoi(threads) : 1);
    const auto add = [](const char* name, auto run) {
        benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
    };
    for (const int channels : {1, 3}) {
        const std::string kind = channels == 1 ? "grey" : "rgb";
        for (const auto& [name, pitch] : {std::pair{"whole", kWhole},
                                          {"0.0977", 0.0977},
                                          {"0.2", 0.2},
                                          {"0.25", 0.25},
                                          {"0.26", 0.26},
                                          {"0.5", 0.5},
                                          {"0.9", 0.9},
                                          {"1", 1.0},
                                          {"8", 8.0}})
            add(("image/" + kind + "/" + name).c_str(),
                [=, p = pitch](auto& state) { image_pool(state, p, channels); });
        add(("prepare/" + kind).c_str(), [=](auto& state) { prepare_image(state, channels); });
    }
    for (const auto& [name, pitch] : {std::pair{"whole", kWhole}, {"0.2", 0.2}, {"0.3", 0.3}, {"1", 1.0}, {"8", 8.0}}) {
        const std::string at = name;
        const double p = pitch;
        add(("labels/1/" + at).c_str(), [=](auto& state) { layers_over(state, p, 1, false); });
        add(("layers/1/" + at).c_str(), [=](auto& state) { layers_over(state, p, 1, true); });
        add(("layers/10/" + at).c_str(), [=](auto& state) { layers_over(state, p, 10, true); });
    }
    add("labels/first/whole", [](auto& state) { first_pool(state, kWhole); });
    for (const int size : {64, 1000}) {
        for (const auto& [name, pitch] : {std::pair{"whole", kWhole}, {"1", 1.0}}) {
            const std::string at = std::to_string(size) + "/" + name;
            const double p = pitch;
            add(("brush/1/" + at).c_str(), [=](auto& state) { brush_move(state, p, size, 1); });
            add(("brush/10/" + at).c_str(), [=](auto& state) { brush_move(state, p, size, 10); });
        }
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
