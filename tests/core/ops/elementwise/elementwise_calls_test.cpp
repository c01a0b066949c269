// SPDX-License-Identifier: Apache-2.0
// What a table of calls cannot show: memory, views, threads, shapes without data, bytes from files, cancelling.
#include "core/jobs/parallel.h"
#include "core/ops/dispatch/run.h"
#include "core/ops/dispatch/torch_error.h"
#include "core/ops/op_table.h"

#include <QTest>

#include <cmath>
#include <stop_token>

namespace maskscope::ops {

class ElementwiseCallsTest : public QObject {
    Q_OBJECT

    static Tensor floats(const Shape& shape, const std::vector<float>& values) {
        auto out = *Tensor::zeros(shape, DType::f32);
        std::copy(values.begin(), values.end(), out.writable_as<float>());
        return out;
    }
    static std::vector<double> values(const Tensor& tensor) {
        std::vector<double> out;
        const auto flat = *tensor.contiguous();
        for (std::int64_t i = 0; i < flat.numel(); ++i)
            out.push_back(to_double(
                load_scalar(flat.data() + static_cast<std::size_t>(i) * size_of(flat.dtype()), flat.dtype())));
        return out;
    }
    static std::string refusal(const Result<VariablePtr>& result) { return result ? "" : result.error().text(); }

private slots:
    void inPlaceKeepsTheMemoryAndViewsFollow() {
        Run run(op_table(), {});
        const auto x = run.wrap(floats({4}, {1, 2, 3, 4}));
        const auto half = run.wrap(x->tensor.narrow(0, 0, 2));
        const auto before = x->tensor.storage()->version();
        QVERIFY(run.in_place("mul", {half, 10}));
        QCOMPARE(values(x->tensor), (std::vector<double>{10, 20, 3, 4}));
        QVERIFY(x->tensor.storage()->version() > before);
        // Its own input twice.
        QVERIFY(run.in_place("add", {x, x}));
        QCOMPARE(values(x->tensor), (std::vector<double>{20, 40, 6, 8}));
    }
    void inPlaceThroughStrides() {
        Run run(op_table(), {});
        const auto x = run.wrap(floats({2, 3}, {1, 2, 3, 4, 5, 6}));
        const auto column = run.wrap(x->tensor.select(1, 1));
        QVERIFY(run.in_place("neg", {column}));
        QCOMPARE(values(x->tensor), (std::vector<double>{1, -2, 3, 4, -5, 6}));
        const auto turned = run.wrap(x->tensor.transpose(0, 1));
        const auto row = run.wrap(floats({2}, {10, 20}));
        QVERIFY(run.in_place("add", {turned, row}));
        QCOMPARE(values(x->tensor), (std::vector<double>{11, 8, 13, 24, 15, 26}));
    }
    void refusesPartialOverlap() {
        Run run(op_table(), {});
        const auto x = floats({4}, {1, 2, 3, 4});
        const auto refused = run.in_place("add", {run.wrap(x.narrow(0, 1, 3)), run.wrap(x.narrow(0, 0, 3))});
        QVERIFY(refusal(refused).starts_with("unsupported operation: some elements of the input tensor"));
    }
    void functionalInplaceWritesTheInput() {
        Run run(op_table(), {});
        const auto x = run.wrap(floats({3}, {-1, 0, 2}));
        const auto out = run.call(*op_table().find("silu"), Form::functional, std::vector<Value>{x, true});
        QVERIFY(out);
        QVERIFY(out->tensor() == x);
        QVERIFY(std::fabs(values(x->tensor)[2] - 2 / (1 + std::exp(-2.0))) < 1e-6);
    }
    // A bool tensor from a file may hold any byte.
    void anyByteIsTrue() {
        Run run(op_table(), {});
        auto bytes = *Tensor::zeros({4}, DType::boolean);
        const std::array<unsigned char, 4> raw = {0, 1, 2, 255};
        std::copy(raw.begin(), raw.end(), bytes.writable_as<unsigned char>());
        const auto m = run.wrap(bytes);
        const auto all = run.wrap(*Tensor::zeros({4}, DType::boolean));
        QVERIFY(run.in_place("logical_not", {all}));
        const std::vector<double> truth = {0, 1, 1, 1};
        const auto bits = [&](const char* op, const VariablePtr& other) {
            const auto out = run.tensor(op, {m, other});
            auto sum = 0;
            for (std::int64_t i = 0; i < 4; ++i) sum += static_cast<int>((*out)->tensor.data()[i]) << (4 * i);
            return sum;
        };
        QCOMPARE(bits("bitwise_and", all), 0x1110);
        QCOMPARE(bits("bitwise_or", m), 0x1110);
        QCOMPARE(bits("bitwise_xor", all), 0x0001);
        QCOMPARE(bits("eq", all), 0x1110);
        QCOMPARE(bits("mul", m), 0x1110);
        QCOMPARE(values((*run.tensor("add", {m, 0.5}))->tensor), (std::vector<double>{0.5, 1.5, 1.5, 1.5}));
        QCOMPARE(values((*run.tensor("where", {m, 1, 0}))->tensor), truth);
    }
    void reflectedNumbers() {
        Run run(op_table(), {});
        const auto x = run.wrap(floats({3}, {1, 3, -4}));
        // 2 / 3 as PyTorch has it: 2 * (1 / 3), each rounded.
        const auto quotient = run.tensor("rtruediv", {x, 2});
        QCOMPARE((*quotient)->tensor.data_as<float>()[1], 2.0F * (1.0F / 3.0F));
        QCOMPARE(values((*run.tensor("rsub", {x, 2}))->tensor), (std::vector<double>{1, -1, 6}));
        QCOMPARE(values((*run.tensor("rfloordiv", {x, 7}))->tensor), (std::vector<double>{7, 2, -2}));
        QCOMPARE(values((*run.tensor("rremainder", {x, 7}))->tensor), (std::vector<double>{0, 1, -1}));
        QCOMPARE(values((*run.tensor("rpow", {x, 2}))->tensor), (std::vector<double>{2, 8, 0.0625}));
    }
    void squareAsFunctionMethodAndInPlace() {
        Run run(op_table(), {});
        const auto m = run.wrap(*Tensor::zeros({2}, DType::boolean));
        QCOMPARE((*run.tensor("square", {m}))->tensor.dtype(), DType::i64);
        const auto x = run.wrap(floats({2}, {3, -4}));
        QVERIFY(run.in_place("square", {x}));
        QCOMPARE(values(x->tensor), (std::vector<double>{9, 16}));
    }
    void sameWithAnyThreads() {
        auto a = *Tensor::zeros({300, 1, 400}, DType::f16);
        auto b = *Tensor::zeros({5, 400}, DType::i32);
        for (std::int64_t i = 0; i < a.numel(); ++i)
            a.writable_as<std::uint16_t>()[i] = static_cast<std::uint16_t>(0x3000 + i % 4000);
        for (std::int64_t i = 0; i < b.numel(); ++i)
            b.writable_as<std::int32_t>()[i] = static_cast<std::int32_t>(i % 90);
        std::vector<double> first;
        for (const int threads : {1, 4}) {
            set_thread_count(threads);
            Run run(op_table(), {});
            const auto product = run.tensor("mul", {run.wrap(a), run.wrap(b)});
            const auto out = run.tensor("sigmoid", {*product});
            if (first.empty()) first = values((*out)->tensor);
            QVERIFY(values((*out)->tensor) == first);
        }
        set_thread_count(0);
    }
    void shapesWithoutData() {
        Settings settings;
        settings.shapes_only = true;
        Run run(op_table(), settings);
        const Shape large = {4000, 1, 4000};
        const auto x = run.wrap(*Tensor::shapes_only(large, DType::f16));
        const auto y = run.wrap(*Tensor::shapes_only({30, 1}, DType::i64));
        const auto sum = run.tensor("add", {x, y});
        QVERIFY(sum);
        QCOMPARE((*sum)->tensor.shape(), (Shape{4000, 30, 4000}));
        QCOMPARE((*sum)->tensor.dtype(), DType::f16);
        QVERIFY(!(*sum)->tensor.has_data());
        QVERIFY(run.tensor("isclose", {x, x}));
        const auto equal = run.call("equal", {x, x});
        QVERIFY(!equal && is_needs_data(equal.error()));
        // A division by zero is not to be seen, a wrong shape is.
        QVERIFY(run.tensor("floor_divide", {y, 0}));
        QCOMPARE(
            refusal(run.tensor("gt", {run.wrap(*Tensor::shapes_only({3}, DType::f32)),
                                      run.wrap(*Tensor::shapes_only({2}, DType::f32))})),
            std::string("The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0"));
    }
    void cancels() {
        std::stop_source stop;
        Settings settings;
        settings.context = JobContext(stop.get_token());
        Run run(op_table(), settings);
        const auto x = run.wrap(floats({3}, {1, 2, 3}));
        stop.request_stop();
        const auto out = run.tensor("exp", {x});
        QVERIFY(!out);
        QVERIFY(out.error().kind == ErrorKind::cancelled);
    }
    void deprecatedConditionIsNoted() {
        Run run(op_table(), {});
        const auto bytes = run.wrap(*Tensor::zeros({2}, DType::u8));
        QCOMPARE(values((*run.tensor("where", {bytes, 1, 2}))->tensor), (std::vector<double>{2, 2}));
        const auto notes = run.take_notes();
        QCOMPARE(notes.size(), std::size_t{1});
        QVERIFY(notes.front().starts_with("where received a uint8 condition tensor."));
    }
};

}  // namespace maskscope::ops

QTEST_APPLESS_MAIN(maskscope::ops::ElementwiseCallsTest)
#include "elementwise_calls_test.moc"
