// SPDX-License-Identifier: Apache-2.0
// maskscope-cli broadcast: how shapes are read, what is said of each column, and fixes that are true.
#include "tests/cli/cli.h"

#include <QtTest>

using namespace maskscope::test;
using nlohmann::json;

namespace {

json ask(const QStringList& arguments) {
    return run_cli(QStringList{"broadcast", "--json"} + arguments).json();
}

std::vector<std::string> verdicts(const json& document) {
    std::vector<std::string> out;
    for (const auto& column : document["columns"]) out.push_back(column["verdict"]);
    return out;
}

using Words = std::vector<std::string>;

}  // namespace

class CliBroadcastTest : public QObject {
    Q_OBJECT

private slots:
    void shapes_that_fit();
    void shapes_that_do_not();
    void ways_to_write_a_shape();
    void ways_to_write_a_shape_data();
    void three_shapes();
    void the_words_of_an_op();
    void the_words_of_an_op_data();
    void ops_that_align_in_their_own_way();
    void an_op_whose_result_depends_on_values();
    void wrong_use();
    void wrong_use_data();
    void people_get_columns();
};

void CliBroadcastTest::shapes_that_fit() {
    const auto outcome = run_cli({"broadcast", "--json", "8,1,6", "7,1"});
    QCOMPARE(outcome.exit_code, 0);
    const json document = outcome.json();
    QCOMPARE(document["ok"], true);
    QCOMPARE(document["result"], json({8, 7, 6}));
    QVERIFY(document["error"].is_null());
    QCOMPARE(document["columns"][0]["sizes"], json({8, nullptr}));
    QCOMPARE(document["columns"][1]["sizes"], json({1, 7}));
    QCOMPARE(verdicts(document), (Words{"missing", "stretch", "stretch"}));
    QCOMPARE(verdicts(ask({"2,3", "2,3"})), (Words{"equal", "equal"}));
    QCOMPARE(document["fixes"], json::array());
}

void CliBroadcastTest::shapes_that_do_not() {
    const auto outcome = run_cli({"broadcast", "--json", "2,4,3", "2,4"});
    QCOMPARE(outcome.exit_code, 1);
    QVERIFY(outcome.err.isEmpty());
    const json document = outcome.json();
    QCOMPARE(document["ok"], false);
    QVERIFY(document["result"].is_null());
    // torch.zeros(2, 4, 3) + torch.zeros(2, 4)
    QCOMPARE(document["error"],
             "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 2");
    QCOMPARE(verdicts(document), (Words{"missing", "mismatch", "mismatch"}));
    QCOMPARE(document["fixes"][0]["input"], 1);
    QCOMPARE(document["fixes"][0]["index"], "[:, :, None]");
    QCOMPARE(document["fixes"][0]["shape"], json({2, 4, 1}));
    QCOMPARE(document["fixes"][0]["result"], json({2, 4, 3}));
    // A transpose is a fix as well, and nothing is one for these.
    QCOMPARE(ask({"2,3", "3,2"})["fixes"][0]["index"], ".mT");
    QCOMPARE(ask({"2", "3,5"})["fixes"], json::array());
}

void CliBroadcastTest::ways_to_write_a_shape_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QString>("expected");
    QTest::newRow("commas") << "2,3"
                            << "[2, 3]";
    QTest::newRow("brackets") << "[2, 3]"
                              << "[2, 3]";
    QTest::newRow("tuple") << "(2, 3)"
                           << "[2, 3]";
    QTest::newRow("x") << "2x3"
                       << "[2, 3]";
    QTest::newRow("size") << "torch.Size([2, 3])"
                          << "[2, 3]";
    QTest::newRow("one") << "3"
                         << "[3]";
    QTest::newRow("tuple of one") << "(3,)"
                                  << "[3]";
    QTest::newRow("zero") << "0,3"
                          << "[0, 3]";
    QTest::newRow("no dims") << "()"
                             << "[]";
    QTest::newRow("no dims, brackets") << "[]"
                                       << "[]";
}

void CliBroadcastTest::ways_to_write_a_shape() {
    QFETCH(QString, shape);
    QFETCH(QString, expected);
    QCOMPARE(ask({"()", shape})["result"], json::parse(expected.toStdString()));
}

void CliBroadcastTest::three_shapes() {
    const json document = ask({"5,1,4", "3,1", "4"});
    QCOMPARE(document["result"], json({5, 3, 4}));
    QCOMPARE(document["columns"][1]["sizes"], json({1, 3, nullptr}));
    QCOMPARE(verdicts(document), (Words{"missing", "stretch", "stretch"}));
}

