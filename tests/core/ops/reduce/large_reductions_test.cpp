// SPDX-License-Identifier: Apache-2.0
// Tensors of many chunks: exactness, the same bits on any number of threads, outputs with strides of their own, runs
// that are cancelled or follow shapes alone.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/binder.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/op_table.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <random>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

// Uniform in [0, 1), all different enough.
Tensor random_tensor(const Shape& shape, DType dtype, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> real(0, 1);
    Tensor out = *Tensor::zeros(shape, dtype);
    for (std::int64_t i = 0; i < out.numel(); ++i) {
        const double value = real(random);
        if (dtype == DType::f32) out.writable_as<float>()[i] = static_cast<float>(value);
        if (dtype == DType::f64) out.writable_as<double>()[i] = value;
        if (dtype == DType::boolean) out.writable_as<std::uint8_t>()[i] = value < 0.3;
        if (dtype == DType::i64) out.writable_as<std::int64_t>()[i] = static_cast<std::int64_t>(value * 50);
    }
    return out;
}

Result<Value> call(Run& run, const char* name, std::vector<Value> args, std::vector<Named> named = {}) {
    const OpSpec* spec = run.table().find(name);
    const Form form = run.table().find(name, Form::method) != nullptr ? Form::method : Form::function;
    return run.call(*spec, form, args, named);
}

std::vector<Tensor> tensors_of(const Result<Value>& result) {
    std::vector<Tensor> out;
    if (!result) return out;
    if (result->is_tensor()) return {result->tensor()->tensor};
    for (const auto& item : *result->sequence()) out.push_back(item.tensor()->tensor);
    return out;
}

bool same_bytes(const Tensor& a, const Tensor& b) {
    const Tensor one = *a.contiguous();
    const Tensor two = *b.contiguous();
    return one.byte_size() == two.byte_size() && std::memcmp(one.data(), two.data(), one.byte_size()) == 0;
}

}  // namespace

