// SPDX-License-Identifier: Apache-2.0
// Every line of the *_cases.txt in the folders with a preamble.txt: what PyTorch made of it (see make_cases.py), run as
// a script.
#include "core/ops/dispatch/variable.h"
#include "core/script/language/evaluate.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace maskscope;
using namespace maskscope::ops;

namespace {

const QString kFolders = QStringLiteral(MS_SOURCE_DIR "/tests/core/ops/");

std::string contents(const QString& path) {
    QFile file(kFolders + path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::string number_text(const Scalar& scalar, DType dtype) {
    const auto* real = std::get_if<double>(&scalar);
    if (real == nullptr) return text_of(scalar, dtype);
    return std::isnan(*real) ? "nan" : fmt::format("{}", *real);
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

QString outcome(const QString& folder, const QString& code) {
    const std::string preamble = contents(folder + QStringLiteral("/preamble.txt"));
    script::Options options;
    options.trace = false;
    const auto run = script::evaluate(preamble + code.toStdString() + "\n", {}, options);
    std::string text = run.error ? run.error->type + ": " + run.error->message.text() : shown(run.result);
    while (text.ends_with('\n')) text.pop_back();
    return QString::fromStdString(text).replace(QLatin1Char('\n'), QLatin1String("\\n"));
}

// Word by word; what only moves elements must give them exactly, sums as near as the dtype's rounding of another order
// lets them be.
bool agrees(const QString& got, const QString& wanted, bool exactly) {
    const auto ours = got.split(QLatin1Char(' '));
    const auto theirs = wanted.split(QLatin1Char(' '));
    if (ours.size() != theirs.size()) return false;
    double tolerance = 0;
    for (qsizetype i = 0; i < ours.size(); ++i) {
        const QString& word = theirs[i];
        if (word.contains(QLatin1String("float64"))) tolerance = 1e-12;
        if (word.contains(QLatin1String("float32"))) tolerance = 2e-6;
        if (word.contains(QLatin1String("float16"))) tolerance = word.contains(QLatin1String("bfloat16")) ? 1e-2 : 1e-3;
        if (word.contains(QLatin1String("int")) || word.contains(QLatin1String("bool"))) tolerance = 0;
        if (ours[i] == word) continue;
        bool numbers[2] = {};
        const auto number = [](QString text, bool& ok) {
            return text.remove(QRegularExpression("[;)]")).toDouble(&ok);
        };
        const double a = number(ours[i], numbers[0]);
        const double b = number(word, numbers[1]);
        if (!numbers[0] || !numbers[1] ||
            !(a == b || std::abs(a - b) <= (exactly ? 0 : tolerance) * std::max(1.0, std::abs(b))))
            return false;
    }
    return true;
}

}  // namespace

class CaseLinesTest : public QObject {
    Q_OBJECT
private slots:
    void a_line_gives_what_pytorch_gives_data() {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("result");
        int folders = 0;
        for (const auto& folder : QDir(kFolders).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            if (!QFile::exists(kFolders + folder + QStringLiteral("/preamble.txt"))) continue;
            ++folders;
            for (const auto& file : QDir(kFolders + folder).entryList({QStringLiteral("*_cases.txt")}))
                add_lines(folder, file);
        }
        QVERIFY(folders >= 2);
    }
    void a_line_gives_what_pytorch_gives() {
        QFETCH(QString, folder);
        QFETCH(QString, code);
        QFETCH(QString, result);
        const QString got = outcome(folder, code);
        QVERIFY2(agrees(got, result, folder == QLatin1String("select")),
                 qPrintable(code + QLatin1String("\n  PyTorch: ") + result + QLatin1String("\n  here:    ") + got));
    }

private:
    static void add_lines(const QString& folder, const QString& file) {
        int number = 0;
        for (const auto& line :
             QString::fromStdString(contents(folder + QLatin1Char('/') + file)).split(QLatin1Char('\n'))) {
            ++number;
            const auto tab = line.indexOf(QLatin1Char('\t'));
            if (tab < 0) continue;
            QTest::addRow("%s/%s:%d", qPrintable(folder), qPrintable(file), number)
                << folder << line.left(tab) << line.mid(tab + 1);
        }
    }
};

QTEST_APPLESS_MAIN(CaseLinesTest)
#include "case_lines_test.moc"
