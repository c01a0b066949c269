// SPDX-License-Identifier: Apache-2.0
// The teaching scripts hold what they claim, and print what PyTorch prints.
#include "tests/cli/cli.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace maskscope::test;

class ScriptsTest : public QObject {
    Q_OBJECT

private slots:
    void there_are_scripts() { QVERIFY(scripts().size() >= 19); }

    void a_script_runs_data() {
        QTest::addColumn<QString>("name");
        for (const auto& name : scripts()) QTest::newRow(qPrintable(name)) << name;
    }

    void a_script_runs() {
        QFETCH(QString, name);
        const auto outcome = run_cli({"eval", "--json", folder().filePath(name)});
        const auto document = outcome.json();
        QVERIFY2(outcome.exit_code == 0, outcome.err.constData());
        QFile expected(folder().filePath("expected/" + QString(name).replace(".py", ".txt")));
        QVERIFY2(expected.open(QIODevice::ReadOnly), qPrintable(expected.fileName()));
        QCOMPARE(QByteArray::fromStdString(document.at("printed").get<std::string>()), expected.readAll());
    }

private:
    static QDir folder() { return QDir(MS_SOURCE_DIR "/samples/scripts"); }
    static QStringList scripts() { return folder().entryList({"*.py"}, QDir::Files); }
};

QTEST_APPLESS_MAIN(ScriptsTest)
#include "scripts_test.moc"
