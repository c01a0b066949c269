// SPDX-License-Identifier: Apache-2.0
#include "core/render/figure/heatmap_figure.h"

#include "core/render/figure/axis_labels.h"
#include "core/render/figure/gutter.h"
#include "core/render/figure/number_text.h"
#include "core/render/figure/text_metrics.h"
#include "tests/core/render/figure_planes.h"

#include <QFile>
#include <QTest>

#include <cmath>
#include <limits>

using namespace maskscope;
using namespace maskscope::render;
using namespace maskscope::render::testing;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

HeatmapData ramp(std::int64_t rows, std::int64_t cols) {
    const auto value = [=](std::int64_t r, std::int64_t c) {
        return static_cast<float>(r * cols + c + 1) / static_cast<float>(rows * cols);
    };
    return {Plane{f32_plane(rows, cols, value), {}}, {}};
}

bool overlap(const Box& a, const Box& b) {
    constexpr double kTouch = 1e-6;
    return a.x < b.right() - kTouch && b.x < a.right() - kTouch && a.y < b.bottom() - kTouch &&
           b.y < a.bottom() - kTouch;
}

std::string said(const Box& b) {
    return std::to_string(b.x) + "," + std::to_string(b.y) + " " + std::to_string(b.width) + "x" +
           std::to_string(b.height);
}

const Rgb& pixel(const ImageItem& image, int x, int y) {
    return (*image.pixels)[static_cast<std::size_t>(y * image.width + x)];
}

const ImageItem& data_image(const DisplayList& list) {
    for (const auto& item : list.items) {
        if (const auto* image = std::get_if<ImageItem>(&item)) return *image;
    }
    qFatal("no image");
}

// Values 0.25, 0.5 and 0.75 on the grey map are its entries 64, 128 and 192.
FigureSpec grey_spec(double ratio) {
    FigureSpec spec;
    spec.device_ratio = ratio;
    spec.look.map = MapId::grey;
    spec.look.scale = {ScaleKind::linear, 0, 1};
    spec.mask_outline = false;
    return spec;
}

HeatmapData three_by_three() {
    const float values[3][3] = {{0.25F, 0.5F, kNan}, {0.75F, 0, 0.25F}, {0.5F, kInf, -kInf}};
    return {Plane{f32_plane(3, 3, [&](std::int64_t r, std::int64_t c) { return values[r][c]; }), {}},
            MaskPlane{keep_plane(3, 3, [](std::int64_t r, std::int64_t c) { return r != 2 || c != 0; }),
                      MaskConvention::keep}};
}

ImageItem three_by_three_at(int pitch, const FigureSpec& spec) {
    auto data = three_by_three();
    if (!data.prepare({})) qFatal("not prepared");
    const auto layout = lay_out(data, spec);
    Viewport viewport;
    viewport.pitch = pitch;
    viewport.width = viewport.height = 3 * pitch + 2;
    return data_image(draw(data, data.pool(viewport, PoolRule::largest), viewport, layout, spec));
}

}  // namespace

class FigureTest : public QObject {
    Q_OBJECT

private slots:
    void numbers() {
        QCOMPARE(count_text(0), std::string("0"));
        QCOMPARE(count_text(999), std::string("999"));
        QCOMPARE(count_text(1000), std::string("1,000"));
        QCOMPARE(count_text(2127004), std::string("2,127,004"));
        QCOMPARE(cell_text(0.284, 4), std::string(".284"));
        QCOMPARE(cell_text(-1.2345, 4), std::string("\u22121.2"));
        QCOMPARE(cell_text(-0.25, 4), std::string("\u2212.25"));
        QCOMPARE(cell_text(0.00003, 4), std::string("3e\u22125"));
        QCOMPARE(cell_text(0.000032, 6), std::string("3.2e\u22125"));
        QCOMPARE(cell_text(123.4, 4), std::string("123"));
        QCOMPARE(cell_text(123456, 4), std::string("1e5"));
        QCOMPARE(cell_text(0.999999, 4), std::string("1"));
        QCOMPARE(cell_text(-1e-300, 4), std::string());
        QCOMPARE(tick_texts({1e-4, 1e-3, 0.01, 0.1, 1}),
                 (std::vector<std::string>{"1e\u22124", "1e\u22123", "0.01", "0.1", "1"}));
        QCOMPARE(tick_texts({-50, 0, 50, 2000}), (std::vector<std::string>{"\u221250", "0", "50", "2000"}));
        QCOMPARE(tick_texts({0.125, 0.25}), (std::vector<std::string>{"0.125", "0.25"}));
    }

