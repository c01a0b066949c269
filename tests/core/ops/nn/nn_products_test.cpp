// SPDX-License-Identifier: Apache-2.0
// Products of sizes around the blocks and tiles that they are cut into, against plain sums in double.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/op_table.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

Tensor counted(const Shape& shape, DType dtype, std::int64_t seed) {
    auto out = Tensor::zeros(shape, dtype);
    for (std::int64_t i = 0; i < out->numel(); ++i) {
        const std::int64_t value = (i * 7919 + seed * 104729) % 257 - 128;
        if (dtype == DType::f32) out->writable_as<float>()[i] = static_cast<float>(value) / 64;
        if (dtype == DType::f64) out->writable_as<double>()[i] = static_cast<double>(value) / 64;
        if (dtype == DType::i32) out->writable_as<std::int32_t>()[i] = static_cast<std::int32_t>(value);
    }
    return *out;
}

double at(const Tensor& tensor, std::int64_t row, std::int64_t column) {
    const std::int64_t index[] = {row, column};
    return to_double(tensor.at(index));
}

void compare(const Tensor& a, const Tensor& b, const Tensor& out) {
    QCOMPARE(out.size(0), a.size(0));
    QCOMPARE(out.size(1), b.size(1));
    const double tolerance = out.dtype() == DType::f64 ? 1e-12 : out.dtype() == DType::f32 ? 1e-4 : 0;
    for (std::int64_t i = 0; i < out.size(0); ++i) {
        for (std::int64_t j = 0; j < out.size(1); ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < a.size(1); ++k) sum += at(a, i, k) * at(b, k, j);
            if (std::abs(at(out, i, j) - sum) > tolerance * (1 + std::abs(sum)))
                QFAIL(qPrintable(QString("[%1, %2] is %3 and not %4").arg(i).arg(j).arg(at(out, i, j)).arg(sum)));
        }
    }
}

}  // namespace

class NnProductsTest : public QObject {
    Q_OBJECT

private slots:
    void blocks_data();
    void blocks();
    void strided();
    void repeated_batch_is_not_expanded();
    void int64_wraps();
    void threads_do_not_matter();
    void shapes_alone();
    void counts_operations();
    void writes_into_out();
};

void NnProductsTest::blocks_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("columns");
    for (const auto& [rows, depth, columns] : {std::array{1, 1, 1},
                                               {1, 300, 1},
                                               {1, 1030, 50},
                                               {400, 1030, 1},
                                               {7, 5, 9},
                                               {8, 256, 48},
                                               {97, 257, 49},
                                               {96, 2, 385},
                                               {100, 0, 3},
                                               {33, 1, 100}})
        QTest::addRow("%dx%dx%d", rows, depth, columns) << rows << depth << columns;
}

void NnProductsTest::blocks() {
    QFETCH(int, rows);
    QFETCH(int, depth);
    QFETCH(int, columns);
    for (const DType dtype : {DType::f32, DType::f64, DType::i32}) {
        Run run(op_table(), {});
        const Tensor a = counted({rows, depth}, dtype, 1);
        const Tensor b = counted({depth, columns}, dtype, 2);
        const auto out = run.tensor("mm", {run.wrap(a), run.wrap(b)});
        QVERIFY(out);
        compare(a, b, (*out)->tensor);
    }
}

void NnProductsTest::strided() {
    Run run(op_table(), {});
    const Tensor a = counted({130, 70}, DType::f32, 3);
    const Tensor b = counted({100, 130}, DType::f32, 4);
    const Tensor steps = counted({140, 200}, DType::f32, 5).narrow(0, 0, 70, 2).narrow(1, 0, 60, 3);
    for (const auto& [left, right] :
         {std::pair{a.transpose(0, 1), b.transpose(0, 1)}, {a, steps}, {steps.transpose(0, 1), a.transpose(0, 1)}}) {
        const auto out = run.tensor("matmul", {run.wrap(left), run.wrap(right)});
        QVERIFY(out);
        compare(left, right, (*out)->tensor);
    }
}

