// SPDX-License-Identifier: Apache-2.0
// What `render` draws of the sample, against pictures that were looked at. The data area is compared pixel by pixel:
// it is drawn by core alone, while the text around it is Cairo's and FreeType's and differs by their versions (its
// layout is compared in figure_test). MASKSCOPE_BLESS=1 writes the goldens anew: look at them before you keep them.
#include "tests/cli/cli.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace maskscope::test;

class RenderGoldenTest : public QObject {
    Q_OBJECT
private slots:
    void the_data_area_is_the_goldens_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString file = kSamples + "minilm.safetensors";
        for (const char* theme : {"light", "dark"}) {
            QTest::addRow("weights_%s", theme) << QStringList{file + "::weights[0, 1, 2]",
                                                              "--mask",
                                                              file + "::keep_mask[1]",
                                                              "--as",
                                                              "keep",
                                                              "--size",
                                                              "640x560",
                                                              "--theme",
                                                              theme};
            QTest::addRow("broken_%s", theme) << QStringList{
                kSamples + "broken.npz::weights[3]", "--size", "480x420", "--scale", "log", "--theme", theme};
            QTest::addRow("scores_%s", theme)
                << QStringList{file + "::scores_layer0[2, 5]", "--map", "shore", "--size", "640x560", "--theme", theme};
        }
    }
    void the_data_area_is_the_goldens() {
        QFETCH(QStringList, arguments);
        const QString name = QString::fromUtf8(QTest::currentDataTag()) + ".png";
        const QString path = folder_.filePath(name);
        const auto outcome = run_cli(QStringList{"render", "--json"} + arguments + QStringList{"-o", path});
        QCOMPARE(outcome.exit_code, 0);
        const QString golden = QStringLiteral(MS_SOURCE_DIR "/tests/golden/pictures/") + name;
        if (qEnvironmentVariableIsSet("MASKSCOPE_BLESS")) {
            QFile::remove(golden);
            QVERIFY(QFile::copy(path, golden));
        }
        const QImage ours = QImage(path).convertToFormat(QImage::Format_RGB32);
        const QImage theirs = QImage(golden).convertToFormat(QImage::Format_RGB32);
        QVERIFY2(!theirs.isNull(), qPrintable(golden + " is missing"));
        QCOMPARE(ours.size(), theirs.size());
        const auto box = outcome.json()["data_area"];
        const QRect area(box[0].get<int>(), box[1].get<int>(), box[2].get<int>(), box[3].get<int>());
        QVERIFY(area.width() > 150 && area.height() > 150 && ours.rect().contains(area));
        for (int y = area.top(); y <= area.bottom(); ++y) {
            for (int x = area.left(); x <= area.right(); ++x) {
                if (ours.pixel(x, y) == theirs.pixel(x, y)) continue;
                QFAIL(qPrintable(QString("pixel %1, %2 is %3, the golden has %4")
                                     .arg(x)
                                     .arg(y)
                                     .arg(ours.pixel(x, y), 8, 16)
                                     .arg(theirs.pixel(x, y), 8, 16)));
            }
        }
    }

private:
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(RenderGoldenTest)
#include "render_golden_test.moc"
