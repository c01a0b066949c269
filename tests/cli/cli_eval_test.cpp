// SPDX-License-Identifier: Apache-2.0
// maskscope-cli eval: the JSON that others rely on, with values worked out by hand; failures, saving, cancelling.
#include "tests/cli/cli.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>

using namespace maskscope::test;
using nlohmann::json;

namespace {

// Scores 3, 1, 0 with the third masked.
const QString kMasked = QStringLiteral(
    "scores = torch.tensor([[3.0, 1.0, 0.0], [0.0, 0.0, 5.0]])\n"
    "drop = torch.tensor([False, False, True])\n"
    "filled = scores.masked_fill(drop, float('-inf'))\n"
    "print(filled.shape)\n"
    "filled[0]\n");

std::vector<std::string> keys_of(const json& object) {
    std::vector<std::string> out;
    for (const auto& [key, value] : object.items()) out.push_back(key);
    return out;
}

Outcome run_with_input(const QStringList& arguments, const QByteArray& input) {
    QProcess process;
    process.start(MS_CLI, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace

class CliEvalTest : public QObject {
    Q_OBJECT

private slots:
    void the_document();
    void a_step();
    void values();
    void values_data();
    void long_tensors_have_stats();
    void inputs();
    void wrong_inputs();
    void wrong_inputs_data();
    void a_script_from_a_file_and_from_stdin();
    void a_failing_script();
    void a_syntax_error();
    void budgets();
    void budgets_data();
    void shapes_only();
    void timing();
    void no_trace();
    void saving();
    void nothing_is_saved_when_a_name_is_wrong();
    void nothing_is_saved_when_a_name_is_wrong_data();
    void gradients_and_devices_are_refused();
    void an_interrupt_ends_with_130();
    void people_get_a_table();
    void control_characters_stay_harmless();
};

void CliEvalTest::the_document() {
    const auto outcome = run_cli({"eval", "--json", "-c", kMasked});
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(outcome.err.isEmpty());
    const json document = outcome.json();
    for (const char* key : {"result", "variables", "printed", "steps", "grads", "findings", "rules"})
        QVERIFY2(document.contains(key), key);
    QVERIFY(!document.contains("error"));
    QCOMPARE(document["result"]["shape"], json({3}));
    QCOMPARE(document["result"]["dtype"], "float32");
    QCOMPARE(document["result"]["values"], json({3.0, 1.0, "-inf"}));
    QCOMPARE(document["result"]["is_view"], true);
    QCOMPARE(document["printed"], "torch.Size([2, 3])\n");
    QCOMPARE(keys_of(document["variables"]), (std::vector<std::string>{"drop", "filled", "scores"}));
    QCOMPARE(document["variables"]["drop"]["values"], json({false, false, true}));
    QCOMPARE(document["variables"]["filled"]["values"], json({{3.0, 1.0, "-inf"}, {0.0, 0.0, "-inf"}}));
    QCOMPARE(document["grads"], json::object());
    QCOMPARE(document["findings"], json::array());
    QCOMPARE(document["rules"], json::array());
}

void CliEvalTest::a_step() {
    const json steps = run_cli({"eval", "--json", "-c", kMasked}).json()["steps"];
    QCOMPARE(steps.size(), 4U);
    const json& step = steps[2];
    QCOMPARE(step["id"], 2);
    QCOMPARE(step["line"], 3);
    QCOMPARE(step["op"], "masked_fill");
    const auto expr = step["expr"].get<std::string>();
    QCOMPARE(expr, "scores.masked_fill(drop, float('-inf'))");
    // The span is the expression's place in the script, in bytes.
    const auto begin = step["span"][0].get<std::size_t>();
    const auto end = step["span"][1].get<std::size_t>();
    QCOMPARE(kMasked.toStdString().substr(begin, end - begin), expr);
    QCOMPARE(step["inputs"][0]["shape"], json({2, 3}));
    QCOMPARE(step["inputs"][1]["name"], "mask");
    QCOMPARE(step["inputs"][1]["dtype"], "bool");
    QCOMPARE(step["output"]["shape"], json({2, 3}));
    QCOMPARE(step["output"]["dtype"], "float32");
    QCOMPARE(step["output"]["stride"], json({3, 1}));
    QCOMPARE(step["output"]["is_view"], false);
    QCOMPARE(step["output"]["states"]["nan"], 0);
    QCOMPARE(step["output"]["states"]["posinf"], 0);
    QCOMPARE(step["output"]["states"]["neginf"], 2);
    QCOMPARE(step["output"]["states"]["zero"], 2);
    QCOMPARE(step["broadcast"].size(), 1U);
    QCOMPARE(step["broadcast"][0]["input"], "mask");
    QCOMPARE(step["broadcast"][0]["from"], json({3}));
    QCOMPARE(step["broadcast"][0]["aligned"], json({1, 3}));
    QCOMPARE(step["broadcast"][0]["stretched"], json::array({0}));
    QCOMPARE(step["bytes_allocated"], 24);
    // 24 bytes of scores and 3 of the mask read, 24 written.
    QCOMPARE(step["bytes_moved"], 51);
    QCOMPARE(step["device"], "cpu");
    QVERIFY(step["time_us"].is_null());
    QVERIFY(step["flops"].is_number());
    QCOMPARE(steps[3]["output"]["is_view"], true);
    QCOMPARE(steps[3]["bytes_allocated"], 0);
}

void CliEvalTest::values_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("expected");
    QTest::newRow("int") << "1 + 2"
                         << "3";
    QTest::newRow("float") << "1 / 4"
                           << "0.25";
    QTest::newRow("nan") << "float('nan')"
                         << "\"nan\"";
    QTest::newRow("infinities") << "[float('inf'), -float('inf')]"
                                << R"(["inf", "-inf"])";
    QTest::newRow("bool") << "1 < 2"
                          << "true";
    QTest::newRow("none") << "None"
                          << "null";
    QTest::newRow("text") << "'a\\'b'"
                          << R"("a'b")";
    QTest::newRow("tuple") << "(1, (2, 'x'))"
                           << R"([1, [2, "x"]])";
    QTest::newRow("size") << "torch.zeros(2, 3).shape"
                          << "[2, 3]";
    QTest::newRow("dict") << "{'a': 1, 2: [3]}"
                          << R"({"a": 1, "2": [3]})";
    QTest::newRow("dtype") << "torch.float32"
                           << R"("torch.float32")";
    QTest::newRow("large int") << "2 ** 53 + 1"
                               << "9007199254740993";
}

void CliEvalTest::values() {
    QFETCH(QString, code);
    QFETCH(QString, expected);
    const auto outcome = run_cli({"eval", "--json", "-c", code});
    QCOMPARE(outcome.exit_code, 0);
    QCOMPARE(outcome.json()["result"], json::parse(expected.toStdString()));
}

void CliEvalTest::long_tensors_have_stats() {
    const json short_one = run_cli({"eval", "--json", "-c", "torch.arange(10000)"}).json()["result"];
    QCOMPARE(short_one["values"].size(), 10000U);
    QVERIFY(!short_one.contains("stats"));
    const json result = run_cli({"eval", "--json", "-c", "torch.arange(10001)"}).json()["result"];
    QVERIFY(result["values"].is_null());
    QCOMPARE(result["stats"]["min"], 0);
    QCOMPARE(result["stats"]["max"], 10000);
    QCOMPARE(result["stats"]["mean"], 5000.0);
    QCOMPARE(result["stats"]["zero"], 1);
    // An expansion holds one element for each that it shows.
    const json expanded = run_cli({"eval", "--json", "-c", "torch.zeros(2, 1).expand(2, 1000000000)"}).json()["result"];
    QCOMPARE(expanded["stats"]["zero"], 2'000'000'000);
    // A dim of 0 behind a long one has nothing to list.
    QVERIFY(run_cli({"eval", "--json", "-c", "torch.zeros(1000000000, 0)"}).json()["result"]["values"].is_null());
    QCOMPARE(run_cli({"eval", "--json", "-c", "torch.zeros(2, 0)"}).json()["result"]["values"],
             json({json::array(), json::array()}));
}

void CliEvalTest::inputs() {
    const auto outcome = run_cli({"eval", "--json", "-c", "(keep.sum(), self.keep[0].shape)", "--in",
                                  "keep=" + kSamples + "minilm.safetensors::keep_mask", "--in",
                                  "self.keep=" + kSamples + "minilm.safetensors::keep_mask[0:2]"});
    QCOMPARE(outcome.exit_code, 0);
    // 24 + 17 + 11 + 6 real tokens.
    QCOMPARE(outcome.json()["result"][0]["values"], 58);
    QCOMPARE(outcome.json()["result"][1], json({24}));
    // What the file holds stays as it is.
    QFile file(kGoldens + "npy/le_i1.npy");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    QCOMPARE(run_cli({"eval", "-c", "x.fill_(1)", "--in", "x=" + file.fileName()}).exit_code, 0);
    file.seek(0);
    QCOMPARE(file.readAll(), before);
}

void CliEvalTest::wrong_inputs_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exit_code");
    QTest::addColumn<QString>("says");
    const QString good = kGoldens + "npy/le_i1.npy";
    QTest::newRow("no file") << QStringList{"-c", "x", "--in", "x=/no/such.npy"} << 3 << "/no/such.npy: cannot open";
    QTest::newRow("no name") << QStringList{"-c", "x", "--in", "=" + good} << 2 << "wants NAME=FILE";
    QTest::newRow("no equals") << QStringList{"-c", "x", "--in", good} << 2 << "wants NAME=FILE";
    QTest::newRow("bad name") << QStringList{"-c", "x", "--in", "2x=" + good} << 2 << "\"2x\" is no name";
    QTest::newRow("twice") << QStringList{"-c", "x", "--in", "x=" + good, "--in", "x=" + good} << 2 << "x twice";
    QTest::newRow("no script") << QStringList{} << 2 << "a script is missing";
    QTest::newRow("two scripts") << QStringList{"a.py", "-c", "1"} << 2 << "two scripts";
    QTest::newRow("no such script") << QStringList{"/no/such.py"} << 3 << "/no/such.py: cannot open";
    QTest::newRow("a folder") << QStringList{"/tmp"} << 3 << "/tmp: cannot read";
    QTest::newRow("unbound name") << QStringList{"-c", "y + 1"} << 3 << "NameError: name 'y' is not defined";
}

void CliEvalTest::wrong_inputs() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exit_code);
    QFETCH(QString, says);
    const auto outcome = run_cli(QStringList{"eval"} + arguments);
    QCOMPARE(outcome.exit_code, exit_code);
    QVERIFY2(QString::fromUtf8(outcome.err).contains(says), outcome.err);
}

