// SPDX-License-Identifier: Apache-2.0
// maskscope-cli selftest: it holds cases of PyTorch for the ops, runs them, and all agree.
#include "tests/cli/cli.h"

#include <QtTest>

using namespace maskscope::test;
using nlohmann::json;

class CliSelftestTest : public QObject {
    Q_OBJECT

private slots:
    void every_op_agrees();
    void a_device_that_is_not_there();
};

void CliSelftestTest::every_op_agrees() {
    const auto outcome = run_cli({"selftest", "--json"});
    const json document = outcome.json();
    QVERIFY(document.is_object());
    for (const auto& op : document["ops"])
        for (const auto& one : op["differences"]) qWarning().noquote() << QString::fromStdString(one.dump(1));
    QCOMPARE(document["agreed"], document["cases"]);
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(document["cases"].get<int>() > 1000);
    QVERIFY(document["ops"].size() > 300);
    QVERIFY(document["reference"]["torch"].get<std::string>().rfind("2.", 0) == 0);
    QCOMPARE(document["ran_on"].size(), 1U);
    QVERIFY(document["ran_on"]["cpu"].get<int>() > 300);
    QVERIFY(run_cli({"selftest"}).out.contains("ops agree with PyTorch 2."));
}

void CliSelftestTest::a_device_that_is_not_there() {
    const json cuda = run_cli({"devices", "--json"}).json()["cuda"];
    if (!cuda["devices"].empty()) return;
    const auto outcome = run_cli({"selftest", "--device", "cuda", "--json"});
    QCOMPARE(outcome.exit_code, 4);
    const auto message = outcome.json()["error"]["message"].get<std::string>();
    QVERIFY(message.find(cuda["reason"].get<std::string>()) != std::string::npos);
}

QTEST_GUILESS_MAIN(CliSelftestTest)
#include "cli_selftest_test.moc"