    void labels_that_would_vanish_are_quoted() {
        QCOMPARE(label_text("dog"), std::string("dog"));
        QCOMPARE(label_text("."), std::string("\u201C.\u201D"));
        QCOMPARE(label_text(" "), std::string("\u201C \u201D"));
        QCOMPARE(label_text("\n"), std::string("\\n"));
        QCOMPARE(label_text("##ing"), std::string("##ing"));
        QCOMPARE(label_text("(a.)"), std::string("(a.)"));
    }

    void boxes_do_not_overlap() {
        auto data = ramp(12, 30);
        QVERIFY(data.prepare({}));
        for (const double width : {320.0, 640.0, 1280.0}) {
            for (const double height : {240.0, 480.0, 900.0}) {
                for (const bool tokens : {false, true}) {
                    for (const bool shrink : {false, true}) {
                        FigureSpec spec;
                        spec.width = width;
                        spec.height = height;
                        spec.device_ratio = 1.25;
                        spec.rows.title = "query";
                        spec.cols.title = "key";
                        if (tokens) spec.rows.tokens = spec.cols.tokens = std::vector<std::string>(30, "tokenised");
                        spec.legend_title = "weight, log";
                        spec.shrink_to_plane = shrink;
                        const auto layout = lay_out(data, spec);
                        const Box boxes[] = {layout.data,       layout.row_labels, layout.col_labels,
                                             layout.row_gutter, layout.col_gutter, layout.legend};
                        for (std::size_t i = 0; i < std::size(boxes); ++i) {
                            QVERIFY2(boxes[i].x >= 0 && boxes[i].y >= 0 && boxes[i].right() <= width &&
                                         boxes[i].bottom() <= height,
                                     said(boxes[i]).c_str());
                            QVERIFY(boxes[i].width > 0 && boxes[i].height > 0);
                            for (std::size_t j = 0; j < i; ++j) {
                                QVERIFY2(!overlap(boxes[i], boxes[j]),
                                         (said(boxes[i]) + " and " + said(boxes[j])).c_str());
                            }
                        }
                        QCOMPARE(layout.legend_states.size(), std::size_t{6});
                        // Cells start on a whole device pixel.
                        QVERIFY(std::abs(layout.data.x * 1.25 - std::round(layout.data.x * 1.25)) < 1e-9);
                    }
                }
            }
        }
    }

    void texts_never_touch() {
        for (const std::int64_t count : {1, 5, 24, 130, 3000}) {
            auto data = ramp(count, std::max<std::int64_t>(count / 2, 1));
            QVERIFY(data.prepare({}));
            for (const double ratio : {1.0, 2.0}) {
                for (const bool tokens : {false, true}) {
                    FigureSpec spec;
                    spec.width = 700;
                    spec.height = 500;
                    spec.device_ratio = ratio;
                    spec.rows.title = "query";
                    spec.cols.title = "key";
                    spec.title = "weights";
                    spec.subtitle = "float32";
                    spec.legend_title = "weight";
                    spec.values_in_cells = false;
                    spec.cursor = CellIndex{count / 3, count / 7};
                    for (std::int64_t i = 0; tokens && i < count; ++i) {
                        spec.rows.tokens.push_back(i % 5 == 0 ? "a_rather_long_token_here" : "tok" + std::to_string(i));
                    }
                    spec.cols.tokens = spec.rows.tokens;
                    auto picture = fitted(data, spec);
                    for (const double pitch : {picture.viewport.pitch, 3.0, 7.0, 11.0, 13.0, 20.0, 40.0}) {
                        picture.viewport.pitch = pitch;
                        picture.viewport.row0 = 0.4;
                        const auto list = draw(data, data.pool(picture.viewport, PoolRule::largest), picture.viewport,
                                               picture.layout, spec);
                        std::vector<std::pair<Box, std::string>> seen;
                        for (const auto& item : list.items) {
                            const auto* text = std::get_if<TextItem>(&item);
                            if (text == nullptr) continue;
                            const Box box = ink(*text);
                            QVERIFY2(
                                box.x >= 0 && box.y >= 0 && box.right() <= spec.width && box.bottom() <= spec.height,
                                (text->text + " " + said(box)).c_str());
                            for (const auto& [other, words] : seen) {
                                QVERIFY2(!overlap(box, other),
                                         (text->text + " on " + words + ", pitch " + std::to_string(pitch)).c_str());
                            }
                            seen.emplace_back(box, text->text);
                        }
                        QVERIFY(seen.size() >= 8);
                    }
                }
            }
        }
    }