class LargeReductionsTest : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { set_thread_count(0); }

    void sums_of_float32_are_exact_to_their_last_bits_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("cols");
        QTest::addColumn<int>("dim");
        QTest::newRow("long rows") << 3 << 200003 << 1;
        QTest::newRow("many short rows") << 40000 << 5 << 1;
        QTest::newRow("wide columns") << 700 << 1500 << 0;
        QTest::newRow("tall columns") << 100003 << 7 << 0;
        QTest::newRow("three tall columns") << 200000 << 3 << 0;
    }
    void sums_of_float32_are_exact_to_their_last_bits() {
        QFETCH(int, rows);
        QFETCH(int, cols);
        QFETCH(int, dim);
        Run run(op_table(), {});
        const Tensor x = random_tensor({rows, cols}, DType::f32, 1);
        const auto sums = tensors_of(call(run, "sum", {run.wrap(x), dim}));
        const auto means = tensors_of(call(run, "mean", {run.wrap(x), dim}));
        const auto norms = tensors_of(call(run, "norm", {run.wrap(x), 2, dim}));
        const auto spreads = tensors_of(call(run, "var", {run.wrap(x), dim}));
        const std::int64_t kept = x.size(1 - dim);
        const std::int64_t count = x.size(dim);
        for (std::int64_t k = 0; k < kept; ++k) {
            long double sum = 0;
            long double squares = 0;
            const auto at = [&](std::int64_t i) {
                return static_cast<long double>(x.data_as<float>()[dim == 1 ? k * cols + i : i * cols + k]);
            };
            for (std::int64_t i = 0; i < count; ++i) sum += at(i);
            const long double mean = sum / static_cast<long double>(count);
            long double around = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                squares += at(i) * at(i);
                around += (at(i) - mean) * (at(i) - mean);
            }
            const auto near = [&](const std::vector<Tensor>& got, long double wanted) {
                return std::abs(static_cast<long double>(got[0].data_as<float>()[k]) - wanted) <= 3e-7L * wanted;
            };
            QVERIFY(near(sums, sum));
            QVERIFY(near(means, mean));
            QVERIFY(near(norms, std::sqrt(squares)));
            QVERIFY(near(spreads, around / static_cast<long double>(count - 1)));
        }
    }

    void the_number_of_threads_changes_no_bit_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<int>("dim");
        for (const char* op : {"sum", "prod", "amax", "std", "norm", "logsumexp", "max", "argmin", "cumsum", "cummax",
                               "sort", "median", "any"})
            for (const int dim : {0, 1}) QTest::addRow("%s %d", op, dim) << QString::fromLatin1(op) << dim;
    }
    void the_number_of_threads_changes_no_bit() {
        QFETCH(QString, op);
        QFETCH(int, dim);
        const QByteArray name = op.toLatin1();
        for (const Shape& shape : {Shape{300, 801}, Shape{60000, 4}, Shape{4, 60000}}) {
            const Tensor x = random_tensor(shape, DType::f32, 2);
            const auto outputs = [&](int threads) {
                set_thread_count(threads);
                Run run(op_table(), {});
                std::vector<Value> args{run.wrap(x), dim};
                if (op == QLatin1String("norm")) args.insert(args.begin() + 1, Value(2));
                return tensors_of(call(run, name.constData(), args));
            };
            const auto one = outputs(1);
            const auto several = outputs(3);
            QVERIFY(!one.empty());
            QCOMPARE(one.size(), several.size());
            for (std::size_t i = 0; i < one.size(); ++i) QVERIFY(same_bytes(one[i], several[i]));
        }
    }

    void masks_and_integers_are_counted_exactly() {
        Run run(op_table(), {});
        const Tensor mask = random_tensor({777, 1291}, DType::boolean, 3);
        std::int64_t all = 0;
        std::vector<std::int64_t> by_row(777);
        std::vector<std::int64_t> by_col(1291);
        for (std::int64_t row = 0; row < 777; ++row)
            for (std::int64_t col = 0; col < 1291; ++col) {
                const std::int64_t bit = mask.data_as<std::uint8_t>()[row * 1291 + col];
                all += bit;
                by_row[static_cast<std::size_t>(row)] += bit;
                by_col[static_cast<std::size_t>(col)] += bit;
            }
        const auto m = run.wrap(mask);
        QCOMPARE(tensors_of(call(run, "sum", {m}))[0].data_as<std::int64_t>()[0], all);
        const auto rows = tensors_of(call(run, "sum", {m, 1}))[0];
        const auto cols = tensors_of(call(run, "count_nonzero", {m, 0}))[0];
        QVERIFY(std::equal(by_row.begin(), by_row.end(), rows.data_as<std::int64_t>()));
        QVERIFY(std::equal(by_col.begin(), by_col.end(), cols.data_as<std::int64_t>()));
    }

    // Of the whole tensor in many chunks: the first of equal ones, the first NaN, in the order of the indices.
    void whole_tensor_places_are_the_first() {
        Run run(op_table(), {});
        Tensor x = *Tensor::zeros({500, 1000}, DType::f32);
        x.writable_as<float>()[400123] = 1;
        x.writable_as<float>()[7777] = 1;
        QCOMPARE(tensors_of(call(run, "argmax", {run.wrap(x)}))[0].data_as<std::int64_t>()[0], 7777);
        // Row 7, column 777 of the transposed view is element 7 * 500 ... counted through that view.
        QCOMPARE(tensors_of(call(run, "argmax", {run.wrap(x.transpose(0, 1))}))[0].data_as<std::int64_t>()[0],
                 123 * 500 + 400);
        x.writable_as<float>()[300000] = NAN;
        QCOMPARE(tensors_of(call(run, "argmin", {run.wrap(x)}))[0].data_as<std::int64_t>()[0], 300000);
        QVERIFY(std::isnan(tensors_of(call(run, "amax", {run.wrap(x)}))[0].data_as<float>()[0]));
    }

    // A kernel must write whatever strides its outputs have.
    void kernels_write_into_strided_outputs_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"sum", "mean", "amax", "any", "max", "argmax", "var", "norm", "logsumexp", "cumsum",
                               "cummin", "sort", "topk", "median"})
            QTest::newRow(op) << QString::fromLatin1(op);
    }
    void kernels_write_into_strided_outputs() {
        QFETCH(QString, op);
        Run run(op_table(), {});
        const auto x = run.wrap(random_tensor({5, 6, 7}, DType::f32, 4));
        std::vector<Value> args{x, 1};
        if (op == QLatin1String("norm")) args = {x, 2, 1};
        if (op == QLatin1String("topk")) args = {x, 3, 1};
        const QByteArray name = op.toLatin1();
        const auto wanted = tensors_of(call(run, name.constData(), args));
        QVERIFY(!wanted.empty());
        auto bound = bind(*op_table().find(name.constData()), Form::method, args, {});
        QVERIFY(bound.ok());
        std::vector<Tensor> outputs;
        for (const auto& tensor : wanted) {
            // Every third element of a buffer, the dims in reverse order.
            Strides strides = Dims::filled(tensor.rank(), 0);
            std::int64_t reach = 3;
            for (int i = 0; i < tensor.rank(); ++i) {
                strides[i] = reach;
                reach *= tensor.size(i);
            }
            Tensor buffer = *Tensor::zeros({reach}, tensor.dtype());
            outputs.push_back(*Tensor::view_of(buffer.storage(), tensor.dtype(), tensor.shape(), strides, 1));
        }
        QVERIFY(bound->overload->kernel(bound->args, outputs, run).ok());
        for (std::size_t i = 0; i < wanted.size(); ++i) QVERIFY(same_bytes(outputs[i], wanted[i]));
    }

    void a_cancelled_run_ends_with_the_error_of_one_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"sum", "amax", "cumsum", "sort", "median"}) QTest::newRow(op) << QString::fromLatin1(op);
    }
    void a_cancelled_run_ends_with_the_error_of_one() {
        QFETCH(QString, op);
        std::stop_source stop;
        Settings settings;
        settings.context = JobContext(stop.get_token());
        Run run(op_table(), settings);
        const std::vector<Value> args{run.wrap(random_tensor({64, 64}, DType::f32, 5)), 1};
        const QByteArray name = op.toLatin1();
        auto bound = bind(*op_table().find(name.constData()), Form::method, args, {});
        auto planned = bound->overload->shape(bound->args);
        std::vector<Tensor> outputs;
        for (const auto& out : *planned) outputs.push_back(*Tensor::zeros(out.shape, out.dtype));
        stop.request_stop();
        const auto result = bound->overload->kernel(bound->args, outputs, run);
        QVERIFY(!result.ok());
        QCOMPARE(static_cast<int>(result.error().kind), static_cast<int>(ErrorKind::cancelled));
    }

    void shapes_alone_are_enough_where_no_value_decides() {
        Settings settings;
        settings.shapes_only = true;
        Run run(op_table(), settings);
        const auto x = run.wrap(*Tensor::shapes_only({4, 5, 6}, DType::f32));
        const auto shape_of = [&](const char* name, std::vector<Value> args) {
            args.insert(args.begin(), x);
            const auto outputs = tensors_of(call(run, name, args));
            return outputs.empty() ? std::string("refused") : text_of(outputs.back().shape());
        };
        QCOMPARE(shape_of("sum", {1}), std::string("[4, 6]"));
        QCOMPARE(shape_of("mean", {make_tuple({0, 2}), true}), std::string("[1, 5, 1]"));
        QCOMPARE(shape_of("max", {-1}), std::string("[4, 5]"));
        QCOMPARE(shape_of("topk", {2, 1}), std::string("[4, 2, 6]"));
        QCOMPARE(shape_of("cummax", {0}), std::string("[4, 5, 6]"));
        QCOMPARE(shape_of("quantile", {0.5, 2}), std::string("[4, 5]"));
        QCOMPARE(shape_of("nanmean", {0}), std::string("[5, 6]"));
        QCOMPARE(shape_of("median", {}), std::string("[]"));
        for (const char* name : {"unique", "unique_consecutive"}) {
            const auto result = call(run, name, {x});
            QVERIFY(!result.ok() && is_needs_data(result.error()));
        }
        const auto counts = call(run, "bincount", {run.wrap(*Tensor::shapes_only({4}, DType::i64))});
        QVERIFY(!counts.ok() && is_needs_data(counts.error()));
    }

    void a_budget_refuses_what_needs_more() {
        const Tensor input = random_tensor({200, 200}, DType::f32, 6);
        Settings settings;
        settings.byte_budget = 1 << 16;
        Run run(op_table(), settings);
        const auto x = run.wrap(input);
        const auto sum = call(run, "sum", {x, 1});
        QVERIFY2(sum.ok(), sum.ok() ? "" : sum.error().text().c_str());
        QVERIFY(!call(run, "cumsum", {x, 1}).ok());
    }
};

QTEST_APPLESS_MAIN(LargeReductionsTest)
#include "large_reductions_test.moc"
