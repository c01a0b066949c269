// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/tensor.h"

#include "core/tensor/find_nan.h"

#include <QTest>

#include <limits>
#include <numeric>

using namespace maskscope;

namespace {

Tensor counting(const Shape& shape) {
    auto tensor = Tensor::zeros(shape, DType::f32);
    std::iota(tensor->writable_as<float>(), tensor->writable_as<float>() + tensor->numel(), 0.0F);
    return *tensor;
}

double at(const Tensor& tensor, std::initializer_list<std::int64_t> index) {
    return to_double(tensor.at({index.begin(), index.size()}));
}

}  // namespace

class TensorTest : public QObject {
    Q_OBJECT
private slots:
    void rank_zero_has_one_element() {
        const auto tensor = Tensor::zeros({}, DType::f64);
        QCOMPARE(tensor->numel(), std::int64_t{1});
        QCOMPARE(tensor->byte_size(), std::size_t{8});
        QVERIFY(tensor->is_contiguous());
    }
    void an_empty_shape_has_no_bytes() {
        const auto tensor = Tensor::zeros({0, 3}, DType::f32);
        QCOMPARE(tensor->numel(), std::int64_t{0});
        QVERIFY(tensor->is_contiguous());
    }
    void rank_twelve_works() {
        const Tensor tensor = counting(Dims::filled(kMaxRank, 2));
        QCOMPARE(tensor.numel(), std::int64_t{4096});
        const std::vector<std::int64_t> last(kMaxRank, 1);
        QCOMPARE(to_double(tensor.at(last)), 4095.0);
    }
    void a_shape_too_large_for_63_bits_is_refused() {
        const auto tensor = Tensor::zeros({std::int64_t{1} << 40, std::int64_t{1} << 40}, DType::f32);
        QVERIFY(!tensor);
        QVERIFY(tensor.error().message.text().find("63 bits") != std::string::npos);
    }
    void more_than_the_budget_is_refused_and_counts_nothing() {
        const auto before = memory_in_use();
        const auto budget = memory_budget();
        set_memory_budget(before + 1000);
        const auto refused = Tensor::zeros({2000}, DType::u8);
        const auto granted = Tensor::zeros({900}, DType::u8);
        set_memory_budget(budget);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, ErrorKind::unavailable);
        QVERIFY(granted.ok());
        QCOMPARE(memory_in_use(), before + 900);
    }
    void views_share_and_stride() {
        const Tensor tensor = counting({2, 3, 4});  // element [i, j, k] = 12 i + 4 j + k
        QCOMPARE(at(tensor.select(1, 2), {1, 3}), 23.0);
        QCOMPARE(at(tensor.narrow(2, 1, 2, 2), {0, 0, 1}), 3.0);
        QCOMPARE(at(tensor.transpose(0, 2), {3, 1, 1}), 19.0);
        QCOMPARE(tensor.unsqueeze(1).shape(), (Shape{2, 1, 3, 4}));
        QVERIFY(!tensor.transpose(0, 2).is_contiguous());
        QCOMPARE(tensor.select(0, 1).storage().get(), tensor.storage().get());
    }
    void contiguous_copies_in_row_major_order() {
        const auto copy = counting({2, 3}).transpose(0, 1).contiguous();
        const float expected[] = {0, 3, 1, 4, 2, 5};
        for (int i = 0; i < 6; ++i) QCOMPARE(copy->data_as<float>()[i], expected[i]);
    }
    void a_view_outside_its_storage_is_refused_data() {
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("offset");
        QTest::addColumn<bool>("fits");
        QTest::newRow("the last element") << 3 << 2 << true;  // 2 + 3 * 3 = 11
        QTest::newRow("one beyond") << 3 << 3 << false;       // 12
        QTest::newRow("backwards") << -3 << 9 << true;        // 0
        QTest::newRow("below zero") << -3 << 8 << false;      // -1
        QTest::newRow("negative offset") << 0 << -1 << false;
    }
    void a_view_outside_its_storage_is_refused() {
        QFETCH(int, stride);
        QFETCH(int, offset);
        QFETCH(bool, fits);
        const Tensor twelve = counting({12});
        QCOMPARE(Tensor::view_of(twelve.storage(), DType::f32, {4}, {stride}, offset).ok(), fits);
    }
    void strides_that_overflow_are_refused() {
        const Tensor tensor = counting({4});
        const auto huge = std::numeric_limits<std::int64_t>::max() / 2;
        QVERIFY(!Tensor::view_of(tensor.storage(), DType::f32, {4}, {huge}, 0));
    }
    void the_first_nan_is_found_in_row_major_order() {
        Tensor tensor = counting({3, 50, 40});
        QVERIFY(!find_first_nan(tensor, {}));
        tensor.writable_as<float>()[2 * 2000 + 3] = std::numeric_limits<float>::quiet_NaN();
        tensor.writable_as<float>()[1 * 2000 + 49 * 40 + 39] = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(*find_first_nan(tensor, {}), (std::vector<std::int64_t>{1, 49, 39}));
        // In the transposed view the other one comes first: [40, 50, 3] at key 3.
        QCOMPARE(*find_first_nan(tensor.transpose(0, 2), {}), (std::vector<std::int64_t>{3, 0, 2}));
    }
    void a_cancelled_search_finds_nothing() {
        Tensor tensor = counting({10});
        tensor.writable_as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!find_first_nan(tensor, JobContext(stop.get_token())));
    }
};

QTEST_APPLESS_MAIN(TensorTest)
#include "tensor_test.moc"
