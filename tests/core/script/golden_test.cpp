// SPDX-License-Identifier: Apache-2.0
// The engine against PyTorch: each program of tests/golden/engine/cases is run, and what it binds to `out`, raises or
// prints must be what PyTorch gave.
//
//   MASKSCOPE_GOLDEN_FILTER=text   only the cases with this in their name
//   MASKSCOPE_GOLDEN_REPORT=path   the failures as a table (name, what differs) instead of on the screen
#include "core/script/language/evaluate.h"
#include "tests/core/script/golden_difference.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>

using namespace maskscope;
using golden::Json;

namespace {

const QString kCases = QStringLiteral(MS_SOURCE_DIR "/tests/golden/engine/cases");

// Everything that a program came to, with the keys of a case.
Json outcome_of(const std::string& code) {
    script::Options options;
    options.trace = false;
    options.limits.seconds = 20;
    const script::Evaluation run = script::evaluate(code, {}, options);
    Json outcome = Json::object();
    if (run.error) {
        outcome["error"] = {{"type", run.error->type}, {"text", run.error->message.text()}};
    } else {
        outcome["out"] = {{"other", "nothing"}};
        for (const auto& [name, value] : run.variables) {
            if (name == "out") outcome["out"] = golden::written(value);
        }
    }
    outcome["printed"] = run.printed;
    return outcome;
}

std::string error_text(const Json& outcome) {
    if (!outcome.contains("error")) return "no error";
    return outcome["error"]["type"].get<std::string>() + ": " + outcome["error"]["text"].get<std::string>();
}

std::string what_differs(const Json& expected, const Json& got) {
    if (error_text(expected) != error_text(got)) {
        return fmt::format("raised {}, not {}", error_text(got), error_text(expected));
    }
    const std::string printed = got.value("printed", std::string());
    const std::string to_print = expected.value("printed", std::string());
    if (printed != to_print) return fmt::format("printed {}, not {}", Json(printed).dump(), Json(to_print).dump());
    if (expected.contains("error")) return {};
    golden::Asked asked;
    if (expected.contains("rtol")) asked.relative = expected["rtol"].get<double>();
    if (expected.contains("atol")) asked.absolute = expected["atol"].get<double>();
    const std::string where = golden::difference(expected["out"], got["out"], asked);
    return where.empty() ? where : "out" + where;
}

std::string check(const Json& expected, Json& got) {
    try {
        got = outcome_of(expected["code"].get<std::string>());
        return what_differs(expected, got);
    } catch (const std::exception& thrown) {
        return std::string("an exception came out: ") + thrown.what();
    }
}

std::string one_line(std::string text) {
    for (std::size_t at = text.find_first_of("\n\t"); at != std::string::npos; at = text.find_first_of("\n\t", at)) {
        text.replace(at, 1, text[at] == '\n' ? "\\n" : "\\t");
    }
    return text;
}

}  // namespace

class GoldenTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const QString path = qEnvironmentVariable("MASKSCOPE_GOLDEN_REPORT");
        if (!path.isEmpty()) {
            report_.open(path.toStdString());
            QVERIFY2(report_.is_open(), qPrintable(path));
        }
        filter_ = qEnvironmentVariable("MASKSCOPE_GOLDEN_FILTER").toStdString();
        QVERIFY(read_known());
    }

    void a_program_gives_what_pytorch_gives_data() {
        QTest::addColumn<QString>("file");
        const QStringList files = QDir(kCases).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
        QVERIFY(!files.isEmpty());
        for (const QString& file : files) QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
    }
    void a_program_gives_what_pytorch_gives() {
        QFETCH(QString, file);
        QFile in(kCases + QLatin1Char('/') + file);
        QVERIFY2(in.open(QIODevice::ReadOnly), qPrintable(file));
        const Json cases = Json::parse(in.readAll().toStdString(), nullptr, false)["cases"];
        QVERIFY(cases.is_array() && !cases.empty());
        int count = 0;
        int failed = 0;
        for (const Json& expected : cases) {
            const auto name = expected["name"].get<std::string>();
            if (name.find(filter_) == std::string::npos) continue;
            ++count;
            Json got;
            std::string differs = check(expected, got);
            const auto known = known_.find(name);
            if (known != known_.end()) {
                ++known_count_;
                if (!differs.empty()) continue;
                differs = "agrees now: take it from known_differences.txt";
            }
            if (differs.empty()) continue;
            ++failed;
            tell(expected, got, differs);
        }
        count_ += count;
        failed_ += failed;
        QVERIFY2(failed == 0, qPrintable(QStringLiteral("%1 of %2 cases differ").arg(failed).arg(count)));
    }

    void cleanupTestCase() {
        fmt::print("golden: {} cases, {} agree, {} differ as known_differences.txt says\n", count_,
                   count_ - failed_ - known_count_, known_count_);
        std::fflush(stdout);
    }

private:
    // "name: reason", a line each.
    bool read_known() {
        QFile in(kCases + QStringLiteral("/../known_differences.txt"));
        if (!in.open(QIODevice::ReadOnly)) return false;
        for (const QByteArray& line : in.readAll().split('\n')) {
            const auto colon = line.indexOf(": ");
            if (colon > 0 && !line.startsWith('#'))
                known_.emplace(line.left(colon).toStdString(), line.mid(colon + 2).toStdString());
        }
        return true;
    }

    void tell(const Json& expected, const Json& got, const std::string& differs) {
        const auto name = expected["name"].get<std::string>();
        if (report_.is_open()) {
            report_ << name << '\t' << one_line(differs) << std::endl;
            return;
        }
        Json wanted = expected;
        wanted.erase("name");
        wanted.erase("code");
        fmt::print("{}: {}\n{}\n  expected {}\n  got      {}\n\n", name, differs, expected["code"].get<std::string>(),
                   wanted.dump(), got.dump());
    }

    std::ofstream report_;
    std::string filter_;
    std::map<std::string, std::string> known_;
    int known_count_ = 0;
    int count_ = 0;
    int failed_ = 0;
};

QTEST_APPLESS_MAIN(GoldenTest)
#include "golden_test.moc"