void CliEvalTest::a_script_from_a_file_and_from_stdin() {
    QTemporaryDir folder;
    QFile script(folder.filePath("a.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("x = 20\nx + 22\n");
    script.close();
    QCOMPARE(run_cli({"eval", "--json", script.fileName()}).json()["result"], 42);
    QCOMPARE(run_with_input({"eval", "--json", "-"}, "x = 20\nx + 22\n").json()["result"], 42);
}

void CliEvalTest::a_failing_script() {
    const QString code =
        QStringLiteral("x = torch.zeros(2, 3)\nm = torch.ones(2, dtype=torch.bool)\ny = 1 + x.masked_fill(m, 0)\n");
    const auto outcome = run_cli({"eval", "--json", "-c", code});
    QCOMPARE(outcome.exit_code, 3);
    const json document = outcome.json();
    QCOMPARE(document["steps"].size(), 2U);
    QCOMPARE(document["variables"]["m"]["values"], json({true, true}));
    QVERIFY(!document["variables"].contains("y"));
    QCOMPARE(document["error"]["type"], "RuntimeError");
    QCOMPARE(document["error"]["message"],
             "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1");
    QCOMPARE(document["error"]["where"]["line"], 3);
    const auto begin = document["error"]["where"]["span"][0].get<int>();
    const auto end = document["error"]["where"]["span"][1].get<int>();
    QCOMPARE(code.mid(begin, end - begin), "x.masked_fill(m, 0)");
    QVERIFY(document["error"]["hint"].get<std::string>().find("m[:, None]") != std::string::npos);
    // For people: the steps on stdout; on stderr the line with its place marked.
    const auto text = run_cli({"eval", "-c", code});
    QVERIFY(text.out.contains("torch.ones(2, dtype=torch.bool)"));
    const auto lines = QString::fromUtf8(text.err).split('\n');
    QVERIFY(lines[0].contains("line 3: RuntimeError: The size of tensor a (2)"));
    QCOMPARE(lines[1].indexOf("x.masked_fill"), lines[2].indexOf('^'));
    QCOMPARE(lines[2].count('^'), 19);
    QVERIFY(lines[3].contains("m[:, None]"));
}

void CliEvalTest::a_syntax_error() {
    const auto outcome = run_with_input({"eval", "--json", "-"}, "x = 1\ny = = 2\n");
    QCOMPARE(outcome.exit_code, 3);
    const json document = outcome.json();
    QCOMPARE(document["error"]["type"], "SyntaxError");
    QCOMPARE(document["error"]["where"]["line"], 2);
    QCOMPARE(document["error"]["where"]["file"], "<stdin>");
    QCOMPARE(document["steps"], json::array());
    QVERIFY(QString::fromUtf8(outcome.err).contains("<stdin>:2: SyntaxError"));
}

void CliEvalTest::budgets_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("steps") << QStringList{"--max-steps", "1000", "-c", "while True: pass"};
    QTest::newRow("seconds") << QStringList{"--max-seconds", "0.2", "--max-steps",
                                            "1000000000000", "-c",  "while True: pass"};
    QTest::newRow("bytes") << QStringList{"--max-bytes", "1MB", "-c", "torch.zeros(1000, 1000)"};
}

void CliEvalTest::budgets() {
    QFETCH(QStringList, arguments);
    const auto outcome = run_cli(QStringList{"eval", "--json"} + arguments);
    QCOMPARE(outcome.exit_code, 3);
    QVERIFY(!outcome.json()["error"]["message"].get<std::string>().empty());
}

void CliEvalTest::shapes_only() {
    const auto outcome = run_cli({"eval", "--json", "--shapes", "-c",
                                  "x = torch.zeros(100000, 100000)\ny = x.masked_fill(x > 0, 1.0)\ny[:, None].shape"});
    QCOMPARE(outcome.exit_code, 0);
    const json document = outcome.json();
    QCOMPARE(document["result"], json({100000, 1, 100000}));
    QVERIFY(document["variables"]["y"]["values"].is_null());
    QVERIFY(document["steps"][2]["output"]["states"].is_null());
}

void CliEvalTest::timing() {
    const json steps =
        run_cli({"eval", "--json", "--time", "-c", "x = torch.ones(100, 100)\nx.mul_(2).sum()"}).json()["steps"];
    QCOMPARE(steps.size(), 3U);
    for (const auto& step : steps) {
        const json& time = step["time_us"];
        QVERIFY(time["median"].get<double>() > 0);
        QVERIFY(time["p25"].get<double>() <= time["p75"].get<double>());
        QVERIFY(time["runs"].get<int>() > 1);
    }
    // Repeating must not show: 10,000 twos.
    QCOMPARE(steps[2]["output"]["states"]["zero"], 0);
    QCOMPARE(run_cli({"eval", "--json", "--time", "-c", "x = torch.ones(100, 100)\nx.mul_(2).sum().item()"})
                 .json()["result"],
             20000.0);
}

void CliEvalTest::no_trace() {
    const json document = run_cli({"eval", "--json", "--no-trace", "-c", "torch.ones(2).sum()"}).json();
    QCOMPARE(document["steps"], json::array());
    QCOMPARE(document["result"]["values"], 2.0);
}

void CliEvalTest::saving() {
    QTemporaryDir folder;
    const QString one = folder.filePath("one.npy");
    const QString both = folder.filePath("both.npz");
    const auto outcome = run_cli({"eval", "--json", "-c", "a = torch.arange(6).view(2, 3).t()\nb = a > 2", "--save",
                                  "a=" + one, "--save", "a=" + both, "--save", "b=" + both});
    QCOMPARE(outcome.exit_code, 0);
    QCOMPARE(outcome.json()["saved"].size(), 3U);
    const json back =
        run_cli({"eval", "--json", "-c", "(a, b)", "--in", "a=" + one, "--in", "b=" + both + "::b"}).json();
    QCOMPARE(back["result"][0]["values"], json({{0, 3}, {1, 4}, {2, 5}}));
    QCOMPARE(back["result"][0]["dtype"], "int64");
    QCOMPARE(back["result"][1]["values"], json({{false, true}, {false, true}, {false, true}}));
}

void CliEvalTest::nothing_is_saved_when_a_name_is_wrong_data() {
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown") << "c"
                             << "binds no such name";
    QTest::newRow("no tensor") << "n"
                               << "no tensor but int";
}

void CliEvalTest::nothing_is_saved_when_a_name_is_wrong() {
    QFETCH(QString, second);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const QString file = folder.filePath("a.npy");
    const auto outcome = run_cli({"eval", "-c", "a = torch.ones(2)\nn = 1", "--save", "a=" + file, "--save",
                                  second + "=" + folder.filePath("b.npy")});
    QCOMPARE(outcome.exit_code, 2);
    QVERIFY2(QString::fromUtf8(outcome.err).contains(says), outcome.err);
    QVERIFY(!QFile::exists(file));
}

void CliEvalTest::gradients_and_devices_are_refused() {
    const auto grad = run_cli({"eval", "-c", "x = torch.ones(2)", "--grad", "x"});
    QCOMPARE(grad.exit_code, 2);
    QVERIFY(grad.err.contains("--grad x"));
    const auto device = run_cli({"eval", "-c", "1", "--device", "tpu"});
    QCOMPARE(device.exit_code, 2);
    const json devices = run_cli({"devices", "--json"}).json()["cuda"];
    if (!devices["devices"].empty()) return;
    const auto cuda = run_cli({"eval", "--json", "-c", "1", "--device", "cuda"});
    QCOMPARE(cuda.exit_code, 4);
    const auto message = cuda.json()["error"]["message"].get<std::string>();
    QVERIFY(message.find(devices["reason"].get<std::string>()) != std::string::npos);
}

void CliEvalTest::an_interrupt_ends_with_130() {
    QProcess process;
    process.start(MS_CLI, {"eval", "--json", "--max-steps", "1000000000000", "-c", "print('on')\nwhile True: pass"});
    QVERIFY(process.waitForStarted());
    QTest::qWait(300);
    kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitCode(), 130);
    const json document = json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    QCOMPARE(document["printed"], "on\n");
    QCOMPARE(document["error"]["message"], "cancelled");
}

