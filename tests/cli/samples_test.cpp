// SPDX-License-Identifier: Apache-2.0
// Every command that a sample's README shows is run as it stands there.
#include "tests/cli/cli.h"

#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

class SamplesTest : public QObject {
    Q_OBJECT

private slots:
    void commands_run();
    void commands_run_data();
};

void SamplesTest::commands_run_data() {
    QTest::addColumn<QString>("command");
    const QDir samples(MS_SOURCE_DIR "/samples");
    for (const auto& sample : samples.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile readme(samples.filePath(sample + "/README.md"));
        if (!readme.open(QIODevice::ReadOnly)) continue;
        bool code = false;
        int number = 0;
        for (const auto& line : QString::fromUtf8(readme.readAll()).split('\n')) {
            if (line.startsWith("```")) code = !code;
            if (!code || !line.startsWith("maskscope-cli ")) continue;
            QTest::newRow(qPrintable(QString("%1 %2").arg(sample).arg(++number))) << line;
        }
    }
}

void SamplesTest::commands_run() {
    QFETCH(QString, command);
    // In a folder of its own, where the samples and the program stand as they do for a reader of the page.
    QTemporaryDir folder;
    QVERIFY(QFile::link(MS_SOURCE_DIR "/samples", folder.filePath("samples")));
    QVERIFY(QFile::link(MS_CLI, folder.filePath("maskscope-cli")));
    QProcess process;
    process.setWorkingDirectory(folder.path());
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", folder.path() + ":" + environment.value("PATH"));
    process.setProcessEnvironment(environment);
    process.start("/bin/sh", {"-c", command});
    QVERIFY(process.waitForFinished(60'000));
    QVERIFY2(process.exitCode() == 0, qPrintable(command + "\n" + process.readAllStandardError()));
    const auto output = QRegularExpression(" -o (\\S+)").match(command);
    if (output.hasMatch()) QVERIFY(QFile::exists(folder.filePath(output.captured(1))));
}

QTEST_GUILESS_MAIN(SamplesTest)
#include "samples_test.moc"
