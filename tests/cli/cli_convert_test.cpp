// SPDX-License-Identifier: Apache-2.0
// maskscope-cli convert: what it writes is read again by info, what would be lost is said and not written.
#include "tests/cli/cli.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace maskscope::test;
using nlohmann::json;

namespace {

const QString kImages = MS_SOURCE_DIR "/tests/golden/images/";

// An .npy of version 1.0.
QByteArray npy(const QByteArray& descr, const QByteArray& shape, const QByteArray& data) {
    QByteArray header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    header += QByteArray(64 - (10 + header.size() + 1) % 64, ' ') + "\n";
    QByteArray out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    return out + header + data;
}

QByteArray bytes_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class CliConvertTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void palette_from_labels();
    void formats_by_name();
    void there_and_back();
    void loss_is_refused_in_numbers();
    void loss_is_allowed();
    void an_id_beyond_is_never_written();
    void a_slice_of_a_stack();
    void wrong_use();
    void info_tells_where_pixels_come_from();
    void formats_lists_them();

private:
    QString path(const char* name) const { return folder_.filePath(name); }
    void write(const char* name, const QByteArray& bytes) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    json stats(const QString& file) const {
        return run_cli({"info", "--json", file}).json()["files"][0]["tensors"][0]["stats"];
    }
    QTemporaryDir folder_;
};

void CliConvertTest::initTestCase() {
    // 0 to 5; 0 and 300; a frame of ones around a hole; two instances that share a cell.
    write("labels.npy", npy("|u1", "2, 3", QByteArray("\0\1\2\3\4\5", 6)));
    write("many.npy", npy("<i4", "1, 2", QByteArray("\0\0\0\0\x2c\1\0\0", 8)));
    write("huge.npy", npy("<i4", "1, 2", QByteArray("\0\0\0\0\0\0\1\0", 8)));
    write("hole.npy", npy("|u1", "3, 4", QByteArray("\1\1\1\0\1\0\1\0\1\1\1\0", 12)));
    write("stack.npy", npy("|b1", "2, 1, 3", QByteArray("\1\1\0\0\1\1", 6)));
}

void CliConvertTest::palette_from_labels() {
    const auto outcome = run_cli({"convert", path("labels.npy"), path("labels.png"), "--json"});
    QVERIFY2(outcome.exit_code == 0, outcome.err);
    const auto answer = outcome.json();
    QCOMPARE(answer["from"], path("labels.npy").toStdString());
    QCOMPARE(answer["to"], path("labels.png").toStdString());
    QCOMPARE(answer["format"], "png-palette");
    QCOMPARE(answer["losses"], json::array());
    QCOMPARE(answer["written"], true);
    const auto tensor = run_cli({"info", "--json", path("labels.png")}).json()["files"][0]["tensors"][0];
    QCOMPARE(tensor["shape"], json({2, 3}));
    QCOMPARE(tensor["stats"]["max"], 5);
    QCOMPARE(tensor["stats"]["mean"], 2.5);
    QCOMPARE(tensor["image"]["kind"], "palette");
    QCOMPARE(tensor["image"]["palette"][5], json({128, 0, 128, 255}));
}

void CliConvertTest::formats_by_name() {
    for (const auto& [name, note] : {std::pair{"png-grey8", "grey, 8 bit"}, {"png-grey16", "grey, 16 bit"}}) {
        const auto outcome = run_cli({"convert", path("labels.npy"), path("x.png"), "--to", name});
        QVERIFY2(outcome.exit_code == 0, outcome.err);
        const auto tensor = run_cli({"info", "--json", path("x.png")}).json()["files"][0]["tensors"][0];
        QCOMPARE(tensor["note"], note);
        QCOMPARE(tensor["stats"]["max"], 5);
    }
    // 300 needs 16 bit: chosen without being told.
    const auto outcome = run_cli({"convert", path("many.npy"), path("many.png"), "--json"});
    QCOMPARE(outcome.json()["format"], "png-grey16");
    QCOMPARE(stats(path("many.png"))["max"], 300);
}

void CliConvertTest::there_and_back() {
    for (const char* name : {"a.png", "a.npy", "a.npz"}) {
        QCOMPARE(run_cli({"convert", path("hole.npy"), path(name)}).exit_code, 0);
        QCOMPARE(run_cli({"convert", path(name), path("back.npy")}).exit_code, 0);
        QCOMPARE(bytes_of(path("back.npy")).last(12), bytes_of(path("hole.npy")).last(12));
    }
    QCOMPARE(run_cli({"convert", path("hole.npy"), path("hole.json")}).exit_code, 0);
    QCOMPARE(run_cli({"convert", path("hole.json"), path("back.npy"), "--allow-loss"}).exit_code, 0);
    QCOMPARE(bytes_of(path("back.npy")).last(12), bytes_of(path("hole.npy")).last(12));
}

