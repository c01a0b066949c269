// SPDX-License-Identifier: Apache-2.0
// maskscope-cli overlay: pictures pixel for pixel, counts, and what is refused. The inputs are written here, byte by
// byte.
#include "core/io/format.h"
#include "core/render/look/theme.h"
#include "tests/cli/cli.h"

#include <QTemporaryDir>
#include <QtTest>

#include <functional>

using namespace maskscope;
using namespace maskscope::test;
using nlohmann::json;
using render::Rgb;
using render::Theme;
using render::ThemeId;

namespace {

constexpr int kRows = 24;
constexpr int kCols = 40;

std::uint8_t image_value(int row, int col, int channel) {
    return static_cast<std::uint8_t>(row * 7 + col * 3 + channel * 50);
}
Rgb image_pixel(int row, int col) {
    return 0xff000000U | static_cast<Rgb>(image_value(row, col, 0)) << 16U |
           static_cast<Rgb>(image_value(row, col, 1)) << 8U | image_value(row, col, 2);
}

}  // namespace

class CliOverlayTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        write(
            "image.npy", "|u1", "(24, 40, 3)", [](int i) { return image_value(i / 120, i / 3 % 40, i % 3); }, 2880);
        write(
            "labels.npy", "|u1", "(24, 40)", [](int i) { return i % 40 < 10   ? 4
                                                                : i % 40 < 15 ? 9
                                                                              : 0; }, 960);
        write(
            "stack.npy", "|b1", "(3, 24, 40)", [](int i) { return i % 40 / 10 == i / 960 ? 1 : 0; }, 2880);
        write(
            "small.npy", "|u1", "(12, 20)", [](int i) { return i % 20 < 5 ? 1 : 0; }, 240);
        write(
            "swapped.npy", "|u1", "(40, 24)", [](int) { return 1; }, 960);
        write(
            "truth.npy", "|u1", "(24, 40)", [](int i) { return i / 40 < 6 ? 1 : 0; }, 960);
        write_floats("soft.npy");
    }

    void labels_in_their_colours() {
        const auto outcome = overlay({"--mask", in("labels.npy"), "--alpha", "1"});
        QCOMPARE(outcome.exit_code, 0);
        QVERIFY(outcome.err.isEmpty());
        const json answer = outcome.json();
        QCOMPARE(answer["width"], kCols);
        QCOMPARE(answer["height"], kRows);
        QCOMPARE(answer["image"], "image.npy");
        QCOMPARE(answer["file"], out().toStdString());
        QCOMPARE(answer["masks"].size(), 1U);
        QCOMPARE(answer["masks"][0]["dtype"], "uint8");
        QCOMPARE(answer["masks"][0]["labels"].size(), 2U);
        QCOMPARE(answer["masks"][0]["labels"][0]["label"], 4);
        QCOMPARE(answer["masks"][0]["labels"][0]["pixels"], 240);
        QCOMPARE(answer["masks"][0]["labels"][1]["label"], 9);
        QCOMPARE(answer["masks"][0]["labels"][1]["pixels"], 120);
        const Theme& theme = Theme::get(ThemeId::light);
        check([&](int row, int col) {
            return col < 10 ? theme.label(4) : col < 15 ? theme.label(9) : image_pixel(row, col);
        });
    }

    void half_as_much_and_outlines() {
        QCOMPARE(overlay({"--mask", in("labels.npy"), "--alpha", "0.5"}).exit_code, 0);
        const Theme& theme = Theme::get(ThemeId::light);
        check([&](int row, int col) {
            const Rgb under = image_pixel(row, col);
            return col < 15 ? render::blend(under, theme.label(col < 10 ? 4 : 9), 0.5) : under;
        });
        QCOMPARE(overlay({"--mask", in("labels.npy"), "--alpha", "0", "--outline"}).exit_code, 0);
        check([&](int row, int col) {
            const Rgb under = image_pixel(row, col);
            if (col >= 15) return under;
            const Rgb ink = theme.label(col < 10 ? 4 : 9);
            const int across = col < 10 ? std::min(col, 9 - col) : std::min(col - 10, 14 - col);
            const int steps = std::min({across, row, kRows - 1 - row});
            return steps == 0 ? ink : steps == 1 ? render::blend(under, ink, 0.25) : under;
        });
    }

    void instances_of_a_stack() {
        const auto outcome = overlay({"--mask", in("stack.npy"), "--alpha", "1", "--theme", "dark", "--scale", "3"});
        QCOMPARE(outcome.exit_code, 0);
        const json answer = outcome.json();
        QCOMPARE(answer["width"], 3 * kCols);
        QCOMPARE(answer["scale"], 3);
        QCOMPARE(answer["masks"].size(), 3U);
        QCOMPARE(answer["masks"][2]["mask"], "stack.npy[2]");
        QCOMPARE(answer["masks"][2]["labels"][0]["pixels"], 240);
        const Theme& theme = Theme::get(ThemeId::dark);
        check([&](int row, int col) { return col < 30 ? theme.label(1 + col / 10) : image_pixel(row, col); }, 3);
        // One of them by its address.
        QCOMPARE(overlay({"--mask", in("stack.npy[1]"), "--alpha", "1"}).json()["masks"].size(), 1U);
        check([&](int row, int col) {
            return col / 10 == 1 ? Theme::get(ThemeId::light).label(1) : image_pixel(row, col);
        });
    }

    void soft_masks_by_threshold() {
        const auto outcome = overlay({"--mask", in("soft.npy"), "--threshold", "0.75", "--alpha", "1"});
        QCOMPARE(outcome.exit_code, 0);
        QCOMPARE(outcome.json()["masks"][0]["threshold"], 0.75);
        QCOMPARE(outcome.json()["masks"][0]["labels"][0]["pixels"], 10 * kRows);  // columns 30 to 39 of col / 40
        check(
            [&](int row, int col) { return col >= 30 ? Theme::get(ThemeId::light).label(1) : image_pixel(row, col); });
    }

    void another_size_only_when_told() {
        const auto refused = overlay({"--mask", in("small.npy")});
        QCOMPARE(refused.exit_code, 3);
        QVERIFY(refused.json()["error"]["message"].get<std::string>().find("12 rows and 20 columns") !=
                std::string::npos);
        const auto told = overlay({"--mask", in("small.npy"), "--resize", "nearest-exact", "--alpha", "1"});
        QCOMPARE(told.exit_code, 0);
        QCOMPARE(told.json()["masks"][0]["resized_from"], json({12, 20}));
        QCOMPARE(told.json()["masks"][0]["labels"][0]["pixels"], 10 * kRows);
        check([&](int row, int col) { return col < 10 ? Theme::get(ThemeId::light).label(1) : image_pixel(row, col); });
        QCOMPARE(overlay({"--mask", in("small.npy"), "--resize", "bilinear"}).exit_code, 2);  // labels
    }

    void swapped_sides_are_said() {
        const auto refused = overlay({"--mask", in("swapped.npy")});
        QCOMPARE(refused.exit_code, 3);
        QVERIFY(refused.json()["error"]["hint"].get<std::string>().find("swapped") != std::string::npos);
        const auto told = overlay({"--mask", in("swapped.npy"), "--resize", "nearest"});
        QCOMPARE(told.exit_code, 0);
        QVERIFY(told.err.contains("swapped"));
    }

    void against_the_truth() {
        const auto outcome = overlay({"--mask", in("labels.npy"), "--compare", in("truth.npy"), "--alpha", "1"});
        QCOMPARE(outcome.exit_code, 0);
        const json wanted = {{"tp", 6 * 15}, {"fp", 18 * 15}, {"fn", 6 * 25}, {"tn", 18 * 25}};
        QCOMPARE(outcome.json()["compare"], wanted);
        const Theme& theme = Theme::get(ThemeId::light);
        check([&](int row, int col) {
            if (col < 15) return theme[row < 6 ? render::Token::cmp_tp : render::Token::cmp_fp];
            return row < 6 ? theme[render::Token::cmp_fn] : image_pixel(row, col);
        });
    }

    void refusals_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit_code");
        QTest::newRow("no mask") << QStringList{} << 2;
        QTest::newRow("alpha") << QStringList{"--mask", in("labels.npy"), "--alpha", "1.5"} << 2;
        QTest::newRow("alpha nan") << QStringList{"--mask", in("labels.npy"), "--alpha", "nan"} << 2;
        QTest::newRow("theme") << QStringList{"--mask", in("labels.npy"), "--theme", "blue"} << 2;
        QTest::newRow("scale") << QStringList{"--mask", in("labels.npy"), "--scale", "0"} << 2;
        QTest::newRow("rule") << QStringList{"--mask", in("labels.npy"), "--resize", "cubic"} << 2;
        QTest::newRow("two against one") << QStringList{"--mask", in("labels.npy"), in("truth.npy"), "--compare",
                                                        in("truth.npy")}
                                         << 2;
        QTest::newRow("a stack against one")
            << QStringList{"--mask", in("stack.npy"), "--compare", in("truth.npy")} << 2;
        QTest::newRow("no such file") << QStringList{"--mask", in("none.npy")} << 3;
        QTest::newRow("four dimensions") << QStringList{"--mask", in("image.npy[None]")} << 3;
    }
    void refusals() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit_code);
        QFile::remove(out());
        const auto outcome = overlay(arguments);
        QCOMPARE(outcome.exit_code, exit_code);
        QVERIFY(!outcome.json()["error"]["message"].get<std::string>().empty());
        QVERIFY(!QFile::exists(out()));
    }

    void only_png() {
        const auto outcome = run_cli({"overlay", in("image.npy"), "--mask", in("labels.npy"), "-o", in("a.pdf")});
        QCOMPARE(outcome.exit_code, 2);
        QVERIFY(!QFile::exists(in("a.pdf")));
    }

