// SPDX-License-Identifier: Apache-2.0
// Every line of expressions.txt: shape, strides, offset, memory, elements or error text as PyTorch gave them.
#include "core/ops/op_table.h"
#include "tests/core/ops/shape/expression.h"

#include <QFile>
#include <QTest>

#include <numeric>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

template <class T>
Value counted(Run& run, const Shape& shape, DType dtype) {
    auto tensor = Tensor::zeros(shape, dtype);
    std::iota(tensor->writable_as<T>(), tensor->writable_as<T>() + tensor->numel(), T{});
    return run.wrap(*tensor);
}

// The tensors of make_expressions.py.
Names names(Run& run) {
    Names out;
    out["x"] = counted<float>(run, {2, 3}, DType::f32);
    out["y"] = counted<std::int64_t>(run, {2, 3, 4}, DType::i64);
    auto five = Tensor::zeros({}, DType::f32);
    *five->writable_as<float>() = 5;
    out["z"] = run.wrap(*five);
    out["e"] = run.wrap(*Tensor::zeros({0, 3}, DType::f32));
    out["v"] = counted<std::int64_t>(run, {5}, DType::i64);
    auto mask = Tensor::zeros({2}, DType::boolean);
    *mask->writable_as<std::uint8_t>() = 1;
    out["m"] = run.wrap(*mask);
    out["h"] = run.wrap(*Tensor::zeros({2, 4}, DType::f16));
    out["b"] = run.wrap(*Tensor::zeros({8}, DType::u8));
    out["w"] = counted<float>(run, {1, 3, 4, 5}, DType::f32);
    return out;
}

std::string number_text(const Scalar& scalar, DType dtype) {
    if (const auto* real = std::get_if<double>(&scalar)) return fmt::format("{}", *real);
    return text_of(scalar, dtype);
}

std::string elements_text(const Tensor& tensor) {
    if (tensor.rank() == 0) return " " + number_text(tensor.at({}), tensor.dtype());
    std::string out;
    for (std::int64_t i = 0; i < tensor.size(0); ++i) out += elements_text(tensor.select(0, i));
    return out;
}

std::string shown(const Value& value, const Names& known) {
    if (const auto* items = value.sequence()) {
        std::string out;
        for (const auto& item : *items) out += (out.empty() ? "" : "; ") + shown(item, known);
        return "(" + out + ")";
    }
    if (!value.is_tensor()) return std::string(type_name(value));
    const Tensor& tensor = value.tensor()->tensor;
    auto out = fmt::format("{} {} strides {} offset {}", name_of(tensor.dtype()), text_of(tensor.shape()),
                           text_of(tensor.strides()), tensor.offset());
    for (const auto& [name, other] : known) {
        if (other.tensor() == value.tensor())
            out += " itself";
        else if (other.tensor()->tensor.storage() == tensor.storage() && tensor.storage()->size() > 0)
            out += " shares";
    }
    return tensor.numel() <= 40 ? out + ":" + elements_text(tensor) : out;
}

QString one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return QString::fromStdString(text).replace(QLatin1Char('\n'), QLatin1String("\\n"));
}

}  // namespace

class ExpressionsTest : public QObject {
    Q_OBJECT
private slots:
    void as_in_pytorch_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("expected");
        QFile file(QStringLiteral(MS_SOURCE_DIR "/tests/core/ops/shape/expressions.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
        while (!file.atEnd()) {
            const QString line = QString::fromUtf8(file.readLine()).chopped(1);
            if (line.startsWith(QLatin1Char('#'))) continue;
            const auto tab = line.indexOf(QLatin1Char('\t'));
            QTest::newRow(qPrintable(line.left(tab))) << line.left(tab) << line.mid(tab + 1);
        }
    }
    void as_in_pytorch() {
        QFETCH(QString, expression);
        QFETCH(QString, expected);
        Run run(op_table(), {});
        const auto known = names(run);
        const auto result = evaluate(expression.toStdString(), known, run);
        const QString got = result ? one_line(shown(*result, known))
                                   : one_line(result.error().type + ": " + result.error().message.text());
        while (expected.endsWith(QLatin1String("\\n"))) expected.chop(2);
        QCOMPARE(got, expected);
    }
};

QTEST_APPLESS_MAIN(ExpressionsTest)
#include "expressions_test.moc"
