// SPDX-License-Identifier: Apache-2.0
#include "tests/core/render/plane_reference.h"

#include "core/jobs/parallel.h"
#include "core/tensor/broadcast.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <set>
#include <string>

using namespace maskscope;
using namespace maskscope::render;

namespace {

// Everything counted cell by cell.
struct Counted {
    PlaneStats stats;
    Gutter gutter;
    std::vector<double> finite;  // visible, sorted
};

GutterLane lane_of(const std::set<int>& severities) {
    const auto state = [](int s) {
        return s == 3 ? CellState::nan : s == 2 ? CellState::posinf : s == 1 ? CellState::neginf : CellState::true_zero;
    };
    GutterLane lane;
    auto it = severities.rbegin();
    if (it != severities.rend()) lane.first = state(*it++);
    if (it != severities.rend()) lane.second = state(*it);
    return lane;
}

Counted count(const Plane& plane, const MaskPlane* mask) {
    Counted out;
    const auto rows = static_cast<std::size_t>(plane.rows());
    const auto cols = static_cast<std::size_t>(plane.cols());
    std::vector<std::set<int>> by_row(rows);
    std::vector<std::set<int>> by_col(cols);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < cols; ++c) {
            const auto row = static_cast<std::int64_t>(r);
            const auto col = static_cast<std::int64_t>(c);
            const CellState state = state_of(plane, mask, row, col);
            ++out.stats.counts[static_cast<std::size_t>(state)];
            if (state == CellState::true_zero || reference::severity(state) > 0) {
                by_row[r].insert(reference::severity(state));
                by_col[c].insert(reference::severity(state));
            }
            if (state != CellState::value && state != CellState::true_zero) continue;
            const double value = reference::value_of(plane, row, col);
            out.finite.push_back(value);
            if (value != 0 && std::abs(value) < smallest_normal(plane.tensor.dtype())) ++out.stats.subnormal;
        }
    }
    std::sort(out.finite.begin(), out.finite.end());
    out.stats.finite = static_cast<std::int64_t>(out.finite.size());
    if (!out.finite.empty()) {
        out.stats.min = out.finite.front();
        out.stats.max = out.finite.back();
        const auto positive = std::upper_bound(out.finite.begin(), out.finite.end(), 0.0);
        if (positive != out.finite.end()) out.stats.smallest_positive = *positive;
    }
    for (const auto& row : by_row) out.gutter.rows.push_back(lane_of(row));
    for (const auto& col : by_col) out.gutter.cols.push_back(lane_of(col));
    return out;
}

bool same(const PlaneStats& a, const PlaneStats& b) {
    return a.counts == b.counts && a.subnormal == b.subnormal && a.min == b.min && a.max == b.max &&
           a.smallest_positive == b.smallest_positive && a.finite == b.finite;
}

bool same(const std::vector<GutterLane>& a, const std::vector<GutterLane>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const GutterLane& x, const GutterLane& y) {
        return x.first == y.first && x.second == y.second;
    });
}

}  // namespace