void CliConvertTest::loss_is_refused_in_numbers() {
    write("kept.json", "what stood there");
    const auto outcome = run_cli({"convert", path("hole.npy"), path("kept.json"), "--to", "coco-polygon", "--json"});
    QCOMPARE(outcome.exit_code, 3);
    const auto answer = outcome.json();
    QCOMPARE(answer["written"], false);
    QCOMPARE(answer["losses"].size(), 1U);
    QCOMPARE(answer["losses"][0]["kind"], "holes");
    QCOMPARE(answer["losses"][0]["amount"], 1);
    QCOMPARE(answer["losses"][0]["what"], "1 hole of 1 px would be filled");
    QVERIFY(answer["error"]["hint"].get<std::string>().find("--allow-loss") != std::string::npos);
    QVERIFY(outcome.err.contains("1 hole of 1 px would be filled"));
    QCOMPARE(bytes_of(path("kept.json")), "what stood there");
}

void CliConvertTest::loss_is_allowed() {
    const auto outcome =
        run_cli({"convert", path("hole.npy"), path("filled.json"), "--to", "coco-polygon", "--allow-loss"});
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(outcome.out.contains("lost: 1 hole of 1 px would be filled"));
    QCOMPARE(stats(path("filled.json"))["zero"], 3);
}

void CliConvertTest::an_id_beyond_is_never_written() {
    for (const QStringList& flag : {QStringList{}, QStringList{"--allow-loss"}}) {
        const auto outcome = run_cli(QStringList{"convert", path("huge.npy"), path("huge.png"), "--json"} + flag);
        QCOMPARE(outcome.exit_code, 3);
        QCOMPARE(outcome.json()["written"], false);
        QCOMPARE(outcome.json()["losses"][0]["kind"], "labels");
        QVERIFY(outcome.err.contains(flag.isEmpty() ? "65,536" : "65536"));
        QVERIFY(!QFile::exists(path("huge.png")));
    }
}

void CliConvertTest::a_slice_of_a_stack() {
    const auto whole = run_cli({"convert", path("stack.npy"), path("stack.png"), "--json"});
    QCOMPARE(whole.exit_code, 3);
    QCOMPARE(whole.json()["losses"][0]["kind"], "overlap");
    QCOMPARE(whole.json()["losses"][0]["amount"], 1);
    const auto slice = run_cli({"convert", path("stack.npy") + "[1]", path("stack.png"), "--json"});
    QVERIFY2(slice.exit_code == 0, slice.err);
    QCOMPARE(stats(path("stack.png"))["zero"], 1);
}

void CliConvertTest::wrong_use() {
    QCOMPARE(run_cli({"convert", path("labels.npy")}).exit_code, 2);
    const auto name = run_cli({"convert", path("labels.npy"), path("x.png"), "--to", "gif"});
    QCOMPARE(name.exit_code, 2);
    QVERIFY(name.err.contains("png-palette"));
    const auto extension = run_cli({"convert", path("labels.npy"), path("x.jpg")});
    QCOMPARE(extension.exit_code, 2);
    QVERIFY(extension.err.contains(".png"));
    const auto missing = run_cli({"convert", path("none.npy"), path("x.png")});
    QCOMPARE(missing.exit_code, 3);
    const auto folder = run_cli({"convert", path("labels.npy"), path("none/x.png"), "--json"});
    QCOMPARE(folder.exit_code, 3);
    QCOMPARE(folder.json()["written"], false);
    const auto picture = run_cli({"convert", kImages + "rgba.tif", path("x.png")});
    QCOMPARE(picture.exit_code, 2);
    QVERIFY(picture.err.contains("is no mask"));
}

void CliConvertTest::info_tells_where_pixels_come_from() {
    const auto turned = run_cli({"info", "--json", kImages + "turned.jpg"}).json()["files"][0]["tensors"][0];
    QCOMPARE(turned["image"]["orientation"], 6);
    QCOMPARE(turned["image"]["orientation_text"], "turn 90 degrees clockwise");
    QCOMPARE(turned["image"]["channel_order"], "RGB");
    QCOMPARE(turned["shape"], json({21, 34, 3}));
    const auto page = run_cli({"info", "--json", kImages + "pages.tif::page2"}).json()["files"][0]["tensors"][0];
    QCOMPARE(page["dtype"], "float32");
    QCOMPARE(page["image"]["pages"], 3);
    QCOMPARE(page["stats"]["nan"], 1);
}

void CliConvertTest::formats_lists_them() {
    const auto answer = run_cli({"formats", "--json"}).json();
    QStringList ids;
    for (const auto& format : answer["formats"]) ids << QString::fromStdString(format["id"].get<std::string>());
    for (const char* id : {"png", "jpeg", "tiff", "webp"}) QVERIFY2(ids.contains(id), id);
    QCOMPARE(answer["mask_formats"].size(), 7U);
    QCOMPARE(answer["mask_formats"][0]["name"], "png-palette");
    QVERIFY(run_cli({"formats"}).out.contains("png-palette"));
}

QTEST_GUILESS_MAIN(CliConvertTest)
#include "cli_convert_test.moc"
