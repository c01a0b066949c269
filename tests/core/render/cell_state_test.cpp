// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/cell_state.h"

#include "core/render/pool/colour.h"
#include "core/render/pool/viewport.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace maskscope;
using namespace maskscope::render;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

Tensor row_of(std::initializer_list<float> values) {
    auto tensor = *Tensor::zeros(Shape{1, static_cast<std::int64_t>(values.size())}, DType::f32);
    std::copy(values.begin(), values.end(), tensor.writable_as<float>());
    return tensor;
}

}  // namespace

class CellStateTest : public QObject {
    Q_OBJECT
private slots:
    void the_first_matching_state_wins() {
        const Plane plane{row_of({1, 0, -0.0F, kNan, kInf, -kInf, 1e-40F}), {}};
        const std::array<CellState, 7> open = {CellState::value, CellState::true_zero, CellState::true_zero,
                                               CellState::nan,   CellState::posinf,    CellState::neginf,
                                               CellState::value};
        const MaskPlane all{row_of({1, 1, 1, 1, 1, 1, 1}), MaskConvention::drop};
        for (std::int64_t c = 0; c < 7; ++c) {
            const CellState state = open[static_cast<std::size_t>(c)];
            QCOMPARE(state_of(plane, nullptr, 0, c), state);
            const bool special = c >= 3 && c <= 5;
            QCOMPARE(state_of(plane, &all, 0, c), special ? state : CellState::masked);
        }
        QCOMPARE(state_of(plane, nullptr, 0, 7), CellState::outside);
        QCOMPARE(state_of(plane, nullptr, -1, 0), CellState::outside);
    }

    void a_value_can_mean_masked() {
        const Plane additive{row_of({0, -kInf, kNan, kInf}), -static_cast<double>(kInf)};
        QCOMPARE(state_of(additive, nullptr, 0, 0), CellState::true_zero);
        QCOMPARE(state_of(additive, nullptr, 0, 1), CellState::masked);
        QCOMPARE(state_of(additive, nullptr, 0, 2), CellState::nan);
        QCOMPARE(state_of(additive, nullptr, 0, 3), CellState::posinf);
        const Plane sentinel{row_of({-1e9F, -1e9F, 3}), -1e9};
        QCOMPARE(state_of(sentinel, nullptr, 0, 1), CellState::masked);
        QCOMPARE(state_of(sentinel, nullptr, 0, 2), CellState::value);
    }

    void conventions_hide_what_they_say() {
        const Tensor flags = row_of({0, 1, -2});
        const std::array<std::array<bool, 3>, 2> wanted = {{{true, false, false}, {false, true, true}}};
        for (std::int64_t c = 0; c < 3; ++c) {
            const auto at = static_cast<std::size_t>(c);
            QCOMPARE(hides({flags, MaskConvention::keep}, 0, c), wanted[0][at]);
            QCOMPARE(hides({flags, MaskConvention::drop}, 0, c), wanted[1][at]);
        }
        const MaskPlane additive{
            row_of({0, -1, -9999, -10000, -1e9F, -kInf, std::numeric_limits<float>::lowest(), kNan}),
            MaskConvention::additive};
        const std::array<bool, 8> hidden = {false, false, false, true, true, true, true, false};
        for (std::int64_t c = 0; c < 8; ++c) QCOMPARE(hides(additive, 0, c), hidden[static_cast<std::size_t>(c)]);
    }

    void additive_thresholds_are_values_of_the_dtype() {
        QCOMPARE(additive_threshold(DType::f32), -1e4);
        QCOMPARE(additive_threshold(DType::f16), -1e4);
        QCOMPARE(additive_threshold(DType::bf16), -9984.0);  // 1e4 = 156.25 x 64, and 64 is the step of bfloat16 there
        QCOMPARE(additive_threshold(DType::f8_e4m3), -448.0);
        QCOMPARE(additive_threshold(DType::f8_e5m2), -10240.0);
    }

    void viewports_keep_to_whole_pixels() {
        QCOMPARE(fitting_pitch(10, 20, 1600, 900), 64.0);
        QCOMPARE(fitting_pitch(100, 300, 1600, 900), 5.0);  // 1600 / 300 = 5.33
        QCOMPARE(fitting_pitch(4096, 4096, 1600, 900), 900.0 / 4096);
        QVERIFY(fitting_pitch(10, 10, 0, 0) > 0);
        QCOMPARE(allowed_pitch(2.6), 3.0);
        QCOMPARE(allowed_pitch(0.4), 0.4);
        const Viewport moved = snapped({10.3, 7.9, 0.25, 100, 100});
        QCOMPARE(moved.col0, 12.0);  // 10.3 * 0.25 = 2.6, the pixel 3 begins at cell 12
        QCOMPARE(moved.row0, 8.0);
        const Viewport large{10.3, 7.9, 4, 100, 100};
        QVERIFY(snapped(large) == large);
    }

    void pooled_values_become_the_colours_of_the_scale() {
        std::mt19937 random(3);
        Pooled pooled;
        pooled.width = 397;
        pooled.height = 5;
        for (int i = 0; i < 397 * 5; ++i) {
            const bool state = random() % 7 == 0;
            pooled.state.push_back(state ? static_cast<CellState>(random() % kCellStateCount) : CellState::value);
            pooled.value.push_back(
                std::ldexp(static_cast<float>(random() % 4001) - 2000, -static_cast<int>(random() % 24)));
        }
        for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log, ScaleKind::symlog, ScaleKind::sqrt}) {
            for (const double hi : {1.0, 1500.0, 1.001}) {
                Look look;
                look.scale = make_scale(kind, kind == ScaleKind::log ? 1e-3 : hi == 1.001 ? 1.0 : -hi, hi, false, 1e-3);
                std::vector<Rgb> pixels(400 * 5);
                colour(pooled, look, pixels, 400);
                const Lut& map = lut(look.map, look.theme);
                for (int i = 0; i < 397 * 5; ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    const Rgb got = pixels[static_cast<std::size_t>(i / 397 * 400 + i % 397)];
                    if (pooled.state[at] != CellState::value) {
                        QCOMPARE(got, flat_colour(pooled.state[at], Theme::get(look.theme)));
                        continue;
                    }
                    // Linear scales calculate in floats and may be one entry off at the very edge of one.
                    const double position = position_of(look.scale, pooled.value[at]) * 256;
                    const auto entry = [&](double p) {
                        return map[static_cast<std::size_t>(std::clamp(p, 0.0, 255.0))];
                    };
                    const bool near_edge =
                        kind == ScaleKind::linear && (got == entry(position - 0.01) || got == entry(position + 0.01));
                    QVERIFY(got == colour_of(pooled.value[at], look) || near_edge);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(CellStateTest)
#include "cell_state_test.moc"
