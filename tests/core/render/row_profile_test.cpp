// SPDX-License-Identifier: Apache-2.0
#include "core/render/pool/row_profile.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

using namespace maskscope;
using namespace maskscope::render;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Tensor tensor_of(const Shape& shape, const std::vector<double>& values) {
    auto tensor = Tensor::zeros(shape, DType::f64);
    std::copy(values.begin(), values.end(), tensor->writable_as<double>());
    return *tensor;
}

MaskPlane keep_of(const Shape& shape, const std::vector<bool>& values) {
    auto tensor = Tensor::zeros(shape, DType::boolean);
    std::copy(values.begin(), values.end(), tensor->writable_as<bool>());
    return {*tensor, MaskConvention::keep};
}

}  // namespace

class RowProfileTest : public QObject {
    Q_OBJECT
private slots:
    void a_distribution() {
        // p = 1/2, 1/4, 1/8, 1/8: H = 1/2 + 2/4 + 3/8 + 3/8 = 1.75 bit.
        const Plane plane{tensor_of({2, 5}, {9, 9, 9, 9, 9, 0.125, 0.5, 0.0, 0.25, 0.125}), {}};
        const auto row = row_profile(plane, nullptr, 1);
        QCOMPARE(row.sum, 1.0);
        QCOMPARE(row.visible, 5);
        QVERIFY(row.entropy_bits.has_value());
        QCOMPARE(*row.entropy_bits, 1.75);
        QCOMPARE(*row.max, 0.5);
        QCOMPARE(row.argmax, 1);
        QVERIFY(row.states[2] == CellState::true_zero);
        QCOMPARE(row.values[3], 0.25);
    }
    void entropy_is_of_the_shares() {
        // Two equal weights that sum to 3: still one bit.
        const Plane plane{tensor_of({1, 2}, {1.5, 1.5}), {}};
        QCOMPARE(*row_profile(plane, nullptr, 0).entropy_bits, 1.0);
        // All on one key: zero, not -0.
        const Plane sure{tensor_of({1, 3}, {0, 1, 0}), {}};
        QCOMPARE(*row_profile(sure, nullptr, 0).entropy_bits, 0.0);
        QVERIFY(!std::signbit(*row_profile(sure, nullptr, 0).entropy_bits));
    }
    void masked_cells_count_nowhere() {
        const Plane plane{tensor_of({1, 4}, {0.5, 7, 0.25, 0.25}), {}};
        const auto keep_mask = keep_of({1, 4}, {true, false, true, true});
        const auto row = row_profile(plane, &keep_mask, 0);
        QCOMPARE(row.visible, 3);
        QCOMPARE(row.sum, 1.0);
        QCOMPARE(*row.max, 0.5);
        QCOMPARE(*row.entropy_bits, 1.5);
        QVERIFY(row.states[1] == CellState::masked);
        QCOMPARE(row.values[1], 7.0);
    }
    void no_distribution_has_no_entropy() {
        const std::vector<std::vector<double>> rows{{0.5, kNan}, {0.5, kInf}, {1.5, -0.5}, {0, 0}};
        for (const auto& values : rows) {
            const Plane plane{tensor_of({1, 2}, values), {}};
            QVERIFY(!row_profile(plane, nullptr, 0).entropy_bits.has_value());
        }
        const Plane nan{tensor_of({1, 2}, {0.5, kNan}), {}};
        QVERIFY(std::isnan(row_profile(nan, nullptr, 0).sum));
        QCOMPARE(*row_profile(nan, nullptr, 0).max, 0.5);
        const Plane scores{tensor_of({1, 2}, {-3, -2}), {}};
        QCOMPARE(*row_profile(scores, nullptr, 0).max, -2.0);
    }
    void masked_by_value() {
        const Plane plane{tensor_of({1, 3}, {2, -kInf, 1}), -kInf};
        const auto row = row_profile(plane, nullptr, 0);
        QCOMPARE(row.visible, 2);
        QCOMPARE(row.sum, 3.0);
    }
    void nothing_visible() {
        const Plane plane{tensor_of({1, 2}, {0.5, 0.5}), {}};
        const auto keep_mask = keep_of({1, 2}, {false, false});
        const auto row = row_profile(plane, &keep_mask, 0);
        QCOMPARE(row.visible, 0);
        QCOMPARE(row.sum, 0.0);
        QVERIFY(!row.max.has_value());
        QCOMPARE(row.argmax, -1);
    }
    void mean_of_slices() {
        const auto stack = tensor_of({2, 4}, {1, 2, -kInf, kNan, 3, 6, 5, 1});
        const std::vector<CellState> visible(4, CellState::value);
        const auto mean = mean_over_slices(stack, -kInf, visible);
        QCOMPARE(mean[0], 2.0);
        QCOMPARE(mean[1], 4.0);
        QCOMPARE(mean[2], 5.0);  // the other slice is masked there
        QVERIFY(std::isnan(mean[3]));
        auto states = visible;
        states[0] = CellState::masked;
        QVERIFY(std::isnan(mean_over_slices(stack, -kInf, states)[0]));
    }
    void mean_entropy() {
        const Plane plane{tensor_of({3, 2}, {0.5, 0.5, 1, 0, kNan, 1}), {}};
        QCOMPARE(*mean_entropy_bits(plane, nullptr), 0.5);  // of 1 and 0; the NaN row is none
    }
    void pooled_rows() {
        const Plane plane{tensor_of({1, 8}, {0.1, 0.9, 0, 0, 0.3, kNan, 0.2, 0.4}), {}};
        const auto profile = row_profile(plane, nullptr, 0);
        const auto half = pool_row(profile, 4);
        QCOMPARE(half.values.size(), std::size_t{4});
        QCOMPARE(half.values[0], 0.9);
        QVERIFY(half.states[1] == CellState::true_zero);
        QVERIFY(half.states[2] == CellState::nan);
        QVERIFY(half.states[3] == CellState::value);
        QCOMPARE(half.values[3], 0.4);
        const auto whole = pool_row(profile, 100);
        QCOMPARE(whole.values.size(), std::size_t{8});
        QVERIFY(whole.states[2] == CellState::true_zero);
    }
};

QTEST_APPLESS_MAIN(RowProfileTest)
#include "row_profile_test.moc"
