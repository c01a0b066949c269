// SPDX-License-Identifier: Apache-2.0
// The tree keeps the rules of the house, and the rules can tell: each is shown a file that breaks it.
#include <QDirIterator>
#include <QFile>
#include <QTest>

#include "tests/house/house_rules.h"

using maskscope::house::Finding;
using maskscope::house::HouseRules;

namespace {

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString source_dir() {
    return QStringLiteral(MS_SOURCE_DIR "/");
}

HouseRules rules() {
    return HouseRules(read(source_dir() + QStringLiteral("tests/house/arrows.txt")));
}

const QString kApache = QStringLiteral("// SPDX-License-Identifier: Apache-2.0\n");
const QString kGpl = QStringLiteral("// SPDX-License-Identifier: GPL-3.0-or-later\n");

// The text files of the tree by path; build folders and binary data left out.
QHash<QString, QString> tree() {
    QHash<QString, QString> files;
    const QString root = source_dir();
    QStringList paths = {QStringLiteral("CMakeLists.txt"), QStringLiteral("run"), QStringLiteral("check"),
                         QStringLiteral(".ci/run")};
    for (const char* folder : {"core", "gpu", "ui", "app", "resources", "tests", "samples"}) {
        QDirIterator entries(root + QLatin1String(folder),
                             {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.cu"),
                              QStringLiteral("*.cuh"), QStringLiteral("*.inc"), QStringLiteral("*.cmake"),
                              QStringLiteral("CMakeLists.txt"), QStringLiteral("*.py"), QStringLiteral("*.sh")},
                             QDir::Files, QDirIterator::Subdirectories);
        while (entries.hasNext()) paths.append(entries.next().mid(root.size()));
    }
    for (const QString& path : paths) files.insert(path, read(root + path));
    return files;
}

QString report(const QList<Finding>& found) {
    QStringList lines;
    for (const Finding& finding : found) lines.append(finding.text());
    lines.sort();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

class HouseTest : public QObject {
    Q_OBJECT

private slots:
    void a_broken_rule_is_found_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("finding");
        const auto row = [](const char* name, const char* path, const QString& text, const char* finding) {
            QTest::newRow(name) << QString::fromLatin1(path) << text << QString::fromLatin1(finding);
        };
        row("upward", "core/io/a.cpp", kApache + "#include \"core/document/document.h\"\n",
            "core/io/a.cpp:2: core/io must not include core/document (core/document/document.h)");
        row("sideways", "core/io/a.cpp", kApache + "\n#include \"core/render/pool/colour.h\"\n",
            "core/io/a.cpp:3: core/io must not include core/render/pool (core/render/pool/colour.h)");
        row("panel to panel", "ui/panels/one/a.cpp", kGpl + "#include \"ui/panels/two/b.h\"\n",
            "ui/panels/one/a.cpp:2: ui/panels/one must not include ui/panels/two (ui/panels/two/b.h)");
        row("window to gpu", "ui/window/a.cpp", kGpl + "#include \"gpu/runtime/devices.h\"\n",
            "ui/window/a.cpp:2: ui/window must not include gpu (gpu/runtime/devices.h)");
        row("unknown folder", "core/utils/a.cpp", kApache + "#include \"core/base/result.h\"\n",
            "core/utils/a.cpp:2: stands in a folder that tests/house/arrows.txt does not name");
        row("no path", "core/io/a.cpp", kApache + "#include \"npy.h\"\n",
            "core/io/a.cpp:2: includes \"npy.h\"; write the path from the root");
        row("TBB outside jobs", "core/io/a.cpp", kApache + "#include <tbb/parallel_for.h>\n",
            "core/io/a.cpp:2: includes <tbb/parallel_for.h>, which is for core/jobs only");
        row("QCustomPlot outside plots", "ui/kit/a.cpp", kGpl + "#include <qcustomplot.h>\n",
            "ui/kit/a.cpp:2: includes <qcustomplot.h>, which is for ui/plots, tests/bench only");
        row("Qt in core", "core/base/a.cpp", kApache + "#include <QString>\n",
            "core/base/a.cpp:2: includes <QString>, which is for ui, app/gui, tests only");
        row("Cairo in a header", "core/render/a.h", kApache + "#include <cairo.h>\n",
            "core/render/a.h:2: a header includes <cairo.h>; keep it in a .cpp");
        row("wrong licence", "ui/kit/a.cpp", kApache,
            "ui/kit/a.cpp:1: must say SPDX-License-Identifier: GPL-3.0-or-later");
        row("no licence after #!", "run", QStringLiteral("#!/bin/sh\n"),
            "run:2: must say SPDX-License-Identifier: Apache-2.0");
        row("colour", "ui/kit/a.cpp", kGpl + "auto c = \"#1A2b3c\";\n",
            "ui/kit/a.cpp:2: a colour in the code; it belongs in resources/themes");
        row("colour as number", "core/render/a.cpp",
            kApache +
                "auto c = 0xff1A2b3cu;\n"
                "auto d = 0xFF1A2B3C;\n",
            "core/render/a.cpp:3: a colour in the code; it belongs in resources/themes");
        row("left over", "core/io/a.cpp", kApache + "// TODO\n", "core/io/a.cpp:2: a note for later; do it or drop it");
        row("too long", "core/io/a.cpp", kApache + QString(500, QLatin1Char('\n')),
            "core/io/a.cpp:501: 501 lines; it wants to be two files");
    }

    void a_broken_rule_is_found() {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QFETCH(QString, finding);
        QCOMPARE(report(rules().check(path, text)), finding);
    }

    void a_kept_rule_is_left_alone_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::newRow("far down") << "ui/window/a.cpp"
                                  << kGpl + "#include \"core/base/result.h\"\n#include <QWidget>\n";
        QTest::newRow("own folder") << "ui/panels/one/a.cpp" << kGpl + "#include \"ui/panels/one/sub/b.h\"\n";
        QTest::newRow("window to panel") << "ui/window/a.cpp" << kGpl + "#include \"ui/panels/one/b.h\"\n";
        QTest::newRow("bit masks") << "core/render/a.cpp" << kApache + "auto a = 0xff000000u | 0xFFFFFFFFu;\n";
        QTest::newRow("just fits") << "core/io/a.cpp" << kApache + QString(499, QLatin1Char('\n'));
        QTest::newRow("script") << "run"
                                << "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n";
    }