private:
    QString in(const QString& name) const { return folder_.filePath(name); }
    QString out() const { return folder_.filePath("out.png"); }

    Outcome overlay(const QStringList& arguments) const {
        return run_cli(QStringList{"overlay", "--json", in("image.npy")} + arguments + QStringList{"-o", out()});
    }

    void write_npy(const QString& name, const char* descr, const char* shape, const QByteArray& data) const {
        QByteArray header = QByteArray("{'descr': '") + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
        while ((10 + header.size() + 1) % 64 != 0) header += ' ';
        header += '\n';
        QFile file(in(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const auto size = static_cast<std::uint16_t>(header.size());
        file.write(QByteArray("\x93NUMPY\x01\x00", 8));
        file.putChar(static_cast<char>(size & 0xff));
        file.putChar(static_cast<char>(size >> 8));
        file.write(header);
        file.write(data);
    }
    void write(const QString& name, const char* descr, const char* shape, const std::function<int(int)>& value,
               int count) const {
        QByteArray data;
        for (int i = 0; i < count; ++i) data += static_cast<char>(value(i));
        write_npy(name, descr, shape, data);
    }
    void write_floats(const QString& name) const {
        QByteArray data;
        for (int i = 0; i < kRows * kCols; ++i) {
            const float value = static_cast<float>(i % kCols) / kCols;
            data.append(reinterpret_cast<const char*>(&value), 4);
        }
        write_npy(name, "<f4", "(24, 40)", data);
    }

    // Every pixel of the picture, at most one step of 255 off.
    void check(const std::function<Rgb(int, int)>& wanted, int scale = 1) const {
        const auto contents = io::open_file(out().toStdString());
        QVERIFY(contents.ok());
        const Tensor picture = *io::tensor_of(contents->items.front(), JobContext{});
        QCOMPARE(picture.rank(), 3);
        QCOMPARE(picture.size(0), kRows * scale);
        QCOMPARE(picture.size(1), kCols * scale);
        for (std::int64_t y = 0; y < picture.size(0); ++y) {
            for (std::int64_t x = 0; x < picture.size(1); ++x) {
                const Rgb pixel = wanted(static_cast<int>(y / scale), static_cast<int>(x / scale));
                for (std::int64_t c = 0; c < 3; ++c) {
                    const std::int64_t at[] = {y, x, c};
                    const int stored = static_cast<int>(to_double(picture.at(at)));
                    const int given = static_cast<int>(pixel >> (16U - 8U * static_cast<unsigned>(c)) & 0xffU);
                    QVERIFY2(std::abs(stored - given) <= 1,
                             qPrintable(QString("%1, %2: %3 and not %4").arg(x).arg(y).arg(stored).arg(given)));
                }
            }
        }
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(CliOverlayTest)
#include "cli_overlay_test.moc"