class StatsTest : public QObject {
    Q_OBJECT
private slots:
    void counts_and_gutter_are_exact_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : reference::kDTypes) {
            QTest::newRow(std::string(name_of(dtype)).c_str()) << static_cast<int>(dtype);
        }
    }

    void counts_and_gutter_are_exact() {
        QFETCH(int, dtype);
        const auto type = static_cast<DType>(dtype);
        constexpr std::array<std::array<std::int64_t, 2>, 5> kSizes = {
            {{1, 1}, {7, 13}, {300, 37}, {66, 1500}, {0, 9}}};
        unsigned seed = static_cast<unsigned>(dtype) * 77;
        for (const auto& [rows, cols] : kSizes) {
            for (const auto layout : reference::kLayouts) {
                for (const double zeros : {0.0, 0.01, 0.6}) {
                    Plane plane{reference::random_plane(type, rows, cols, layout, zeros, ++seed), {}};
                    if (seed % 3 == 0 && rows > 0) plane.masked_value = reference::value_of(plane, rows / 2, cols / 2);
                    std::optional<MaskPlane> mask;
                    if (seed % 2 == 0) {
                        mask = MaskPlane{reference::random_flags(rows, cols, 0.4, seed), MaskConvention::keep};
                    }
                    HeatmapData data(plane, mask);
                    QVERIFY(data.prepare(JobContext()).ok());
                    const Counted wanted = count(plane, mask ? &*mask : nullptr);
                    QVERIFY(same(data.stats(), wanted.stats));
                    QVERIFY(same(data.gutter().rows, wanted.gutter.rows));
                    QVERIFY(same(data.gutter().cols, wanted.gutter.cols));
                }
            }
        }
    }

    void an_additive_mask_shows_as_masked_by_value() {
        auto tensor = *Tensor::zeros(Shape{4, 4}, DType::f32);
        for (int r = 0; r < 4; ++r) {
            for (int c = r + 1; c < 4; ++c) {
                tensor.writable_as<float>()[r * 4 + c] = -std::numeric_limits<float>::infinity();
            }
        }
        HeatmapData data({tensor, -std::numeric_limits<double>::infinity()}, {});
        QVERIFY(data.prepare(JobContext()).ok());
        const auto& counts = data.stats().counts;
        QCOMPARE(counts[static_cast<std::size_t>(CellState::masked)], std::int64_t{6});
        QCOMPARE(counts[static_cast<std::size_t>(CellState::neginf)], std::int64_t{0});
        QCOMPARE(counts[static_cast<std::size_t>(CellState::true_zero)], std::int64_t{10});
        QCOMPARE(data.gutter().rows[0].first, CellState::true_zero);
        QCOMPARE(data.gutter().rows[0].second, CellState::value);
    }

    void threads_do_not_change_a_count() {
        const Plane plane{reference::random_plane(DType::f64, 700, 900, reference::Layout::transposed, 0.2, 4), {}};
        const MaskPlane mask{*expand(reference::random_flags(1, 900, 0.3, 5), Shape{700, 900}), MaskConvention::drop};
        const Counted wanted = count(plane, &mask);
        for (const int threads : {1, 2, 5}) {
            set_thread_count(threads);
            HeatmapData data(plane, mask);
            QVERIFY(data.prepare(JobContext()).ok());
            QVERIFY(same(data.stats(), wanted.stats));
            QVERIFY(same(data.gutter().cols, wanted.gutter.cols));
        }
        set_thread_count(0);
    }

    void percentiles_are_order_statistics() {
        for (const DType type : reference::kDTypes) {
            Plane plane{reference::random_plane(type, 90, 110, reference::Layout::every_second, 0.2, 6), {}};
            const MaskPlane mask{reference::random_flags(90, 110, 0.3, 7), MaskConvention::drop};
            const HeatmapData data(plane, mask);
            const std::vector<double> fractions = {0, 0.01, 0.25, 0.5, 0.731, 0.99, 1};
            const auto got = data.percentiles(fractions, JobContext());
            QVERIFY(got.ok());
            const auto sorted = count(plane, &mask).finite;
            for (std::size_t i = 0; i < fractions.size(); ++i) {
                const double at = fractions[i] * static_cast<double>(sorted.size() - 1);
                const auto low = static_cast<std::size_t>(at);
                const auto high = std::min(low + 1, sorted.size() - 1);
                const double wanted = sorted[low] + (sorted[high] - sorted[low]) * (at - std::floor(at));
                QCOMPARE((*got)[i], wanted);
            }
        }
        auto only_nan = *Tensor::zeros(Shape{1, 1}, DType::f32);
        only_nan.writable_as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
        const auto none = HeatmapData({only_nan, {}}, {}).percentiles({0.5}, JobContext());
        QCOMPARE(none.value()[0], 0.0);
    }

    void histograms_count_each_bin() {
        for (const DType type : {DType::f32, DType::f64, DType::f16, DType::u8, DType::i32, DType::u64}) {
            const Plane plane{reference::random_plane(type, 120, 80, reference::Layout::contiguous, 0.1, 16), {}};
            const auto sorted = count(plane, nullptr).finite;
            for (const bool log : {false, true}) {
                const double hi = sorted[sorted.size() - 10];
                const double lo = log ? hi * 1e-3 : sorted[10];
                if (!(hi > lo)) continue;
                std::vector<std::int64_t> wanted(37);
                for (const double value : sorted) {
                    if (value < lo || value > hi) continue;
                    const double x = log ? (std::log10(value) - std::log10(lo)) / (std::log10(hi) - std::log10(lo))
                                         : (value - lo) / (hi - lo);
                    ++wanted[std::min<std::size_t>(static_cast<std::size_t>(x * 37), 36)];
                }
                const auto got = HeatmapData(plane, {}).histogram(lo, hi, log, 37, JobContext());
                QVERIFY(got.ok());
                QCOMPARE(*got, wanted);
            }
        }
    }

    void next_walks_through_all_cells_of_a_state() {
        Plane plane{reference::random_plane(DType::f32, 200, 170, reference::Layout::transposed, 0.05, 3), {}};
        const MaskPlane mask{reference::random_flags(200, 170, 0.02, 7), MaskConvention::drop};
        HeatmapData data(plane, mask);
        for (const bool prepared : {false, true}) {
            if (prepared) QVERIFY(data.prepare(JobContext()).ok());
            for (const CellState state :
                 {CellState::nan, CellState::posinf, CellState::neginf, CellState::true_zero, CellState::masked}) {
                std::vector<std::pair<std::int64_t, std::int64_t>> wanted;
                for (std::int64_t r = 0; r < 200; ++r) {
                    for (std::int64_t c = 0; c < 170; ++c) {
                        if (state_of(plane, &mask, r, c) == state) wanted.emplace_back(r, c);
                    }
                }
                QVERIFY(!wanted.empty());
                std::pair<std::int64_t, std::int64_t> at = wanted.back();
                for (const auto& expected : wanted) {  // the first one by wrapping around
                    const auto next = data.next_of(state, at.first, at.second);
                    QVERIFY(next.has_value());
                    QVERIFY(*next == expected);
                    at = *next;
                }
            }
        }
        QVERIFY(!data.next_of(CellState::underflow, 0, 0).has_value());
        QVERIFY(!data.next_of(CellState::outside, 0, 0).has_value());
        auto tiny = *Tensor::zeros(Shape{3, 100}, DType::f32);
        tiny.writable_as<float>()[250] = 1e-40F;
        HeatmapData other({tiny, {}}, {});
        QVERIFY(other.prepare(JobContext()).ok());
        QCOMPARE(other.stats().subnormal, std::int64_t{1});
        const std::pair<std::int64_t, std::int64_t> wanted{2, 50};
        QVERIFY(other.next_of(CellState::subnormal, 2, 50) == std::optional(wanted));
        QVERIFY(!other.next_of(CellState::nan, 0, 0).has_value());
    }

    void a_file_that_changes_is_told() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("weights.bin").toStdString();
        std::ofstream(path, std::ios::binary) << std::string(4000, '\1');
        const auto file = *MappedFile::open(path);
        const auto tensor = *Tensor::view_of(Storage::mapped(file, 0, 4000), DType::f32, Shape{10, 100}, {100, 1}, 0);
        HeatmapData data({tensor, {}}, {});
        std::ofstream(path, std::ios::binary | std::ios::app) << "more";
        const auto result = data.prepare(JobContext());
        QVERIFY(!result.ok());
        QVERIFY(result.error().text().find("weights.bin changed on disk; reload it") != std::string::npos);
        QVERIFY(!data.prepared());
    }

    void progress_reaches_the_number_of_cells() {
        const Plane plane{reference::random_plane(DType::f32, 100, 90, reference::Layout::contiguous, 0, 3), {}};
        Progress progress;
        HeatmapData data(plane, {});
        QVERIFY(data.prepare(JobContext({}, &progress)).ok());
        QCOMPARE(progress.total.load(), std::int64_t{9000});
        QCOMPARE(progress.done.load(), std::int64_t{9000});
    }
};

QTEST_APPLESS_MAIN(StatsTest)
#include "stats_test.moc"
