// SPDX-License-Identifier: Apache-2.0
#include "tests/core/render/plane_reference.h"

#include "core/jobs/parallel.h"
#include "core/tensor/broadcast.h"

#include <QTest>

#include <string>
#include <thread>

using namespace maskscope;
using namespace maskscope::render;

namespace {

QString differ(const Pooled& got, const Pooled& wanted) {
    if (got.width != wanted.width || got.height != wanted.height) {
        return QString("size %1 x %2, not %3 x %4").arg(got.width).arg(got.height).arg(wanted.width).arg(wanted.height);
    }
    for (std::size_t i = 0; i < wanted.state.size(); ++i) {
        const bool same_value = got.value[i] == wanted.value[i];
        if (got.state[i] == wanted.state[i] && same_value) continue;
        return QString("at x %1 y %2: %3 %4, not %5 %6")
            .arg(i % static_cast<std::size_t>(wanted.width))
            .arg(i / static_cast<std::size_t>(wanted.width))
            .arg(QString::fromStdString(std::string(name_of(got.state[i]))))
            .arg(static_cast<double>(got.value[i]))
            .arg(QString::fromStdString(std::string(name_of(wanted.state[i]))))
            .arg(static_cast<double>(wanted.value[i]));
    }
    return {};
}

struct Case {
    std::int64_t rows;
    std::int64_t cols;
};
constexpr std::array<Case, 6> kSizes = {{{1, 1}, {7, 13}, {1000, 37}, {64, 300}, {5, 2100}, {257, 130}}};
constexpr std::array<double, 7> kPitches = {0.9, 0.5, 1.0 / 3, 0.13, 1.0 / 16, 0.041, 0.004};

MaskPlane drop_mask(Tensor flags) {
    return {std::move(flags), MaskConvention::drop};
}

}  // namespace

