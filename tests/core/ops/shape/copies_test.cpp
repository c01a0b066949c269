// SPDX-License-Identifier: Apache-2.0
// Ops that copy, on tensors large enough for all threads: every element against its index, whatever the strides.
#include "core/ops/op_table.h"
#include "tests/core/ops/shape/expression.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <limits>
#include <stop_token>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

constexpr std::int64_t kRows = 701;
constexpr std::int64_t kCols = 503;

// Element (r, c) is r * 1000 + c.
template <class T>
Value numbered(Run& run, DType dtype, bool transposed) {
    auto tensor = Tensor::zeros(transposed ? Shape{kCols, kRows} : Shape{kRows, kCols}, dtype);
    Tensor view = transposed ? tensor->transpose(0, 1) : *tensor;
    for (std::int64_t r = 0; r < kRows; ++r)
        for (std::int64_t c = 0; c < kCols; ++c) {
            const auto at = static_cast<std::size_t>(r * view.strides()[0] + c * view.strides()[1]);
            view.writable_as<T>()[at] = static_cast<T>(r * 1000 + c);
        }
    return run.wrap(view);
}

using IndexOf = std::function<double(std::int64_t row, std::int64_t col)>;

struct Case {
    const char* expression;
    Shape shape;
    IndexOf expected;
};

double cell(std::int64_t row, std::int64_t col) {
    return static_cast<double>(row * 1000 + col);
}

std::vector<Case> cases() {
    const auto mirrored = [](std::int64_t i, std::int64_t n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
    return {
        {"x.flip(0, 1)", {kRows, kCols}, [](auto r, auto c) { return cell(kRows - 1 - r, kCols - 1 - c); }},
        {"x.roll((3, -5), (0, 1))",
         {kRows, kCols},
         [](auto r, auto c) { return cell((r - 3 + kRows) % kRows, (c + 5) % kCols); }},
        {"x.roll(600)",
         {kRows, kCols},
         [](auto r, auto c) {
             const auto at = (r * kCols + c - 600 + kRows * kCols) % (kRows * kCols);
             return cell(at / kCols, at % kCols);
         }},
        {"x.triu(2)", {kRows, kCols}, [](auto r, auto c) { return c >= r + 2 ? cell(r, c) : 0; }},
        {"x.tril(-2)", {kRows, kCols}, [](auto r, auto c) { return c <= r - 2 ? cell(r, c) : 0; }},
        {"torch.cat([x, x.flip(1)], 1)",
         {kRows, 2 * kCols},
         [](auto r, auto c) { return c < kCols ? cell(r, c) : cell(r, 2 * kCols - 1 - c); }},
        {"torch.stack([x, x], 1).flatten(1)", {kRows, 2 * kCols}, [](auto r, auto c) { return cell(r, c % kCols); }},
        {"x.repeat(2, 3)", {2 * kRows, 3 * kCols}, [](auto r, auto c) { return cell(r % kRows, c % kCols); }},
        {"x.repeat_interleave(2, 1)", {kRows, 2 * kCols}, [](auto r, auto c) { return cell(r, c / 2); }},
        {"F.pad(x, (2, -3, -1, 4), value=7)",
         {kRows + 3, kCols - 1},
         [](auto r, auto c) { return c < 2 || r + 1 >= kRows ? 7 : cell(r + 1, c - 2); }},
        {"F.pad(x, (5, 4), 'reflect')",
         {kRows, kCols + 9},
         [mirrored](auto r, auto c) { return cell(r, mirrored(c - 5, kCols)); }},
        {"F.pad(x, (5, 4), 'circular')",
         {kRows, kCols + 9},
         [](auto r, auto c) { return cell(r, (c - 5 + kCols) % kCols); }},
        {"F.pad(x, (600, 4), 'replicate')",
         {kRows, kCols + 604},
         [](auto r, auto c) { return cell(r, std::clamp<std::int64_t>(c - 600, 0, kCols - 1)); }},
        {"x.t().reshape(701, 503)",
         {kRows, kCols},
         [](auto r, auto c) { return cell((r * kCols + c) % kRows, (r * kCols + c) / kRows); }},
    };
}

template <class T>
void compare(Run& run, DType dtype, bool transposed) {
    const Names names{{"x", numbered<T>(run, dtype, transposed)}};
    for (const auto& [expression, shape, expected] : cases()) {
        const auto result = evaluate(expression, names, run);
        QVERIFY2(result.ok(), expression);
        const Tensor& got = result->tensor()->tensor;
        QCOMPARE(got.shape(), shape);
        for (std::int64_t r = 0; r < shape[0]; ++r)
            for (std::int64_t c = 0; c < shape[1]; ++c) {
                const std::array index = {r, c};
                const auto want = static_cast<T>(static_cast<std::int64_t>(expected(r, c)));
                T is{};
                std::memcpy(&is, got.address_of(index), sizeof(T));
                if (is != want)
                    QVERIFY2(is == want, qPrintable(QStringLiteral("%1 at %2, %3").arg(expression).arg(r).arg(c)));
            }
    }
}

}  // namespace

