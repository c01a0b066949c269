// SPDX-License-Identifier: Apache-2.0
// Exit codes, what goes to stdout and what to stderr, and how long a start takes.
#include "tests/cli/cli.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <csignal>

using namespace maskscope::test;

class CliUsageTest : public QObject {
    Q_OBJECT

private slots:
    void help_and_version();
    void wrong_use();
    void wrong_use_data();
    void a_failure_is_json_too();
    void formats();
    void devices();
    void an_interrupt_ends_with_130();
    void starts_fast();
};

void CliUsageTest::help_and_version() {
    const auto help = run_cli({"--help"});
    QCOMPARE(help.exit_code, 0);
    for (const char* command : {"info", "render", "devices", "formats"}) QVERIFY(help.out.contains(command));
    QVERIFY(help.err.isEmpty());
    const auto version = run_cli({"--version"});
    QCOMPARE(version.exit_code, 0);
    QVERIFY(version.out.contains('.'));
    QVERIFY(run_cli({"info", "--help"}).out.contains("--no-stats"));
}

void CliUsageTest::wrong_use_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    QTest::newRow("nothing") << QStringList{} << "a command is missing";
    QTest::newRow("unknown command") << QStringList{"frobnicate"} << "there is no command \"frobnicate\"";
    QTest::newRow("command after an option") << QStringList{"--threads", "2", "frob"} << "there is no command \"frob\"";
    QTest::newRow("unknown option") << QStringList{"info", "--zork", "a.npy"} << "--zork";
    QTest::newRow("no file") << QStringList{"info"} << "FILE is required";
    QTest::newRow("threads") << QStringList{"--threads", "x", "formats"} << "--threads";
    QTest::newRow("no output") << QStringList{"render", kSamples + "broken.npz::drop_mask"} << "--out is required";
}

void CliUsageTest::wrong_use() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const auto outcome = run_cli(arguments);
    QCOMPARE(outcome.exit_code, 2);
    QVERIFY(outcome.out.isEmpty());
    QVERIFY2(QString::fromUtf8(outcome.err).contains(says), outcome.err);
    QCOMPARE(outcome.err.count('\n'), 1);
}

void CliUsageTest::a_failure_is_json_too() {
    for (const QStringList& arguments :
         {QStringList{"--json", "frobnicate"}, QStringList{"info", "x", "--json", "--zork"}}) {
        const auto outcome = run_cli(arguments);
        QCOMPARE(outcome.exit_code, 2);
        const auto json = outcome.json();
        QVERIFY2(json.is_object(), outcome.out);
        QVERIFY(json["error"]["message"].get<std::string>().size() > 5);
        QVERIFY(json["error"].contains("type") && json["error"].contains("where") && json["error"].contains("hint"));
    }
    const auto missing = run_cli({"info", "/no/such/file.npy", "--json"});
    QCOMPARE(missing.exit_code, 3);
    QCOMPARE(missing.json()["error"]["where"]["file"], "/no/such/file.npy");
    const auto hostile = run_cli({"--json", "info", kGoldens + "pt/refuse_module.pt"});
    QCOMPARE(hostile.exit_code, 3);
    QVERIFY(hostile.json()["error"]["message"].get<std::string>().find("torch.nn.modules.linear.Linear") !=
            std::string::npos);
    QVERIFY(hostile.json()["error"]["where"]["offset"].get<int>() > 0);
}

void CliUsageTest::formats() {
    const auto outcome = run_cli({"formats", "--json"});
    QCOMPARE(outcome.exit_code, 0);
    QStringList ids;
    const auto list = outcome.json()["formats"];
    for (const auto& format : list) {
        ids << QString::fromStdString(format["id"].get<std::string>());
        QVERIFY(format["reads"].get<bool>());
        QVERIFY(format["extensions"].is_array());
    }
    for (const char* id : {"npy", "npz", "safetensors", "torch_zip", "png", "csv", "labels"}) QVERIFY(ids.contains(id));
}

void CliUsageTest::devices() {
    const auto outcome = run_cli({"devices", "--json"});
    QCOMPARE(outcome.exit_code, 0);
    const auto json = outcome.json();
    QVERIFY(json["cpu"]["threads"].get<int>() >= 1);
    QVERIFY(!json["cpu"]["simd"].get<std::string>().empty());
    // There is a device, or the reason why there is none.
    QCOMPARE(json["cuda"]["devices"].empty(), !json["cuda"]["reason"].get<std::string>().empty());
}

// Whether the process keeps the signal for the thread that waits for it.
static bool waitsFor(qint64 process, int signal) {
    QFile status(QString("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:"))
            return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1U) != 0;
    return false;
}

void CliUsageTest::an_interrupt_ends_with_130() {
    // Larger than can be read before the signal arrives, and no bytes on the disk.
    QTemporaryDir folder;
    const QString path = folder.filePath("large.npy");
    QByteArray header = "\x93NUMPY\x01";
    header.append('\0');
    QByteArray dict = "{'descr': '|u1', 'fortran_order': False, 'shape': (68719476736,), }";
    dict = dict.leftJustified(117, ' ') + "\n";
    header.append(static_cast<char>(dict.size())).append('\0').append(dict);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(header);
    QVERIFY(file.resize(header.size() + 68'719'476'736));
    file.close();

    QProcess process;
    process.start(MS_CLI, {"info", path});
    QVERIFY(process.waitForStarted());
    // A loaded machine takes its time to start it: the signal is for the command, not for its loader.
    QTRY_VERIFY_WITH_TIMEOUT(waitsFor(process.processId(), SIGINT), 20'000);
    QTest::qWait(100);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(10'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 130);
    QVERIFY(process.readAllStandardOutput().isEmpty());
    QVERIFY(process.readAllStandardError().contains("cancelled"));
}

void CliUsageTest::starts_fast() {
    qint64 best = 1'000'000;
    for (int i = 0; i < 10; ++i) {
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(run_cli({"formats"}).exit_code, 0);
        best = std::min(best, timer.nsecsElapsed() / 1000);
    }
    qInfo("best of 10 starts: %lld us", static_cast<long long>(best));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("A sanitizer starts slowly");
#endif
    QVERIFY(best < 20'000);
}

QTEST_GUILESS_MAIN(CliUsageTest)
#include "cli_usage_test.moc"