    void label_steps() {
        QCOMPARE(label_step(20, 13), std::int64_t{1});
        QCOMPARE(label_step(10, 13), std::int64_t{2});
        QCOMPARE(label_step(3, 13), std::int64_t{5});
        QCOMPARE(label_step(0.1, 16), std::int64_t{200});
    }

    void flat_pixels_by_hand() {
        const auto image = three_by_three_at(3, grey_spec(1));
        QCOMPARE(image.width, 11);
        const Rgb wanted[3][3] = {{0xff404040, 0xff808080, 0xffd0157f},
                                  {0xffc0c0c0, 0xff737c89, 0xff404040},
                                  {0xffd0d4db, 0xfff08a1d, 0xff8f4a12}};
        for (int y = 0; y < 11; ++y) {
            for (int x = 0; x < 11; ++x) {
                QCOMPARE(pixel(image, x, y), x < 9 && y < 9 ? wanted[y / 3][x / 3] : 0xffffffff);
            }
        }
    }

    void small_pixels_by_hand() {
        const auto image = three_by_three_at(4, grey_spec(1));
        // A true zero is white with a 2 x 2 dot in its middle.
        for (int y = 4; y < 8; ++y) {
            for (int x = 4; x < 8; ++x) {
                const bool dot = x >= 5 && x < 7 && y >= 5 && y < 7;
                QCOMPARE(pixel(image, x, y), dot ? 0xff737c89 : 0xffffffff);
            }
        }
        // Hatch: ink where x + y is a multiple of 3; beside it the line covers 1 - 1 / sqrt 2 of a pixel.
        for (int y = 8; y < 12; ++y) {
            for (int x = 0; x < 4; ++x) QCOMPARE(pixel(image, x, y), (x + y) % 3 == 0 ? 0xffaeb5bf : 0xffd3d7dd);
        }
        QCOMPARE(pixel(image, 9, 1), Rgb{0xffd0157f});
    }

    void gaps_from_ten_up() {
        for (const double ratio : {1.0, 2.0}) {
            const int scale = static_cast<int>(ratio);
            const auto image = three_by_three_at(10 * scale, grey_spec(ratio));
            QCOMPARE(pixel(image, 0, 0), Rgb{0xff404040});
            QCOMPARE(pixel(image, 9 * scale - 1, 9 * scale - 1), Rgb{0xff404040});
            QCOMPARE(pixel(image, 9 * scale, 0), Rgb{0xffffffff});
            QCOMPARE(pixel(image, 10 * scale - 1, 0), Rgb{0xffffffff});
            QCOMPARE(pixel(image, 10 * scale, 0), Rgb{0xff808080});
            // The frame of a true zero from 8 up, and the white inside it.
            QCOMPARE(pixel(image, 10 * scale, 10 * scale), Rgb{0xffd6dae1});
            QCOMPARE(pixel(image, 11 * scale, 11 * scale), Rgb{0xffffffff});
        }
    }