void CliEvalTest::people_get_a_table() {
    const auto outcome = run_cli({"eval", "-c", kMasked});
    QCOMPARE(outcome.exit_code, 0);
    const QString text = QString::fromUtf8(outcome.out);
    // What was printed, the steps, the result: in this order.
    const qsizetype printed = text.indexOf("torch.Size([2, 3])");
    const qsizetype step = text.indexOf("scores.masked_fill(drop, float('-inf'))");
    const qsizetype note = text.indexOf("mask [3] is read as [1, 3], repeated along dim 0");
    const qsizetype result = text.indexOf("tensor([3., 1., -inf])");
    QVERIFY2(0 <= printed && printed < step && step < note && note < result, outcome.out);
    QVERIFY(text.contains("2 -inf, 2 zero"));
    QVERIFY(text.contains("view"));
    // A script that ends in no expression shows what it bound.
    QVERIFY(run_cli({"eval", "-c", "a = torch.ones(2)\nb = (1, 'x')"})
                .out.contains("a = tensor([1., 1.])\nb = (1, 'x')\n"));
}

void CliEvalTest::control_characters_stay_harmless() {
    const auto outcome = run_cli({"eval", "-c", "print('a\\x1b[2Jb')\n'\\x1b'"});
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(!outcome.out.contains('\x1b'));
}

QTEST_GUILESS_MAIN(CliEvalTest)
#include "cli_eval_test.moc"
