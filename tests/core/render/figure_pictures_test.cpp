// SPDX-License-Identifier: Apache-2.0
// Whole figures in the sizes and shapes that people have: nothing may leave the picture or touch what it should not.
#include "core/render/figure/heatmap_figure.h"
#include "tests/core/render/figure_planes.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::render::testing;

namespace {

const std::vector<std::string> kSentence = {"the", "cat",  "sat",   "on",    "the",   "mat",   "because", "it",
                                            "was", "warm", ",",     "so",    "the",   "dog",   "lay",     "down",
                                            "too", ".",    "[PAD]", "[PAD]", "[PAD]", "[PAD]", "[PAD]",   "[PAD]"};

float noise(std::int64_t row, std::int64_t col) {
    const auto mixed = static_cast<std::uint32_t>(row * 7919 + col * 104729 + 12345) * 2654435761U;
    return static_cast<float>(mixed >> 8U) / static_cast<float>(1U << 24U);
}

// Attention weights as the sentence's: causal without the diagonal, so that the first row is NaN.
HeatmapData attention() {
    const Tensor weights = f32_plane(24, 24, [](std::int64_t r, std::int64_t c) {
        if (r == 0) return std::numeric_limits<float>::quiet_NaN();
        const float u = noise(r, c);
        if (u < 0.08F) return 0.0F;
        if (r == 9 && c == 2) return std::numeric_limits<float>::infinity();
        if (r == 12 && c == 4) return -std::numeric_limits<float>::infinity();
        return std::pow(10.0F, -4 * u);
    });
    const Tensor mask = keep_plane(24, 24, [](std::int64_t r, std::int64_t c) { return c < r && c < 18; });
    return {Plane{weights, {}}, MaskPlane{mask, MaskConvention::keep}};
}

FigureSpec attention_spec(ThemeId theme) {
    FigureSpec spec;
    spec.width = 720;
    spec.height = 520;
    spec.rows = {"query", kSentence, 1, 0};
    spec.cols = {"key", kSentence, 1, 0};
    spec.look.theme = theme;
    spec.look.scale = make_scale(ScaleKind::log, 1e-4, 1, false, 1e-4);
    spec.legend_title = "weight, log";
    spec.cursor = CellIndex{14, 13};
    spec.title = "attn_probs[0, 3, :, :]";
    spec.subtitle = "float16, 24 \u00D7 24, mask causal & ~pad (keep)";
    return spec;
}

const char* name_of_theme(ThemeId theme) {
    return theme == ThemeId::light ? "light" : "dark";
}

// Checks what a machine can check, and keeps the picture for the eye.
void look_at(const DisplayList& list, const std::string& name, double ratio = 1) {
    const auto outside = text_outside(list);
    QVERIFY2(outside.empty(), (name + ": " + outside).c_str());
    const auto raster = rasterise(list, ratio);
    QVERIFY2(raster.ok(), name.c_str());
    keep(list, name, ratio);
}

}  // namespace

class FigurePicturesTest : public QObject {
    Q_OBJECT

private slots:
    void pictures();
};