class CopiesTest : public QObject {
    Q_OBJECT
private slots:
    void every_element_is_where_it_belongs() {
        Run run(op_table(), {});
        compare<std::int8_t>(run, DType::i8, false);
        compare<std::int16_t>(run, DType::i16, true);
        compare<float>(run, DType::f32, false);
        compare<std::int64_t>(run, DType::i64, true);
    }
    void bits_are_kept() {
        Run run(op_table(), {});
        auto tensor = Tensor::zeros({2, 2}, DType::f32);
        const std::array<std::uint32_t, 4> bits = {0x7fc12345U, 0xff800000U, 0x80000000U, 0x00000001U};
        std::memcpy(tensor->writable_data(), bits.data(), sizeof(bits));
        const Names names{{"x", run.wrap(*tensor)}};
        for (const char* expression : {"torch.cat([x.narrow(0, 0, 1), x.narrow(0, 1, 1)])", "x.flip(0, 1).flip(0, 1)",
                                       "x.roll(1).roll(-1)", "x.tril(5)", "F.pad(x, (0, 0))", "x.repeat(1, 1)"}) {
            const auto result = evaluate(expression, names, run);
            QVERIFY2(result.ok(), expression);
            QVERIFY2(std::memcmp(result->tensor()->tensor.data(), bits.data(), sizeof(bits)) == 0, expression);
        }
        // What is cut away does not leak: zero times nothing.
        const auto cut = evaluate("x.triu(2)", names, run);
        QVERIFY(cut.ok());
        for (int i = 0; i < 4; ++i) QCOMPARE(cut->tensor()->tensor.data_as<float>()[i], 0.0F);
    }
    void triangles_are_cut_in_place() {
        Run run(op_table(), {});
        Names names{{"x", numbered<float>(run, DType::f32, false)}};
        QVERIFY(evaluate("x.t().tril_()", names, run).ok());
        const auto at = [&](std::int64_t r, std::int64_t c) {
            const std::array index = {r, c};
            return to_double(names["x"].tensor()->tensor.at(index));
        };
        QCOMPARE(at(3, 3), 3003.0);
        QCOMPARE(at(3, 4), 3004.0);
        QCOMPARE(at(4, 3), 0.0);
        QCOMPARE(names["x"].tensor()->tensor.storage()->version(), std::uint64_t{1});
    }
    void dtypes_are_joined() {
        Run run(op_table(), {});
        auto whole = Tensor::zeros({1}, DType::i64);
        *whole->writable_as<std::int64_t>() = 3;
        auto half = Tensor::zeros({1}, DType::f16);
        *half->writable_as<std::uint16_t>() = f16_from_float(0.5F);
        const Names names{{"i", run.wrap(*whole)}, {"h", run.wrap(*half)}};
        for (const char* expression : {"torch.cat([i, h])", "torch.stack([i, h]).view(2)"}) {
            const auto result = evaluate(expression, names, run);
            QVERIFY(result.ok());
            QCOMPARE(result->tensor()->tensor.dtype(), DType::f16);
            QCOMPARE(float_from_f16(result->tensor()->tensor.data_as<std::uint16_t>()[0]), 3.0F);
            QCOMPARE(float_from_f16(result->tensor()->tensor.data_as<std::uint16_t>()[1]), 0.5F);
        }
    }
    void a_cancelled_run_stops() {
        std::stop_source stop;
        Settings settings;
        settings.context = JobContext(stop.get_token());
        Run run(op_table(), settings);
        const Names names{{"x", numbered<float>(run, DType::f32, false)}};
        stop.request_stop();
        const auto result = evaluate("x.repeat(100, 100)", names, run);
        QVERIFY(!result && result.error().kind == ErrorKind::cancelled);
    }
    void what_is_too_large_is_refused_before_it_is_made() {
        Settings settings;
        settings.byte_budget = 10'000'000;
        Run run(op_table(), settings);
        const Names names{{"x", numbered<float>(run, DType::f32, false)}};
        const auto result = evaluate("torch.diagflat(x)", names, run);
        QVERIFY(!result && result.error().kind == ErrorKind::unavailable);
    }
};

QTEST_APPLESS_MAIN(CopiesTest)
#include "copies_test.moc"