void NnProductsTest::repeated_batch_is_not_expanded() {
    Settings settings;
    settings.byte_budget = 100'000;
    Run run(op_table(), settings);
    // 1000 repetitions of b would be 4 MB.
    const Tensor a = counted({1000, 1, 4}, DType::f32, 6);
    const Tensor b = counted({1, 4, 250}, DType::f32, 7);
    const auto sum = run.tensor("matmul", {run.wrap(a.narrow(0, 0, 20)), run.wrap(b)});
    QVERIFY(sum);
    compare(a.select(0, 3), b.select(0, 0), (*sum)->tensor.select(0, 3));
}

void NnProductsTest::int64_wraps() {
    Run run(op_table(), {});
    auto a = Tensor::zeros({1, 2}, DType::i64);
    auto b = Tensor::zeros({2, 1}, DType::i64);
    a->writable_as<std::int64_t>()[0] = std::int64_t{1} << 62;
    a->writable_as<std::int64_t>()[1] = 3;
    b->writable_as<std::int64_t>()[0] = 4;
    b->writable_as<std::int64_t>()[1] = std::int64_t{1} << 61;
    const auto out = run.tensor("mm", {run.wrap(*a), run.wrap(*b)});
    QVERIFY(out);
    // 2^64 + 3 * 2^61, of which 64 bits remain.
    QCOMPARE((*out)->tensor.data_as<std::int64_t>()[0], std::int64_t{3} << 61);
}

void NnProductsTest::threads_do_not_matter() {
    Run run(op_table(), {});
    const auto a = run.wrap(counted({500, 300}, DType::f32, 8));
    const auto b = run.wrap(counted({300, 450}, DType::f32, 9));
    set_thread_count(1);
    const auto one = run.tensor("mm", {a, b});
    set_thread_count(4);
    const auto four = run.tensor("mm", {a, b});
    set_thread_count(0);
    QVERIFY(one && four);
    QCOMPARE(std::memcmp((*one)->tensor.data(), (*four)->tensor.data(), (*one)->tensor.byte_size()), 0);
}

void NnProductsTest::shapes_alone() {
    Settings settings;
    settings.shapes_only = true;
    Run run(op_table(), settings);
    const auto a = run.wrap(*Tensor::shapes_only({50'000, 60'000}, DType::f32));
    const auto b = run.wrap(*Tensor::shapes_only({60'000, 70'000}, DType::f32));
    const auto out = run.tensor("matmul", {a, b});
    QVERIFY(out);
    QVERIFY(!(*out)->tensor.has_data());
    QVERIFY((*out)->tensor.shape() == (Shape{50'000, 70'000}));
}

void NnProductsTest::counts_operations() {
    struct Counter : Observer {
        double flops = 0;
        void finished(const OpEvent& event) override { flops = event.flops; }
    } counter;
    Run run(op_table(), {});
    run.observer = &counter;
    const auto a = run.wrap(counted({5, 2, 3}, DType::f32, 1));
    const auto b = run.wrap(counted({3, 4}, DType::f32, 2));
    QVERIFY(run.tensor("matmul", {a, b}));
    QCOMPARE(counter.flops, 2.0 * 5 * 2 * 3 * 4);
    QVERIFY(run.tensor("mv", {b, run.wrap(counted({4}, DType::f32, 3))}));
    QCOMPARE(counter.flops, 2.0 * 3 * 4);
}

void NnProductsTest::writes_into_out() {
    Run run(op_table(), {});
    const auto a = run.wrap(counted({2, 2}, DType::f32, 1));
    const auto out = run.wrap(counted({2, 2}, DType::f32, 5));
    const auto product = run.tensor("mm", {a, a}, {{"out", out}});
    QVERIFY(product);
    QCOMPARE(*product, out);
    const auto expected = run.tensor("mm", {a, a});
    QVERIFY(expected);
    for (std::int64_t row = 0; row < 2; ++row)
        for (std::int64_t col = 0; col < 2; ++col)
            QCOMPARE(at(out->tensor, row, col), at((*expected)->tensor, row, col));
}

QTEST_APPLESS_MAIN(NnProductsTest)
#include "nn_products_test.moc"
