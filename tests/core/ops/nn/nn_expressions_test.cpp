// SPDX-License-Identifier: Apache-2.0
// Every line of expressions.txt: dtype, shape, strides, elements, warnings or the error, as PyTorch gave them.
#include "core/ops/op_table.h"
#include "tests/core/ops/shape/expression.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

Tensor from(const Shape& shape, DType dtype, double (*value)(std::int64_t)) {
    auto out = Tensor::zeros(shape, dtype);
    for (std::int64_t i = 0; i < out->numel(); ++i) {
        if (dtype == DType::f32) out->writable_as<float>()[i] = static_cast<float>(value(i));
        if (dtype == DType::i64) out->writable_as<std::int64_t>()[i] = static_cast<std::int64_t>(value(i));
        if (dtype == DType::boolean) out->writable_as<std::uint8_t>()[i] = value(i) > 0 ? 1 : 0;
    }
    return *out;
}

double spread(std::int64_t i) {
    return static_cast<double>((i * 37 + 11) % 65 - 32) / 8;
}
double share(std::int64_t i) {
    return (spread(i) + 4) / 8;
}
double weight(std::int64_t i) {
    return (spread(i) + 4) / 4;
}
double of_five(std::int64_t i) {
    return static_cast<double>(i % 5);
}
double from_minus_one(std::int64_t i) {
    return of_five(i) - 1;
}
double half(std::int64_t /*i*/) {
    return 0.5;
}
double class_of(std::int64_t i) {
    constexpr double kClasses[] = {0, 4, -100, 2, 1, 3};
    return kClasses[i];
}

// The tensors of make_expressions.py.
Names names(Run& run) {
    Names out;
    const auto add = [&](const char* name, const Shape& shape, DType dtype, double (*value)(std::int64_t)) {
        out[name] = run.wrap(from(shape, dtype, value));
    };
    add("a", {3, 4}, DType::f32, spread);
    add("b", {4, 5}, DType::f32, spread);
    add("r", {4}, DType::f32, spread);
    add("s", {}, DType::f32, half);
    add("e", {0, 4}, DType::f32, spread);
    add("i", {3, 4}, DType::i64, from_minus_one);
    add("m", {5, 7}, DType::boolean, spread);
    add("p", {3, 4}, DType::f32, share);
    add("q", {2, 3, 5, 4}, DType::f32, spread);
    add("k", {2, 3, 7, 4}, DType::f32, spread);
    add("l", {6, 5}, DType::f32, spread);
    add("c", {6}, DType::i64, class_of);
    add("w", {5}, DType::f32, weight);
    add("g", {2, 5, 3, 4}, DType::f32, spread);
    add("h", {2, 3, 4}, DType::i64, of_five);
    add("t", {2, 3, 4, 6}, DType::f32, spread);
    out["v"] = *run.tensor("flip", {out["k"], make_list({2})});
    return out;
}

std::vector<double> elements(const Tensor& tensor) {
    if (tensor.rank() == 0) return {to_double(tensor.at({}))};
    std::vector<double> out;
    for (std::int64_t i = 0; i < tensor.size(0); ++i) {
        const auto part = elements(tensor.select(0, i));
        out.insert(out.end(), part.begin(), part.end());
    }
    return out;
}

double number(const QString& text) {
    return text == "True" ? 1 : text == "False" ? 0 : text.toDouble();
}

bool close(double got, double wanted, double tolerance, double scale) {
    if (std::isnan(wanted)) return std::isnan(got);
    if (got == wanted) return true;
    return std::abs(got - wanted) <= tolerance * (std::abs(wanted) + scale);
}

// Halves may round once where PyTorch rounds after each of several steps.
double tolerance_of(DType dtype) {
    if (dtype == DType::f16) return 2e-3;
    if (dtype == DType::bf16) return 1.6e-2;
    return dtype == DType::f64 ? 1e-12 : 2e-6;
}

// What differs; empty when nothing does.
QString difference(const Tensor& tensor, const QString& wanted) {
    const int colon = static_cast<int>(wanted.indexOf(':'));
    const QString head = QString::fromStdString(
        fmt::format("{} {} strides {}", name_of(tensor.dtype()), text_of(tensor.shape()), text_of(tensor.strides())));
    if (head != wanted.left(colon)) return "got " + head;
    const QStringList numbers = wanted.mid(colon + 1).split(' ', Qt::SkipEmptyParts);
    const std::vector<double> got = elements(tensor);
    if (static_cast<qsizetype>(got.size()) != numbers.size()) return "another number of elements";
    double scale = 0;
    for (const auto& text : numbers)
        if (std::isfinite(number(text))) scale = std::max(scale, std::abs(number(text)));
    for (qsizetype i = 0; i < numbers.size(); ++i) {
        const double value = got[static_cast<std::size_t>(i)];
        if (!close(value, number(numbers[i]), tolerance_of(tensor.dtype()), scale))
            return QString("element %1 is %2 and not %3").arg(i).arg(value, 0, 'g', 9).arg(numbers[i]);
    }
    return {};
}

}  // namespace

class NnExpressionsTest : public QObject {
    Q_OBJECT

private slots:
    void as_pytorch_data();
    void as_pytorch();
};

void NnExpressionsTest::as_pytorch_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("wanted");
    QFile file(MS_SOURCE_DIR "/tests/core/ops/nn/expressions.txt");
    QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).chopped(1);
        const qsizetype tab = line.indexOf('\t');
        if (tab < 0) continue;
        QTest::newRow(qPrintable(line.left(tab))) << line.left(tab) << line.mid(tab + 1);
    }
}

void NnExpressionsTest::as_pytorch() {
    QFETCH(QString, expression);
    QFETCH(QString, wanted);
    Run run(op_table(), {});
    const Names known = names(run);
    const auto value = evaluate(expression.toStdString(), known, run);
    QString heard;
    for (const auto& note : run.take_notes()) heard += " warns: " + QString::fromStdString(note);
    const qsizetype warns = wanted.indexOf(" warns: ");
    const QString result = warns < 0 ? wanted : wanted.left(warns);
    if (!value) {
        const std::string got = value.error().type + ": " + value.error().message.text();
        QCOMPARE(QString::fromStdString(got).replace("\n", "\\n"), result);
    } else {
        QVERIFY(value->is_tensor());
        const QString wrong = difference(value->tensor()->tensor, result);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong + "; wanted " + result.left(300)));
    }
    QCOMPARE(heard, warns < 0 ? QString() : wanted.mid(warns));
}

QTEST_APPLESS_MAIN(NnExpressionsTest)
#include "nn_expressions_test.moc"