    void mask_styles() {
        auto spec = grey_spec(1);
        spec.look.mask_style = MaskStyle::hide;
        QCOMPARE(pixel(three_by_three_at(3, spec), 1, 7), Rgb{0xffffffff});
        QCOMPARE(pixel(three_by_three_at(12, spec), 1, 26), Rgb{0xffffffff});
        // 0.5 is 0x80; 70 % of the way to white is 0xd9.
        spec.look.mask_style = MaskStyle::dim;
        QCOMPARE(pixel(three_by_three_at(12, spec), 1, 26), Rgb{0xffd9d9d9});
        // Half opaque hatch: half way from 0x80 to the masked fill E2E5EA.
        spec.look.mask_style = MaskStyle::hatch;
        spec.look.mask_opacity = 0.5;
        QCOMPARE(pixel(three_by_three_at(12, spec), 2, 25), Rgb{0xffb1b3b5});
    }

    void the_outline_follows_the_mask() {
        auto spec = grey_spec(1);
        spec.mask_outline = true;
        const auto image = three_by_three_at(10, spec);
        const Rgb line = 0xff474f5b;
        // Only cell (2, 0) is hidden: a line above it and one at its right, in the gaps.
        for (int x = 0; x <= 9; ++x) QCOMPARE(pixel(image, x, 19), line);
        for (int y = 19; y < 30; ++y) QCOMPARE(pixel(image, 9, y), line);
        QCOMPARE(pixel(image, 10, 19), Rgb{0xffffffff});
        QCOMPARE(pixel(image, 9, 18), Rgb{0xffffffff});
    }

