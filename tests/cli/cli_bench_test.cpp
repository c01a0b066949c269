// SPDX-License-Identifier: Apache-2.0
// maskscope-cli bench: which rows there are, and that one of them is measured; not how fast.
#include "tests/cli/cli.h"

#include <QtTest>

#include <algorithm>

using namespace maskscope::test;
using nlohmann::json;

class CliBenchTest : public QObject {
    Q_OBJECT

private slots:
    void rows_are_scripts_that_run();
    void one_row();
    void wrong_filters();
};

void CliBenchTest::rows_are_scripts_that_run() {
    const json rows = run_cli({"bench", "--list", "--json"}).json()["rows"];
    QVERIFY(rows.size() > 15);
    for (const auto& row : rows) {
        const auto code = row["setup"].get<std::string>() + row["expr"].get<std::string>();
        // Shapes only: a row of full size takes long.
        const auto outcome = run_cli({"eval", "--no-trace", "--shapes", "-c", QString::fromStdString(code)});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
    }
}

void CliBenchTest::one_row() {
    const auto outcome = run_cli({"bench", "--json", "--filter", "select/1000/10"});
    QCOMPARE(outcome.exit_code, 0);
    const json rows = outcome.json()["rows"];
    QVERIFY(rows.size() == 1 || rows.size() == 2);
    QCOMPARE(rows.back()["threads"], 1);
    for (const auto& row : rows) {
        QCOMPARE(row["name"], "select/1000/10");
        QVERIFY(row["median_ms"].get<double>() > 0);
        QVERIFY(row["limit_ms"].get<double>() > 0);
        // A million float32 and as many bools read, a tenth of the float32 written.
        QCOMPARE(row["bytes"], 5.4e6);
        QVERIFY(row["runs"].get<int>() >= 1);
        const double share = row["limit_ms"].get<double>() / row["median_ms"].get<double>();
        QVERIFY(std::abs(row["share"].get<double>() - share) < 1e-9);
    }
    const auto text = run_cli({"bench", "--threads", "1", "--filter", "select/1000/1$"});
    QCOMPARE(text.exit_code, 0);
    QVERIFY(text.out.contains("select/1000/1 "));
    QVERIFY(text.out.contains("% of copy"));
    QVERIFY(!text.out.contains("select/1000/10"));
}

void CliBenchTest::wrong_filters() {
    const auto none = run_cli({"bench", "--filter", "nothing_like_this"});
    QCOMPARE(none.exit_code, 2);
    QVERIFY(none.err.contains("select/4096/1"));
    QCOMPARE(run_cli({"bench", "--filter", "("}).exit_code, 2);
}

QTEST_GUILESS_MAIN(CliBenchTest)
#include "cli_bench_test.moc"
