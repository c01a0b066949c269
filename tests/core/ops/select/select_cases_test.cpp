// SPDX-License-Identifier: Apache-2.0
// Every line of the *_cases.txt: what PyTorch made of it (see make_cases.py), run as a script.
#include "core/ops/dispatch/variable.h"
#include "core/script/evaluate.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

const QString kFolder = QStringLiteral(MS_SOURCE_DIR "/tests/core/ops/select/");

std::string contents(const QString& name) {
    QFile file(kFolder + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string number_text(const Scalar& scalar, DType dtype) {
    const auto* real = std::get_if<double>(&scalar);
    if (real == nullptr) return text_of(scalar, dtype);
    if (std::isnan(*real)) return "nan";
    if (std::isfinite(*real) && *real == std::floor(*real))
        return fmt::format("{:.0f}", std::abs(*real) == 0 ? 0 : *real);
    return fmt::format("{}", *real);
}

std::string elements_text(const Tensor& tensor) {
    if (tensor.rank() == 0) return " " + number_text(tensor.at({}), tensor.dtype());
    std::string out;
    for (std::int64_t i = 0; i < tensor.size(0); ++i) out += elements_text(tensor.select(0, i));
    return out;
}

std::string shown(const Value& value) {
    if (const auto* items = value.sequence()) {
        std::string out;
        for (const auto& item : *items) out += (out.empty() ? "" : "; ") + shown(item);
        return "(" + out + ")";
    }
    if (const auto* flag = value.get_if<bool>()) return *flag ? "True" : "False";
    if (!value.is_tensor()) return fmt::format("{}", value.to_double());
    const Tensor& tensor = value.tensor()->tensor;
    return fmt::format("{} {} strides {}:", name_of(tensor.dtype()), text_of(tensor.shape()),
                       text_of(tensor.strides())) +
           elements_text(tensor);
}

QString outcome(const QString& code) {
    static const std::string preamble = contents(QStringLiteral("preamble.txt"));
    script::Options options;
    options.trace = false;
    const auto run = script::evaluate(preamble + code.toStdString() + "\n", {}, options);
    std::string text = run.error ? run.error->type + ": " + run.error->message.text() : shown(run.result);
    while (text.ends_with('\n')) text.pop_back();
    return QString::fromStdString(text).replace(QLatin1Char('\n'), QLatin1String("\\n"));
}

}  // namespace

class SelectCasesTest : public QObject {
    Q_OBJECT
private slots:
    void a_line_gives_what_pytorch_gives_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("result");
        for (const auto& file : QDir(kFolder).entryList({QStringLiteral("*_cases.txt")})) {
            int number = 0;
            for (const auto& line : QString::fromStdString(contents(file)).split(QLatin1Char('\n'))) {
                ++number;
                const auto tab = line.indexOf(QLatin1Char('\t'));
                if (tab < 0) continue;
                QTest::addRow("%s:%d", qPrintable(file), number) << line.left(tab) << line.mid(tab + 1);
            }
        }
    }
    void a_line_gives_what_pytorch_gives() {
        QFETCH(QString, code);
        QFETCH(QString, result);
        const QString got = outcome(code);
        QVERIFY2(got == result,
                 qPrintable(code + QLatin1String("\n  PyTorch: ") + result + QLatin1String("\n  here:    ") + got));
    }
};

QTEST_APPLESS_MAIN(SelectCasesTest)
#include "select_cases_test.moc"