    void a_lone_nan_is_three_pixels_wide() {
        HeatmapData data(
            Plane{f32_plane(40, 40, [](std::int64_t r, std::int64_t c) { return r == 20 && c == 10 ? kNan : 0.5F; }),
                  {}},
            {});
        QVERIFY(data.prepare({}));
        auto spec = grey_spec(1);
        const auto layout = lay_out(data, spec);
        Viewport viewport;
        viewport.width = viewport.height = 40;
        const auto list = draw(data, data.pool(viewport, PoolRule::largest), viewport, layout, spec);
        const auto& image = data_image(list);
        int seen = 0;
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 40; ++x) seen += pixel(image, x, y) == 0xffd0157f;
        }
        QCOMPARE(seen, 9);
    }

    void gutter_lanes() {
        using S = CellState;
        const std::vector<GutterLane> lanes = {{S::nan, S::true_zero}, {S::nan, S::value}, {S::nan, S::posinf}};
        const auto told = telling_lanes(lanes);
        QCOMPARE(told[0].first, S::true_zero);
        QCOMPARE(told[1].first, S::value);
        QCOMPARE(told[2].first, S::posinf);
        QCOMPARE(told[2].second, S::value);
        QCOMPARE(telling_lanes(std::vector<GutterLane>{{S::nan, S::value}})[0].first, S::nan);
        // Two cells of pitch 3 with one pixel between them, the first half scrolled out.
        const std::vector<GutterLane> two = {{S::nan, S::value}, {S::true_zero, S::value}};
        const auto marks = lanes_by_pixel(two, -1, 3, 2, 6);
        const S wanted[] = {S::nan, S::value, S::true_zero, S::true_zero, S::value, S::value};
        for (std::size_t i = 0; i < 6; ++i) QCOMPARE(marks[i].first, wanted[i]);
        // A hundred cells on ten pixels: the NaN of cell 42 is in pixel 4, grown to its neighbours.
        std::vector<GutterLane> many(100);
        many[42].first = S::nan;
        const auto small = lanes_by_pixel(many, 0, 0.1, 1, 10);
        for (std::size_t i = 0; i < 10; ++i) QCOMPARE(small[i].first, i >= 3 && i <= 5 ? S::nan : S::value);
    }

    void counting() {
        HeatmapData data(Plane{f32_plane(2, 2, [](std::int64_t, std::int64_t) { return 1.0F; }), {}}, {});
        FigureSpec spec;
        const std::string text = to_text(fitted(data, spec).list);
        QVERIFY(text.find("\"counting\"") != std::string::npos);
        QVERIFY(data.prepare({}));
        const std::string after = to_text(fitted(data, spec).list);
        QVERIFY(after.find("\"counting\"") == std::string::npos);
    }

    void masked_by_value_is_said() {
        HeatmapData data(Plane{f32_plane(2, 2, [](std::int64_t r, std::int64_t) { return r == 0 ? -kInf : 0.5F; }),
                               -std::numeric_limits<double>::infinity()},
                         {});
        QVERIFY(data.prepare({}));
        const std::string text = to_text(fitted(data, FigureSpec{}).list);
        QVERIFY(text.find("\"masked by value\"") != std::string::npos);
    }

    void empty_planes_have_a_picture() {
        for (const auto& [rows, cols] : {std::pair<int, int>{0, 3}, {3, 0}, {0, 0}}) {
            HeatmapData data(Plane{f32_plane(rows, cols, [](std::int64_t, std::int64_t) { return 0.0F; }), {}}, {});
            QVERIFY(data.prepare({}));
            FigureSpec spec;
            spec.rows.title = "query";
            spec.shrink_to_plane = true;
            spec.cursor = CellIndex{0, 0};
            QVERIFY(!fitted(data, spec).list.items.empty());
        }
    }

    // The whole list for a plane with every state, in both themes, as pixels and as shapes. Set MASKSCOPE_BLESS to
    // write the goldens anew after looking at the pictures.
    void goldens() {
        const float values[6] = {0.9F, 0.03F, 1.0F, 0.2F, 0.004F, 0.5F};
        HeatmapData data(
            Plane{f32_plane(6, 6,
                            [&](std::int64_t r, std::int64_t c) {
                                if (r == 0) return kNan;
                                if (r == 1 && c == 0) return kInf;
                                if (r == 2 && c == 1) return -kInf;
                                if (r == c) return 0.0F;
                                return values[(r * 2 + c) % 6];
                            }),
                  {}},
            MaskPlane{keep_plane(6, 6, [](std::int64_t r, std::int64_t c) { return c <= r; }), MaskConvention::keep});
        QVERIFY(data.prepare({}));
        for (const auto theme : {ThemeId::light, ThemeId::dark}) {
            for (const bool shapes : {false, true}) {
                FigureSpec spec;
                spec.width = 480;
                spec.height = 400;
                spec.rows = {"query", {"[CLS]", "a", "mask", ".", "hides", "[PAD]"}, 1, 0};
                spec.cols = {"key", spec.rows.tokens, 1, 0};
                spec.look.theme = theme;
                spec.look.scale = {ScaleKind::log, 1e-3, 1};
                spec.legend_title = "weight, log";
                spec.title = "weights[0, 1]";
                spec.subtitle = "float32, 6 \u00D7 6";
                spec.cursor = CellIndex{4, 2};
                spec.shrink_to_plane = true;
                spec.vector_cells = shapes;
                const auto layout = lay_out(data, spec);
                const auto viewport = fit(data, layout, spec);
                auto pooled = data.pool(viewport, PoolRule::largest);
                // A bare tensor has no underflow; a trace would say so.
                pooled.state[static_cast<std::size_t>(5 * 6 + 1)] = CellState::underflow;
                const auto list = draw(data, pooled, viewport, layout, spec);
                const std::string name =
                    std::string(theme == ThemeId::light ? "light" : "dark") + (shapes ? "_shapes" : "_pixels");
                keep(list, "golden_" + name);
                QFile golden(
                    QStringLiteral(MS_SOURCE_DIR "/tests/golden/figure/%1.txt").arg(QString::fromStdString(name)));
                const auto text = QByteArray::fromStdString(to_text(list));
                if (qEnvironmentVariableIsSet("MASKSCOPE_BLESS")) {
                    QVERIFY(golden.open(QIODevice::WriteOnly));
                    golden.write(text);
                    continue;
                }
                QVERIFY(golden.open(QIODevice::ReadOnly));
                const auto wanted = golden.readAll().split('\n');
                const auto got = text.split('\n');
                for (qsizetype i = 0; i < std::min(wanted.size(), got.size()); ++i) QCOMPARE(got[i], wanted[i]);
                QCOMPARE(got.size(), wanted.size());
            }
        }
    }
};

QTEST_APPLESS_MAIN(FigureTest)
#include "figure_test.moc"
