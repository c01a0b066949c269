// SPDX-License-Identifier: Apache-2.0
// maskscope-cli render: counts of states, files that are what they claim, refusals before anything is written.
#include "tests/cli/cli.h"

#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

#include <cmath>

using namespace maskscope::test;
using nlohmann::json;

class CliRenderTest : public QObject {
    Q_OBJECT

private slots:
    void states_under_a_mask();
    void a_mask_follows_the_slice();
    void masked_by_value();
    void pictures_of_every_kind();
    void rows_and_columns();
    void ranges();
    void refusals();
    void refusals_data();

private:
    QByteArray bytes_of(const QString& name) const {
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString out(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
    const QString file_ = kSamples + "minilm.safetensors";
};

void CliRenderTest::states_under_a_mask() {
    // The sample's walkthrough: 443 zeros, 168 of them padding.
    const auto bare = run_cli({"render", "--json", file_ + "::weights[0, 1, 2]", "-o", out("bare.png")});
    QCOMPARE(bare.exit_code, 0);
    QCOMPARE(bare.json()["states"]["zero"], 443);
    const auto masked = run_cli({"render", "--json", file_ + "::weights[0, 1, 2]", "--mask", file_ + "::keep_mask[1]",
                                 "--as", "keep", "--tokens", kSamples + "tokens.json", "-o", out("masked.png")});
    QCOMPARE(masked.exit_code, 0);
    QVERIFY(masked.err.isEmpty());
    QCOMPARE(masked.json()["states"]["masked"], 168);
    QCOMPARE(masked.json()["states"]["zero"], 443 - 168);
    const auto inverse = run_cli({"render", "--json", file_ + "::weights[0, 1, 2]", "--mask", file_ + "::keep_mask[1]",
                                  "--as", "drop", "-o", out("drop.png")});
    QCOMPARE(inverse.json()["states"]["masked"], 17 * 24);
    const auto broken = run_cli({"render", "--json", kSamples + "broken.npz::weights[0]", "-o", out("broken.png")});
    QCOMPARE(broken.json()["states"]["nan"], 11);
}

void CliRenderTest::a_mask_follows_the_slice() {
    const auto outcome = run_cli({"render", "--json", file_ + "::weights[0, 2, 5]", "--mask", file_ + "::keep_mask",
                                  "--as", "keep", "-o", out("follow.png")});
    QCOMPARE(outcome.exit_code, 0);
    // The third sentence has 11 tokens.
    QCOMPARE(outcome.json()["states"]["masked"], 13 * 24);
    const auto additive = run_cli({"render", "--json", file_ + "::weights[0, 2, 5]", "--mask",
                                   file_ + "::additive_mask", "--as", "additive", "-o", out("additive.png")});
    QCOMPARE(additive.exit_code, 0);
    QCOMPARE(additive.json()["states"]["masked"], 13 * 24);
}

void CliRenderTest::masked_by_value() {
    const auto outcome = run_cli({"render", "--json", file_ + "::scores_layer0[3, 0]", "-o", out("scores.png")});
    QCOMPARE(outcome.exit_code, 0);
    // The fourth sentence has 6 tokens; the sentinel stays out of the range.
    QCOMPARE(outcome.json()["states"]["masked"], 18 * 24);
    QCOMPARE(outcome.json()["masked_value"], -3.4028234663852886e38);
    QVERIFY(outcome.json()["range"][0].get<double>() > -1000);
}

void CliRenderTest::pictures_of_every_kind() {
    const QString tensor = file_ + "::weights[0, 0, 3]";
    for (const char* name : {"a.png", "a.svg", "a.pdf"})
        QCOMPARE(run_cli({"render", tensor, "--size", "700x400", "--theme", "dark", "-o", out(name)}).exit_code, 0);
    const auto png = bytes_of("a.png");
    QVERIFY(png.startsWith("\x89PNG"));
    QCOMPARE(qFromBigEndian<quint32>(png.constData() + 16), 700U);
    QCOMPARE(qFromBigEndian<quint32>(png.constData() + 20), 400U);
    QVERIFY(bytes_of("a.svg").contains("<svg"));
    QVERIFY(bytes_of("a.pdf").startsWith("%PDF"));
    // The same picture each time.
    QCOMPARE(run_cli({"render", tensor, "--size", "700x400", "--theme", "dark", "-o", out("b.png")}).exit_code, 0);
    QCOMPARE(bytes_of("b.png"), png);
}

void CliRenderTest::rows_and_columns() {
    const auto shape = [&](const QStringList& arguments) {
        const auto answer = run_cli(QStringList{"render", "--json", "-o", out("shape.png")} + arguments).json();
        return answer.contains("rows") ? QString("%1x%2").arg(answer["rows"].get<int>()).arg(answer["cols"].get<int>())
                                       : QString::fromStdString(answer.dump());
    };
    QCOMPARE(shape({file_ + "::weights[0, 1, :, 4]"}), "12x24");
    QCOMPARE(shape({file_ + "::weights[0, 1, :, 4]", "--rows", "key"}), "24x12");
    QCOMPARE(shape({file_ + "::weights[0, 1, :, 4]", "--cols", "0"}), "24x12");
    QCOMPARE(shape({file_ + "::keep_mask[0]"}), "1x24");
    QCOMPARE(shape({file_ + "::additive_mask"}), "4x24");
    QCOMPARE(shape({kGoldens + "npy/shape_scalar.npy"}), "1x1");
}

void CliRenderTest::ranges() {
    const auto range = [&](const QStringList& arguments) {
        return run_cli(QStringList{"render", "--json", kGoldens + "npy/fortran_2d.npy", "-o", out("range.png")} +
                       arguments)
            .json()["range"];
    };
    QCOMPARE(range({}), json({0.0, 11.0}));
    QCOMPARE(range({"--range", "unit"}), json({0.0, 1.0}));
    QCOMPARE(range({"--range", "-2:4.5"}), json({-2.0, 4.5}));
    // Mean 5.5, population deviation sqrt((12^2 - 1) / 12).
    const double deviation = std::sqrt(143.0 / 12);
    QVERIFY(std::abs(range({"--range", "3sigma"})[1].get<double>() - (5.5 + 3 * deviation)) < 1e-9);
    // A diverging map is symmetric about zero.
    QCOMPARE(range({"--map", "shore"}), json({-11.0, 11.0}));
}

void CliRenderTest::refusals_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exit_code");
    QTest::addColumn<QString>("says");
    const QString good = file_ + "::weights[0, 0, 0]";
    const QString mask = file_ + "::keep_mask[0]";
    QTest::newRow("five dims") << QStringList{file_ + "::weights"} << 2 << "weights[0, 0, 0]'";
    QTest::newRow("a slice with three") << QStringList{file_ + "::weights[:, 1, 2]"} << 2 << "weights[0, 1, 2]'";
    QTest::newRow("mask without meaning") << QStringList{good, "--mask", mask} << 2 << "--as keep, drop or additive";
    QTest::newRow("meaning without mask") << QStringList{good, "--as", "keep"} << 2 << "no --mask";
    QTest::newRow("meaning unknown") << QStringList{good, "--mask", mask, "--as", "zork"} << 2
                                     << "keep, drop, additive";
    QTest::newRow("bool cannot be added") << QStringList{good, "--mask", mask, "--as", "additive"} << 2 << "bool";
    QTest::newRow("mask of another size") << QStringList{good, "--mask", kGoldens + "npy/le_i1.npy", "--as", "keep"}
                                          << 3 << "must match the size of tensor";
    QTest::newRow("map") << QStringList{good, "--map", "jet"} << 2 << "viridis";
    QTest::newRow("scale") << QStringList{good, "--scale", "cubic"} << 2 << "lin, log, sym, sqrt";
    QTest::newRow("size") << QStringList{good, "--size", "huge"} << 2 << "1280x800";
    QTest::newRow("range") << QStringList{good, "--range", "3:1"} << 2 << "smaller one first";
    QTest::newRow("theme") << QStringList{good, "--theme", "blue"} << 2 << "light, dark";
    QTest::newRow("no such dim") << QStringList{good, "--rows", "zork"} << 2 << "query";
    QTest::newRow("labels") << QStringList{file_ + "::tokens"} << 3 << "labels";
    QTest::newRow("nothing to draw") << QStringList{kGoldens + "npy/shape_0_3.npy"} << 3 << "no cell";
    QTest::newRow("tokens of another length")
        << QStringList{kGoldens + "npy/fortran_2d.npy", "--tokens", kSamples + "tokens.json[0]"} << 2 << "24 labels";
    QTest::newRow("which batch") << QStringList{kGoldens + "npy/fortran_2d.npy", "--tokens", kSamples + "tokens.json"}
                                 << 2 << "4 rows of labels";
    QTest::newRow("index") << QStringList{file_ + "::weights[9, 0, 0]"} << 3 << "out of bounds";
}

void CliRenderTest::refusals() {
    QFETCH(QStringList, arguments);
    QFETCH(int, exit_code);
    QFETCH(QString, says);
    const auto outcome = run_cli(QStringList{"render", "--json", "-o", out("refused.png")} + arguments);
    QCOMPARE(outcome.exit_code, exit_code);
    QVERIFY2(QString::fromUtf8(outcome.err).contains(says), outcome.err);
    QVERIFY(outcome.json().contains("error"));
    QVERIFY(!QFile::exists(out("refused.png")));
}

QTEST_GUILESS_MAIN(CliRenderTest)
#include "cli_render_test.moc"