void FigurePicturesTest::pictures() {
    const JobContext context;
    for (const auto theme : {ThemeId::light, ThemeId::dark}) {
        const std::string suffix = std::string("_") + name_of_theme(theme);
        auto data = attention();
        QVERIFY(data.prepare(context));
        for (const double ratio : {1.0, 2.0, 1.25}) {
            FigureSpec spec = attention_spec(theme);
            spec.device_ratio = ratio;
            look_at(fitted(data, spec).list, "attention_" + std::to_string(ratio).substr(0, 4) + suffix, ratio);
        }
        FigureSpec wide = attention_spec(theme);
        wide.width = 1440;
        wide.height = 1000;
        wide.shrink_to_plane = true;
        look_at(fitted(data, wide).list, "attention_wide" + suffix);
        wide.look.mask_style = MaskStyle::dim;
        wide.vector_cells = true;
        look_at(fitted(data, wide).list, "attention_dim_vector" + suffix);
        FigureSpec small = attention_spec(theme);
        small.width = 320;
        small.height = 280;
        look_at(fitted(data, small).list, "attention_small" + suffix);

        HeatmapData big(
            Plane{f32_plane(2048, 2048,
                            [](std::int64_t r, std::int64_t c) {
                                if (r == 1500 && c == 300) return std::numeric_limits<float>::quiet_NaN();
                                if (r == 1800 && c == 900) return std::numeric_limits<float>::infinity();
                                return static_cast<float>(0.5 + 0.4 * std::sin(static_cast<double>(r) / 90) *
                                                                    std::cos(static_cast<double>(c) / 110)) *
                                       noise(r, c);
                            }),
                  {}},
            MaskPlane{keep_plane(2048, 2048, [](std::int64_t r, std::int64_t c) { return c <= r && c < 1800; }),
                      MaskConvention::keep});
        QVERIFY(big.prepare(context));
        FigureSpec pooled;
        pooled.width = 900;
        pooled.height = 700;
        pooled.rows.title = "query";
        pooled.cols.title = "key";
        pooled.look.theme = theme;
        pooled.look.scale = make_scale(ScaleKind::linear, 0, 0.9, false, 0);
        pooled.legend_title = "weight";
        look_at(fitted(big, pooled).list, "pooled" + suffix);

        HeatmapData strip(
            Plane{f32_plane(1, 5, [](std::int64_t, std::int64_t c) { return static_cast<float>(c) - 1.5F; }), {}}, {});
        QVERIFY(strip.prepare(context));
        FigureSpec line;
        line.width = 640;
        line.height = 320;
        line.rows.title = "row";
        line.cols.title = "feature";
        line.look.theme = theme;
        line.look.map = MapId::shore;
        line.look.scale = make_scale(ScaleKind::linear, -1.5, 2.5, true, 0);
        line.legend_title = "score";
        line.shrink_to_plane = true;
        look_at(fitted(strip, line).list, "strip" + suffix);

        HeatmapData square(Plane{f32_plane(512, 512,
                                           [](std::int64_t r, std::int64_t c) {
                                               if ((r + c) % 97 == 0) return 0.0F;
                                               return noise(r, c);
                                           }),
                                 {}},
                           MaskPlane{keep_plane(512, 512, [](std::int64_t r, std::int64_t c) { return c <= r; }),
                                     MaskConvention::keep});
        QVERIFY(square.prepare(context));
        FigureSpec plain;
        plain.width = 1280;
        plain.height = 800;
        plain.rows.title = "query";
        plain.cols.title = "key";
        for (int i = 0; i < 512; ++i) plain.rows.tokens.push_back("token" + std::to_string(i * 37 % 512));
        plain.cols.tokens = plain.rows.tokens;
        plain.look.theme = theme;
        plain.look.scale = make_scale(ScaleKind::sqrt, 0, 1, false, 0);
        plain.legend_title = "weight, square root";
        look_at(fitted(square, plain).list, "square512" + suffix);
        auto zoomed = fitted(square, plain);
        for (const double pitch : {3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0, 34.0, 50.0}) {
            zoomed.viewport.pitch = pitch;
            zoomed.viewport.row0 = 40.3;
            zoomed.viewport.col0 = 38.6;
            plain.cursor = CellIndex{45, 43};
            look_at(
                draw(square, square.pool(zoomed.viewport, PoolRule::largest), zoomed.viewport, zoomed.layout, plain),
                "pitch" + std::to_string(static_cast<int>(pitch)) + suffix);
        }

        FigureSpec longs = attention_spec(theme);
        longs.rows.tokens[3] = "an_extremely_long_token_that_never_ends_and_goes_on";
        longs.cols.tokens[5] = "Donaudampfschifffahrtsgesellschaft";
        longs.cols.tokens[6] = "\u65E5\u672C\u8A9E";
        longs.rows.tokens[6] = "\n";
        longs.title = "model.encoder.layer.11.attention.self.attention_probs_with_a_name_of_unusual_length[0, 3, :, :]";
        look_at(fitted(data, longs).list, "long" + suffix);
    }
}

QTEST_APPLESS_MAIN(FigurePicturesTest)
#include "figure_pictures_test.moc"
