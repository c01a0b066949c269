// SPDX-License-Identifier: Apache-2.0
#include "core/render/look/colormap.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace maskscope::render;

namespace {

// CIE L* from the relative luminance.
double lightness(Rgb colour) {
    const double y = luminance(colour);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

void compare(const std::vector<double>& got, const std::vector<double>& wanted) {
    QCOMPARE(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        QVERIFY2(std::abs(got[i] - wanted[i]) <= 1e-9 * std::max(1.0, std::abs(wanted[i])),
                 std::to_string(got[i]).c_str());
    }
}

}  // namespace

class ColormapTest : public QObject {
    Q_OBJECT

private slots:
    void given_entries() {
        struct Row {
            MapId map;
            ThemeId theme;
            std::size_t entry;
            Rgb colour;
        };
        const Row rows[] = {
            {MapId::tide, ThemeId::light, 0, 0xffd7f9ed},
            {MapId::tide, ThemeId::light, 17, 0xffb8eee4},
            {MapId::tide, ThemeId::light, 77, 0xff42c1d2},
            {MapId::tide, ThemeId::light, 128, 0xff0691ba},
            {MapId::tide, ThemeId::light, 200, 0xff214f7f},
            {MapId::tide, ThemeId::light, 255, 0xff20273b},
            {MapId::tide, ThemeId::dark, 0, 0xff171f45},
            {MapId::tide, ThemeId::dark, 77, 0xff015e90},
            {MapId::tide, ThemeId::dark, 200, 0xff55d3c2},
            {MapId::tide, ThemeId::dark, 255, 0xffc6fad5},
            {MapId::shore, ThemeId::light, 0, 0xff004343},
            {MapId::shore, ThemeId::light, 100, 0xffb0cfce},
            {MapId::shore, ThemeId::light, 128, 0xfff3f2f7},
            {MapId::shore, ThemeId::dark, 128, 0xff28282b},
            {MapId::shore, ThemeId::dark, 255, 0xffdbcdfe},
            // The published tables: viridis(0) = (0.267004, 0.004874, 0.329415) and so on, times 255.
            {MapId::viridis, ThemeId::light, 0, 0xff440154},
            {MapId::viridis, ThemeId::dark, 255, 0xfffde725},
            {MapId::magma, ThemeId::light, 0, 0xff000004},
            {MapId::magma, ThemeId::light, 255, 0xfffcfdbf},
            {MapId::cividis, ThemeId::light, 0, 0xff00224e},
            {MapId::cividis, ThemeId::light, 255, 0xfffee838},
            {MapId::grey, ThemeId::light, 0, 0xff000000},
            {MapId::grey, ThemeId::dark, 51, 0xff333333},
            {MapId::grey, ThemeId::dark, 255, 0xffffffff},
        };
        for (const auto& row : rows) {
            const auto what = std::string(name_of(row.map)) + " " + std::to_string(row.entry);
            QVERIFY2(lut(row.map, row.theme)[row.entry] == row.colour, what.c_str());
        }
    }

    // A sequential map must not turn back; half a percent of a step is the rounding to bytes.
    void lightness_is_monotonic() {
        for (const auto theme : {ThemeId::light, ThemeId::dark}) {
            for (const auto map : {MapId::tide, MapId::viridis, MapId::magma, MapId::cividis, MapId::grey}) {
                const auto& table = lut(map, theme);
                const double direction = lightness(table[255]) > lightness(table[0]) ? 1 : -1;
                for (std::size_t i = 1; i < table.size(); ++i) {
                    const double step = direction * (lightness(table[i]) - lightness(table[i - 1]));
                    QVERIFY2(step > -0.15, (std::string(name_of(map)) + " " + std::to_string(i)).c_str());
                }
                QVERIFY(std::abs(lightness(table[255]) - lightness(table[0])) > 60);
            }
            // A diverging one turns once, in the middle.
            const auto& shore = lut(MapId::shore, theme);
            const double outward = lightness(shore[0]) > lightness(shore[128]) ? 1 : -1;
            for (std::size_t i = 1; i < 128; ++i) {
                QVERIFY(outward * (lightness(shore[i - 1]) - lightness(shore[i])) > -0.25);
                QVERIFY(outward * (lightness(shore[256 - i]) - lightness(shore[255 - i])) > -0.25);
            }
        }
    }

    void names() {
        QCOMPARE(map_from_name("cividis"), MapId::cividis);
        QVERIFY(!map_from_name("jet"));
        QCOMPARE(scale_from_name("sym"), ScaleKind::symlog);
        QCOMPARE(name_of(ScaleKind::linear), std::string_view("lin"));
        QVERIFY(!scale_from_name("cubic"));
        QVERIFY(is_diverging(MapId::shore) && !is_diverging(MapId::tide));
    }

