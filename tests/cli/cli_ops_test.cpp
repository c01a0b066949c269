// SPDX-License-Identifier: Apache-2.0
// maskscope-cli ops: the list, and one op with its samples run.
#include "tests/cli/cli.h"

#include <QtTest>

#include <algorithm>

using namespace maskscope::test;
using nlohmann::json;

class CliOpsTest : public QObject {
    Q_OBJECT

private slots:
    void the_list();
    void one_op();
    void names_as_they_are_written();
    void an_unknown_name();
};

void CliOpsTest::the_list() {
    const auto outcome = run_cli({"ops", "--json"});
    QCOMPARE(outcome.exit_code, 0);
    const json ops = outcome.json()["ops"];
    QVERIFY(ops.size() > 300);
    for (const char* name : {"masked_fill", "where", "softmax", "scaled_dot_product_attention", "masked_select"})
        QVERIFY2(std::any_of(ops.begin(), ops.end(), [&](const json& op) { return op["name"] == name; }), name);
    for (const auto& op : ops) {
        const auto name = op["name"].get<std::string>();
        QVERIFY2(!op["forms"].empty(), name.c_str());
        QVERIFY2(!op["meaning"].get<std::string>().empty(), name.c_str());
    }
    const auto text = run_cli({"ops"});
    QVERIFY(text.out.contains("masked_fill  torch.masked_fill()  x.masked_fill()  x.masked_fill_()"));
}

void CliOpsTest::one_op() {
    const auto outcome = run_cli({"ops", "masked_fill", "--json"});
    QCOMPARE(outcome.exit_code, 0);
    const json op = outcome.json();
    QCOMPARE(op["name"], "masked_fill");
    QCOMPARE(op["forms"], json({"function", "method", "in_place"}));
    std::vector<std::string> signatures;
    for (const auto& overload : op["overloads"]) signatures.push_back(overload["signature"]);
    // As torch lists them in its TypeErrors.
    for (const char* wanted : {"masked_fill(Tensor input, Tensor mask, Tensor value)",
                               "masked_fill(Tensor input, Tensor mask, Number value)"})
        QVERIFY2(std::find(signatures.begin(), signatures.end(), wanted) != signatures.end(), wanted);
    QVERIFY(op["inputs"].contains("x") && op["inputs"].contains("m"));
    QVERIFY(!op["samples"].empty());
    for (const auto& sample : op["samples"]) QCOMPARE(sample["result"]["shape"], json({3, 4}));
    const auto text = run_cli({"ops", "masked_fill"});
    for (const char* word : {"Signatures", "Samples", ">>> ", "tensor(["}) QVERIFY2(text.out.contains(word), word);
}

void CliOpsTest::names_as_they_are_written() {
    for (const char* name : {"masked_fill", "masked_fill_", "torch.masked_fill", "torch.Tensor.masked_fill_"})
        QCOMPARE(run_cli({"ops", "--json", name}).json()["name"], "masked_fill");
    QCOMPARE(run_cli({"ops", "--json", "F.one_hot"}).json()["name"], "one_hot");
}

void CliOpsTest::an_unknown_name() {
    const auto outcome = run_cli({"ops", "masked_fil", "--json"});
    QCOMPARE(outcome.exit_code, 2);
    QCOMPARE(outcome.json()["error"]["hint"].get<std::string>().rfind("Near it: masked_fill", 0), 0U);
    QCOMPARE(run_cli({"ops", "qqqqqq"}).exit_code, 2);
}

QTEST_GUILESS_MAIN(CliOpsTest)
#include "cli_ops_test.moc"