class PoolTest : public QObject {
    Q_OBJECT
private slots:
    void every_dtype_matches_the_definition_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : reference::kDTypes) {
            QTest::newRow(std::string(name_of(dtype)).c_str()) << static_cast<int>(dtype);
        }
    }

    void every_dtype_matches_the_definition() {
        QFETCH(int, dtype);
        const auto type = static_cast<DType>(dtype);
        unsigned seed = static_cast<unsigned>(dtype) * 1000;
        int turn = 0;
        for (const auto& [rows, cols] : kSizes) {
            for (const auto layout : reference::kLayouts) {
                const double zeros = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 0.4 : 0.7;
                Plane plane{reference::random_plane(type, rows, cols, layout, zeros, ++seed), {}};
                if (seed % 2 == 0) plane.masked_value = reference::value_of(plane, rows / 2, cols / 2);
                HeatmapData data(plane, {});
                QVERIFY(data.prepare(JobContext()).ok());
                const std::int64_t top = rows / 5;
                for (const double pitch : kPitches) {
                    const Viewport viewport{-3.0, static_cast<double>(top), pitch, 70, 40};
                    const PoolRule rule = turn++ % 2 == 0 ? PoolRule::largest : PoolRule::magnitude;
                    const Pooled got = data.pool(viewport, rule);
                    QVERIFY(got.exact && !got.is_cells);
                    const QString why = differ(got, reference::pool(plane, nullptr, viewport, rule));
                    QVERIFY2(why.isEmpty(), qPrintable(QString("%1 x %2 layout %3 pitch %4 rule %5: %6")
                                                           .arg(rows)
                                                           .arg(cols)
                                                           .arg(static_cast<int>(layout))
                                                           .arg(pitch)
                                                           .arg(static_cast<int>(rule))
                                                           .arg(why)));
                }
            }
        }
    }

    void masks_match_the_definition() {
        unsigned seed = 5;
        for (const auto& [rows, cols] : kSizes) {
            for (const DType type : {DType::f32, DType::f16, DType::u8, DType::i64, DType::f8_e5m2}) {
                // Nothing hidden, a causal half, noise, key padding, query padding, everything.
                for (int kind = 0; kind < 6; ++kind) {
                    ++seed;
                    const auto layout = reference::kLayouts[seed % 3];
                    Plane plane{reference::random_plane(type, rows, cols, layout, 0.3, seed), {}};
                    if (seed % 2 == 0) plane.masked_value = reference::value_of(plane, rows / 2, cols / 2);
                    Tensor flags = reference::random_flags(rows, cols, kind == 2 ? 0.5 : kind == 5 ? 1 : 0, seed);
                    if (kind == 1) {
                        for (std::int64_t r = 0; r < rows; ++r) {
                            for (std::int64_t c = r + 1; c < cols; ++c)
                                flags.writable_as<std::uint8_t>()[r * cols + c] = 1;
                        }
                    }
                    if (kind == 3) flags = *expand(reference::random_flags(1, cols, 0.3, seed), Shape{rows, cols});
                    if (kind == 4) flags = *expand(reference::random_flags(rows, 1, 0.3, seed), Shape{rows, cols});
                    const MaskPlane mask = drop_mask(flags);
                    HeatmapData data(plane, mask);
                    QVERIFY(data.prepare(JobContext()).ok());
                    for (const double pitch : kPitches) {
                        const Viewport viewport{-2.0, 0, pitch, 60, 50};
                        const PoolRule rule = seed % 2 == 0 ? PoolRule::largest : PoolRule::magnitude;
                        const Pooled got = data.pool(viewport, rule);
                        QVERIFY(got.exact);
                        const QString why = differ(got, reference::pool(plane, &mask, viewport, rule));
                        QVERIFY2(why.isEmpty(), qPrintable(QString("%1 x %2 %3 kind %4 pitch %5: %6")
                                                               .arg(rows)
                                                               .arg(cols)
                                                               .arg(std::string(name_of(type)).c_str())
                                                               .arg(kind)
                                                               .arg(pitch)
                                                               .arg(why)));
                    }
                }
            }
        }
    }

    void from_pitch_one_up_the_grid_is_the_visible_cells() {
        const Plane plane{reference::random_plane(DType::f32, 300, 200, reference::Layout::contiguous, 0.3, 9), {}};
        const MaskPlane mask = drop_mask(reference::random_flags(300, 200, 0.3, 10));
        const HeatmapData data(plane, mask);
        const Pooled got = data.pool({10.5, -4, 3, 400, 90}, PoolRule::largest);
        QVERIFY(got.is_cells && got.exact);
        QCOMPARE(got.first_col, std::int64_t{10});
        QCOMPARE(got.first_row, std::int64_t{0});
        QCOMPARE(got.width, 134);  // 10.5 + 400 / 3 = 143.8
        QCOMPARE(got.height, 26);  // -4 + 90 / 3
        for (int y = 0; y < got.height; ++y) {
            for (int x = 0; x < got.width; ++x) {
                const auto at = static_cast<std::size_t>(y * got.width + x);
                const CellState state = state_of(plane, &mask, y, x + 10);
                QCOMPARE(got.state[at], state);
                const double value = state == CellState::value ? reference::value_of(plane, y, x + 10) : 0;
                QCOMPARE(got.value[at], static_cast<float>(value));
            }
        }
        const Pooled beyond = data.pool({500, 0, 2, 100, 100}, PoolRule::largest);
        QCOMPARE(beyond.width, 0);
    }

    void pans_share_their_pixels() {
        const Plane plane{reference::random_plane(DType::f32, 500, 700, reference::Layout::contiguous, 0.1, 21), {}};
        HeatmapData data(plane, {});
        QVERIFY(data.prepare(JobContext()).ok());
        const double pitch = 0.37;
        const Pooled first = data.pool({0, 0, pitch, 200, 100}, PoolRule::largest);
        const Pooled moved = data.pool({11 / pitch + 0.3, 7 / pitch - 0.2, pitch, 150, 80}, PoolRule::largest);
        for (int y = 0; y < 80; ++y) {
            for (int x = 0; x < 150; ++x) {
                const auto a = static_cast<std::size_t>((y + 7) * 200 + x + 11);
                const auto b = static_cast<std::size_t>(y * 150 + x);
                QCOMPARE(moved.state[b], first.state[a]);
                QCOMPARE(moved.value[b], first.value[a]);
            }
        }
    }

    void one_nan_in_a_billion_cells_is_seen() {
        // 32768 x 32768 over one column of storage: row 20000 is NaN.
        auto column = *Tensor::zeros(Shape{32768, 1}, DType::f32);
        column.writable_as<float>()[20000] = std::numeric_limits<float>::quiet_NaN();
        auto row = *Tensor::zeros(Shape{1, 32768}, DType::f32);
        row.writable_as<float>()[12345] = std::numeric_limits<float>::quiet_NaN();
        HeatmapData data({*expand(row, Shape{32768, 32768}), {}}, {});
        QVERIFY(data.prepare(JobContext()).ok());
        QCOMPARE(data.stats().counts[static_cast<std::size_t>(CellState::nan)], std::int64_t{32768});
        const Pooled wide = data.pool({0, 0, 900.0 / 32768, 900, 900}, PoolRule::largest);
        const auto nan_pixel = static_cast<std::size_t>(12345 * 900 / 32768);
        QCOMPARE(wide.state[450 * 900 + nan_pixel], CellState::nan);
        QCOMPARE(std::count(wide.state.begin() + 450 * 900, wide.state.begin() + 451 * 900, CellState::nan), 3);

        HeatmapData tall({*expand(column, Shape{32768, 3000}), {}}, {});
        QVERIFY(tall.prepare(JobContext()).ok());
        const Pooled narrow = tall.pool({0, 0, 900.0 / 32768, 900, 900}, PoolRule::magnitude);
        const auto line = static_cast<std::size_t>(20000 * 900 / 32768);
        QCOMPARE(narrow.state[line * 900 + 10], CellState::nan);
        QCOMPARE(narrow.state[(line + 2) * 900 + 10], CellState::true_zero);
    }

    void a_lone_nan_is_three_pixels_wide_and_high() {
        auto tensor = *Tensor::zeros(Shape{4000, 4000}, DType::f32);
        for (int i = 0; i < 4000 * 4000; ++i) tensor.writable_as<float>()[i] = 1;
        tensor.writable_as<float>()[1000 * 4000 + 2000] = std::numeric_limits<float>::quiet_NaN();
        tensor.writable_as<float>()[1000 * 4000 + 2024] = -std::numeric_limits<float>::infinity();
        HeatmapData data({tensor, {}}, {});
        QVERIFY(data.prepare(JobContext()).ok());
        const Pooled got = data.pool({0, 0, 0.05, 200, 200}, PoolRule::largest);
        for (int y = 48; y <= 52; ++y) {
            for (int x = 98; x <= 103; ++x) {
                const bool near_row = y >= 49 && y <= 51;
                const CellState wanted = near_row && x >= 99 && x <= 101 ? CellState::nan
                                         : near_row && x == 102          ? CellState::neginf
                                                                         : CellState::value;
                QCOMPARE(got.state[static_cast<std::size_t>(y * 200 + x)], wanted);
            }
        }
    }

    void doubles_beyond_float_keep_their_state() {
        auto tensor = *Tensor::zeros(Shape{1, 4}, DType::f64);
        double* cells = tensor.writable_as<double>();
        cells[0] = 1e-300;
        cells[1] = 1e300;
        cells[2] = -1e300;
        cells[3] = 0;
        const HeatmapData data({tensor, {}}, {});
        const Pooled got = data.pool({0, 0, 1, 4, 1}, PoolRule::largest);
        QCOMPARE(got.state[0], CellState::value);
        QVERIFY(got.value[0] > 0);
        QCOMPARE(got.state[1], CellState::value);
        QCOMPARE(got.value[1], std::numeric_limits<float>::max());
        QCOMPARE(got.value[2], std::numeric_limits<float>::lowest());
        QCOMPARE(got.state[3], CellState::true_zero);
    }

    void a_sampled_picture_comes_before_the_pass() {
        for (const auto layout : reference::kLayouts) {
            const Plane plane{reference::random_plane(DType::f32, 900, 1100, layout, 0, 33), {}};
            HeatmapData data(plane, {});
            const Viewport viewport{0, 0, 0.03, 40, 30};
            const Pooled early = data.pool(viewport, PoolRule::largest);
            QVERIFY(!early.exact);
            QCOMPARE(early.state[35], CellState::outside);  // 1100 * 0.03 = 33
            QVERIFY(early.state[5] != CellState::outside);
            QVERIFY(data.prepare(JobContext()).ok());
            QVERIFY(data.pool(viewport, PoolRule::largest).exact);
        }
    }

    void a_mask_of_noise_is_refined_in_the_background() {
        const std::int64_t side = 3000;
        const Plane plane{reference::random_plane(DType::f16, side, side, reference::Layout::contiguous, 0, 3), {}};
        const MaskPlane mask = drop_mask(reference::random_flags(side, side, 0.5, 4));
        HeatmapData data(plane, mask);
        QVERIFY(data.prepare(JobContext()).ok());
        const Viewport viewport{0, 0, 0.06, 180, 180};
        QVERIFY(!data.pool(viewport, PoolRule::largest).exact);
        const auto exact = data.pool_exact(viewport, PoolRule::largest, JobContext());
        QVERIFY(exact.ok());
        const QString why = differ(*exact, reference::pool(plane, &mask, viewport, PoolRule::largest));
        QVERIFY2(why.isEmpty(), qPrintable(why));
        const Pooled again = data.pool(viewport, PoolRule::largest);
        QVERIFY(again.exact);
        QCOMPARE(differ(again, *exact), QString());
    }

    void the_picture_does_not_depend_on_the_number_of_threads() {
        const Plane plane{reference::random_plane(DType::f32, 1000, 1300, reference::Layout::transposed, 0.2, 8), {}};
        const MaskPlane mask = drop_mask(reference::random_flags(1000, 1300, 0.1, 4));
        std::optional<Pooled> first;
        for (const int threads : {1, 2, 5}) {
            set_thread_count(threads);
            HeatmapData data(plane, mask);
            QVERIFY(data.prepare(JobContext()).ok());
            const Pooled got = data.pool({0, 0, 0.05, 65, 50}, PoolRule::magnitude);
            if (first) QCOMPARE(differ(got, *first), QString());
            first = got;
        }
        set_thread_count(0);
    }

    void pictures_are_pooled_while_the_pass_runs() {
        const Plane plane{reference::random_plane(DType::f32, 1500, 1500, reference::Layout::contiguous, 0.2, 8), {}};
        HeatmapData data(plane, drop_mask(reference::random_flags(1500, 1500, 0.01, 4)));
        std::thread pass([&] { (void)data.prepare(JobContext()); });
        const Viewport viewport{0, 0, 0.04, 60, 60};
        while (!data.pool(viewport, PoolRule::largest).exact) std::this_thread::yield();
        pass.join();
        QVERIFY(data.prepared());
        QCOMPARE(differ(data.pool(viewport, PoolRule::largest),
                        reference::pool(plane, data.mask(), viewport, PoolRule::largest)),
                 QString());
    }

    void empty_planes_are_outside() {
        for (const Shape& shape : {Shape{0, 5}, Shape{5, 0}, Shape{0, 0}}) {
            HeatmapData data({*Tensor::zeros(shape, DType::f32), {}}, {});
            QVERIFY(data.prepare(JobContext()).ok());
            const Pooled got = data.pool({0, 0, 0.5, 3, 3}, PoolRule::largest);
            QCOMPARE(std::count(got.state.begin(), got.state.end(), CellState::outside), 9);
            QVERIFY(data.pool({0, 0, 2, 3, 3}, PoolRule::largest).state.empty());
        }
    }

    void a_cancelled_pass_leaves_the_data_as_it_was() {
        const Plane plane{reference::random_plane(DType::f32, 100, 100, reference::Layout::contiguous, 0, 1), {}};
        HeatmapData data(plane, {});
        std::stop_source stop;
        stop.request_stop();
        const auto result = data.prepare(JobContext(stop.get_token()));
        QVERIFY(!result.ok());
        QCOMPARE(result.error().kind, ErrorKind::cancelled);
        QVERIFY(!data.prepared());
        QVERIFY(!data.pool_exact({0, 0, 0.5, 50, 50}, PoolRule::largest, JobContext(stop.get_token())).ok());
    }
};

QTEST_APPLESS_MAIN(PoolTest)
#include "pool_test.moc"