    void ranges_are_put_right() {
        QCOMPARE(make_scale(ScaleKind::linear, 3, -1, false, 0), (ColourScale{ScaleKind::linear, -1, 3}));
        QCOMPARE(make_scale(ScaleKind::linear, -1, 3, true, 0), (ColourScale{ScaleKind::linear, -3, 3}));
        QCOMPARE(make_scale(ScaleKind::symlog, -5, 3, true, 0), (ColourScale{ScaleKind::symlog, -5, 5}));
        QCOMPARE(make_scale(ScaleKind::linear, 0.25, 0.25, false, 0.25), (ColourScale{ScaleKind::linear, 0, 0.25}));
        QCOMPARE(make_scale(ScaleKind::linear, -2, -2, false, 0), (ColourScale{ScaleKind::linear, -2, 0}));
        QCOMPARE(make_scale(ScaleKind::linear, 0, 0, true, 0), (ColourScale{ScaleKind::linear, -1, 1}));
        QCOMPARE(make_scale(ScaleKind::log, 0, 1, false, 1e-5), (ColourScale{ScaleKind::log, 1e-5, 1}));
        QCOMPARE(make_scale(ScaleKind::log, 0.5, 0.5, false, 0.5), (ColourScale{ScaleKind::log, 0.05, 0.5}));
        const auto nothing = make_scale(ScaleKind::log, -4, -1, false, 0);
        QVERIFY(nothing.lo > 0 && nothing.lo < nothing.hi);
        const auto nan = make_scale(ScaleKind::linear, std::nan(""), std::nan(""), false, 0);
        QVERIFY(nan.lo < nan.hi);
    }

    void positions_by_hand() {
        const ColourScale linear{ScaleKind::linear, -2, 6};
        QCOMPARE(position_of(linear, 0), 0.25);
        QCOMPARE(position_of(linear, 7), 1.0);
        const ColourScale log{ScaleKind::log, 1e-4, 1};
        QVERIFY(std::abs(position_of(log, 1e-3) - 0.25) < 1e-12);
        QVERIFY(std::abs(position_of(log, 1e-2) - 0.5) < 1e-12);
        QCOMPARE(position_of(log, 0), 0.0);
        QCOMPARE(position_of(log, -1), 0.0);
        // Linear part up to 1, one unit, then two decades: three units on each side.
        const ColourScale symlog{ScaleKind::symlog, -100, 100};
        QCOMPARE(position_of(symlog, 0), 0.5);
        QVERIFY(std::abs(position_of(symlog, 1) - 4.0 / 6) < 1e-12);
        QVERIFY(std::abs(position_of(symlog, 10) - 5.0 / 6) < 1e-12);
        QVERIFY(std::abs(position_of(symlog, -0.5) - 2.5 / 6) < 1e-12);
        const ColourScale root{ScaleKind::sqrt, 0, 4};
        QCOMPARE(position_of(root, 1), 0.5);
        const ColourScale signed_root{ScaleKind::sqrt, -4, 4};
        QCOMPARE(position_of(signed_root, -1), 0.25);
    }

    void values_come_back() {
        for (const auto kind : {ScaleKind::linear, ScaleKind::log, ScaleKind::symlog, ScaleKind::sqrt}) {
            const auto scale = make_scale(kind, kind == ScaleKind::log ? 1e-3 : -3, 20, false, 1e-3);
            for (const double position : {0.0, 0.1, 0.3, 0.5, 0.77, 1.0}) {
                QVERIFY(std::abs(position_of(scale, value_at(scale, position)) - position) < 1e-9);
            }
        }
    }

    void ticks_by_hand() {
        compare(ticks({ScaleKind::linear, 0, 1}, 200), {0, 0.2, 0.4, 0.6, 0.8, 1});
        compare(ticks({ScaleKind::linear, -3, 3}, 130), {-2, 0, 2});
        compare(ticks({ScaleKind::linear, 0.3, 97}, 200), {20, 40, 60, 80});
        compare(ticks({ScaleKind::log, 1e-4, 1}, 200), {1e-4, 1e-3, 1e-2, 0.1, 1});
        compare(ticks({ScaleKind::log, 1e-8, 1}, 200), {1e-8, 1e-6, 1e-4, 1e-2, 1});
        compare(ticks({ScaleKind::log, 0.15, 0.6}, 200), {0.2, 0.5});
        compare(ticks({ScaleKind::symlog, -100, 100}, 300), {-100, -10, -1, 0, 1, 10, 100});
        compare(ticks({ScaleKind::symlog, -100, 100}, 150), {-100, 0, 100});
        compare(ticks({ScaleKind::sqrt, 0, 1}, 100), {0, 1});
        compare(ticks({ScaleKind::sqrt, 0, 100}, 200), {0, 10, 30, 60, 100});
    }

    void ticks_stay_inside() {
        for (const auto kind : {ScaleKind::linear, ScaleKind::log, ScaleKind::symlog, ScaleKind::sqrt}) {
            for (const double lo : {1e-30, 1e-3, 0.7, 123.0}) {
                for (const double factor : {1.0001, 1.5, 40.0, 1e9}) {
                    for (const int length : {1, 30, 190, 2000}) {
                        for (const double tick : ticks({kind, lo, lo * factor}, length)) {
                            // Zero stands for an end that is next to nothing beside the other.
                            const double slack = kind == ScaleKind::log ? lo * 1e-6 : lo * factor * 1e-6;
                            QVERIFY(tick >= lo - slack && tick <= lo * factor + slack);
                        }
                    }
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(ColormapTest)
#include "colormap_test.moc"