    void a_kept_rule_is_left_alone() {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QCOMPARE(report(rules().check(path, text)), QString());
    }

    void a_forgotten_file_is_found() {
        const QHash<QString, QString> files = {
            {"core/io/CMakeLists.txt", "maskscope_part(io SOURCES npy.cpp)"},
            {"core/io/npy.cpp", ""},
            {"core/io/npz.cpp", ""},
        };
        QCOMPARE(report(maskscope::house::uncompiled(files)),
                 QStringLiteral("core/io/npz.cpp:1: no CMakeLists.txt names this file"));
    }

    void the_tree_keeps_the_rules() {
        const QHash<QString, QString> files = tree();
        QVERIFY2(files.size() > 100, "the source tree was not found");
        const HouseRules house = rules();
        QList<Finding> found = maskscope::house::uncompiled(files);
        for (auto file = files.constBegin(); file != files.constEnd(); ++file) {
            if (file.key() == QLatin1String("tests/house/house_test.cpp")) continue;  // shows what breaks the rules
            QVERIFY2(!file.value().isEmpty(), qPrintable(file.key() + QStringLiteral(" is empty")));
            found += house.check(file.key(), file.value());
        }
        // QVERIFY2 cuts a message after a thousand characters.
        for (const Finding& finding : found) qWarning("%s", qPrintable(finding.text()));
        QVERIFY2(found.isEmpty(), qPrintable(QStringLiteral("%1 places break a rule").arg(found.size())));
    }
};

QTEST_APPLESS_MAIN(HouseTest)
#include "house_test.moc"