// The texts are PyTorch's.
void CliBroadcastTest::the_words_of_an_op_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("error");
    QTest::newRow("masked_fill names the mask first")
        << QStringList{"2,3", "2", "--op", "masked_fill"}
        << "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1";
    QTest::newRow("masked_fill_ cannot grow") << QStringList{"3", "2,3", "--op", "masked_fill_"}
                                              << "output with shape [3] doesn't match the broadcast shape [2, 3]";
    QTest::newRow("matmul") << QStringList{"2,3", "4,5", "--op", "matmul"}
                            << "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)";
    QTest::newRow("cat") << QStringList{"2,3", "2,4", "--op", "cat"}
                         << "Sizes of tensors must match except in dimension 0. Expected size 3 but got size "
                            "4 for tensor number 1 in the list.";
}

void CliBroadcastTest::the_words_of_an_op() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, error);
    const auto outcome = run_cli(QStringList{"broadcast", "--json"} + arguments);
    QCOMPARE(outcome.exit_code, 1);
    QCOMPARE(QString::fromStdString(outcome.json()["error"].get<std::string>()), error);
}

void CliBroadcastTest::ops_that_align_in_their_own_way() {
    const json product = ask({"2,3", "4,3", "--op", "matmul"});
    QCOMPARE(product["columns"], json::array());
    QCOMPARE(product["fixes"][0]["index"], ".mT");
    QCOMPARE(product["fixes"][0]["result"], json({2, 4}));
    QCOMPARE(ask({"7,2,3", "3,4", "--op", "matmul"})["result"], json({7, 2, 4}));
    QCOMPARE(ask({"2,4,5,8", "2,4,6,8", "2,4,6,9", "5,6", "--op", "scaled_dot_product_attention"})["result"],
             json({2, 4, 5, 9}));
    QCOMPARE(ask({"2,3", "--op", "softmax"})["ok"], true);
    // No shape is too large to ask about.
    QCOMPARE(ask({"100000,100000,100000", "100000,1", "--op", "masked_fill"})["result"],
             json({100000, 100000, 100000}));
}

void CliBroadcastTest::an_op_whose_result_depends_on_values() {
    const json fits = ask({"2,3", "3", "--op", "masked_select"});
    QCOMPARE(fits["ok"], true);
    QVERIFY(fits["result"].is_null());
    // masked_select names the mask first, too.
    QCOMPARE(ask({"2,3", "2", "--op", "masked_select"})["error"],
             "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1");
}

void CliBroadcastTest::wrong_use_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("no shape") << QStringList{} << "SHAPE";
    QTest::newRow("one shape") << QStringList{"2,3"} << "two or more";
    QTest::newRow("words") << QStringList{"2,3", "abc"} << "\"abc\" is no shape";
    QTest::newRow("negative") << QStringList{"2,3", "2,-3"} << "is no shape";
    QTest::newRow("trailing") << QStringList{"2,3", "2,3,"} << "is no shape";
    QTest::newRow("too long") << QStringList{"2", "1,1,1,1,1,1,1,1,1,1,1,1,1"} << "is no shape";
    QTest::newRow("too large") << QStringList{"2", "9999999999,9999999999"} << "more elements";
    QTest::newRow("unknown op") << QStringList{"2", "2", "--op", "masked_fil"} << "masked_fill";
    QTest::newRow("too many for the op") << QStringList{"2", "2", "2", "2", "2", "--op", "masked_fill"}
                                         << "takes no 5 shapes";
}

void CliBroadcastTest::wrong_use() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const auto outcome = run_cli(QStringList{"broadcast"} + arguments);
    QCOMPARE(outcome.exit_code, 2);
    QVERIFY2(QString::fromUtf8(outcome.err).contains(says), outcome.err);
}

void CliBroadcastTest::people_get_columns() {
    const auto outcome = run_cli({"broadcast", "2,4,3", "2,4"});
    QCOMPARE(outcome.exit_code, 1);
    const auto lines = QString::fromUtf8(outcome.out).split('\n');
    QCOMPARE(lines[0].simplified(), "dim -3 -2 -1");
    QCOMPARE(lines[1].simplified(), "shape 1 2 4 3");
    QCOMPARE(lines[2].simplified(), "shape 2 . 2 4");
    QCOMPARE(lines[3].simplified(), "missing mismatch mismatch");
    // Sizes stand one below the other.
    QCOMPARE(lines[1].lastIndexOf('3'), lines[2].lastIndexOf('4'));
    QVERIFY(outcome.out.contains("shape 2[:, :, None] is [2, 4, 1], and the result [2, 4, 3]"));
}

QTEST_GUILESS_MAIN(CliBroadcastTest)
#include "cli_broadcast_test.moc"
