// SPDX-License-Identifier: Apache-2.0
// maskscope-cli edit: what each op makes of small masks, drawn by hand here, and what is refused.
#include "tests/cli/cli.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>
#include <optional>
#include <vector>

using namespace maskscope::test;
using nlohmann::json;

namespace {

// A mask as rows of digits, one a cell; several for a stack.
using Rows = std::vector<std::string>;

template <class T>
QByteArray npy(const char* descr, const std::string& shape, const std::vector<T>& values) {
    std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    while ((header.size() + 11) % 64 != 0) header += ' ';
    header += '\n';
    QByteArray out("\x93NUMPY\x01\x00", 8);
    out.append(static_cast<char>(header.size() & 0xff)).append(static_cast<char>(header.size() >> 8));
    out.append(header.data(), static_cast<qsizetype>(header.size()));
    out.append(reinterpret_cast<const char*>(values.data()), static_cast<qsizetype>(values.size() * sizeof(T)));
    return out;
}

// Of bytes: the shape as text, and the cells.
struct Array {
    QByteArray header;
    QByteArray cells;
};

Array read_npy(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const auto bytes = file.readAll();
    if (bytes.size() < 10) return {};
    const int length = static_cast<unsigned char>(bytes[8]) | static_cast<unsigned char>(bytes[9]) << 8;
    return {bytes.mid(10, length), bytes.mid(10 + length)};
}

class Folder {
public:
    QString path(const char* name) const { return folder_.filePath(name); }

    QString write(const char* name, const QByteArray& bytes) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }
    QString mask(const Rows& rows, const char* name = "mask.npy") const {
        std::vector<std::uint8_t> cells;
        for (const auto& row : rows)
            for (const char digit : row) cells.push_back(static_cast<std::uint8_t>(digit - '0'));
        return write(name, npy("|u1", std::to_string(rows.size()) + ", " + std::to_string(rows[0].size()), cells));
    }
    // Runs edit with these ops and gives the result's rows; nothing when it failed.
    Rows edited(const QString& mask, const QStringList& ops, json* said = nullptr) const {
        QStringList arguments = {"edit", "--json", mask};
        for (const auto& op : ops) arguments << "--op" << op;
        const auto outcome = run_cli(arguments + QStringList{"-o", path("out.npy")});
        if (outcome.exit_code != 0) return {};
        if (said != nullptr) *said = outcome.json();
        const auto shape = outcome.json()["shape"].get<std::vector<qsizetype>>();
        const auto cells = read_npy(path("out.npy")).cells;
        Rows out;
        for (qsizetype at = 0; at < cells.size(); at += shape.back()) {
            std::string row;
            for (const char cell : cells.mid(at, shape.back())) row += static_cast<char>('0' + cell);
            out.push_back(row);
        }
        return out;
    }

private:
    QTemporaryDir folder_;
};

json change(const char* op, int changed, int gained, int lost) {
    return {{"op", op}, {"changed", changed}, {"gained", gained}, {"lost", lost}};
}

}  // namespace

class CliEditTest : public QObject {
    Q_OBJECT

private slots:
    void grows_and_shrinks();
    void labels_grow_into_background_only();
    void opens_and_closes();
    void holes_and_islands();
    void inverts();
    void relabels();
    void thresholds_soft_masks();
    void ops_in_their_order();
    void each_plane_of_a_stack();
    void bool_stays_bool();
    void one_tensor_by_address();
    void pictures_in_and_out();
    void soft_masks_are_refused_with_a_hint();
    void wrong_use();
    void bad_input();
    void a_failure_leaves_the_old_file();
    void its_own_file();
    void people_get_a_table();
    void help_says_how_labels_meet();
};

void CliEditTest::grows_and_shrinks() {
    const Folder folder;
    json said;
    const auto dot = folder.mask({"00000", "00000", "00100", "00000", "00000"});
    QCOMPARE(folder.edited(dot, {"dilate:1"}, &said), (Rows{"00000", "00100", "01110", "00100", "00000"}));
    QCOMPARE(said["ops"], json::array({change("dilate:1", 4, 4, 0)}));
    QCOMPARE(said["shape"], json({5, 5}));
    QCOMPARE(said["dtype"], "uint8");
    QCOMPARE(said["format"], "npy");
    QCOMPARE(said["planes"], 1);
    QCOMPARE(QString::fromStdString(said["file"].get<std::string>()), folder.path("out.npy"));
    // A disc of 2: the corners of the square stay out.
    QCOMPARE(folder.edited(dot, {"dilate:2"}), (Rows{"00100", "01110", "11111", "01110", "00100"}));
    // The mask's border eats nothing.
    QCOMPARE(folder.edited(folder.mask({"3330", "3330", "3330", "0000"}), {"erode:1"}, &said),
             (Rows{"3300", "3300", "0000", "0000"}));
    QCOMPARE(said["ops"], json::array({change("erode:1", 5, 0, 5)}));
}

void CliEditTest::labels_grow_into_background_only() {
    const Folder folder;
    // The smaller label takes the cell that both could reach, wherever it stands.
    QCOMPARE(folder.edited(folder.mask({"20001"}), {"dilate:2"}), (Rows{"22111"}));
    QCOMPARE(folder.edited(folder.mask({"2210000"}), {"dilate:2"}), (Rows{"2211100"}));
    // One that is eaten frees its cells for nobody.
    QCOMPARE(folder.edited(folder.mask({"0120222"}), {"erode:1"}), (Rows{"0000022"}));
}

void CliEditTest::opens_and_closes() {
    const Folder folder;
    QCOMPARE(folder.edited(folder.mask({"000000", "011100", "011110", "011100", "000000"}), {"open:1"}),
             (Rows{"000000", "001100", "011110", "001100", "000000"}));
    QCOMPARE(folder.edited(folder.mask({"000000000", "001101100", "001101100", "001101100", "000000000"}), {"close:1"}),
             (Rows{"000000000", "001101100", "001111100", "001101100", "000000000"}));
}

void CliEditTest::holes_and_islands() {
    const Folder folder;
    // A hole with another label in it: only its background is filled; a bay at the border is none.
    QCOMPARE(folder.edited(folder.mask({"111110", "100010", "102010", "100010", "111110", "101000"}), {"fill_holes"}),
             (Rows{"111110", "111110", "112110", "111110", "111110", "101000"}));
    // Cells that touch at a corner are one part; each label counts alone.
    const auto parts = folder.mask({"100030", "010030", "000000", "220001", "000000"});
    QCOMPARE(folder.edited(parts, {"islands:2"}), (Rows{"100030", "010030", "000000", "220000", "000000"}));
    QCOMPARE(folder.edited(parts, {"islands:3"}), Rows(5, "000000"));
}

void CliEditTest::inverts() {
    const Folder folder;
    QCOMPARE(folder.edited(folder.mask({"0101"}), {"invert"}), (Rows{"1010"}));
    QCOMPARE(folder.edited(folder.mask({"0202"}), {"invert"}), (Rows{"2020"}));  // as of 0 and 255
    QCOMPARE(folder.edited(folder.mask({"0203"}), {"invert"}), (Rows{"1010"}));
    QCOMPARE(folder.edited(folder.mask({"000"}), {"invert"}), (Rows{"111"}));
}

void CliEditTest::relabels() {
    const Folder folder;
    json said;
    QCOMPARE(folder.edited(folder.mask({"0120", "2213"}), {"relabel:2=7"}, &said), (Rows{"0170", "7713"}));
    QCOMPARE(said["ops"], json::array({change("relabel:2=7", 3, 0, 0)}));
    QCOMPARE(folder.edited(folder.mask({"0120"}), {"relabel:0=4"}), (Rows{"4124"}));
    QCOMPARE(folder.edited(folder.mask({"0120"}), {"relabel:2=0"}), (Rows{"0100"}));
}

void CliEditTest::thresholds_soft_masks() {
    const Folder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto soft =
        folder.write("soft.npy", npy<float>("<f4", "2, 4", {0.0F, 0.25F, 0.5F, 1.0F, nan, -0.0F, 7.0F, 0.49F}));
    json said;
    QCOMPARE(folder.edited(soft, {"threshold:0.5"}, &said), (Rows{"0011", "0010"}));
    QCOMPARE(said["dtype"], "uint8");
    // 0.25, 0.5, nan, 7 and 0.49 are other numbers now; 0.25, nan and 0.49 were no background.
    QCOMPARE(said["ops"], json::array({change("threshold:0.5", 5, 0, 3)}));
    QCOMPARE(folder.edited(soft, {"threshold:0"}, &said), (Rows{"1111", "0111"}));
    QCOMPARE(said["ops"], json::array({change("threshold:0", 7, 2, 1)}));
    QCOMPARE(folder.edited(folder.mask({"0123"}), {"threshold:2"}), (Rows{"0011"}));
}

void CliEditTest::ops_in_their_order() {
    const Folder folder;
    json said;
    const auto mask = folder.mask({"0000000", "0001000", "0000000"});
    QCOMPARE(folder.edited(mask, {"dilate:1", "invert", "erode:1"}, &said), (Rows{"1100011", "1000001", "1100011"}));
    QCOMPARE(said["ops"].size(), 3U);
    QCOMPARE(said["ops"][0], change("dilate:1", 4, 4, 0));
    QCOMPARE(said["ops"][1], change("invert", 21, 16, 5));
    QCOMPARE(said["ops"][2], change("erode:1", 6, 0, 6));
    // Several behind one --op are the same.
    const auto outcome =
        run_cli({"edit", "--json", mask, "--op", "dilate:1", "invert", "erode:1", "-o", folder.path("two.npy")});
    QCOMPARE(outcome.json()["ops"], said["ops"]);
    QCOMPARE(read_npy(folder.path("two.npy")).cells, read_npy(folder.path("out.npy")).cells);
}

void CliEditTest::each_plane_of_a_stack() {
    const Folder folder;
    const std::vector<std::uint16_t> cells = {0, 0, 0, 0, 0, 300, 0, 0, 0, 0, 300, 0};
    const auto stack = folder.write("stack.npy", npy<std::uint16_t>("<u2", "2, 2, 1, 3", cells));
    const auto outcome = run_cli({"edit", "--json", stack, "--op", "dilate:1", "-o", folder.path("out.npy")});
    QCOMPARE(outcome.exit_code, 0);
    QCOMPARE(outcome.json()["planes"], 4);
    QCOMPARE(outcome.json()["dtype"], "uint16");
    const auto out = read_npy(folder.path("out.npy"));
    QVERIFY(out.header.contains("(2, 2, 1, 3)"));
    const std::vector<std::uint16_t> wanted = {0, 0, 0, 0, 300, 300, 0, 0, 0, 300, 300, 300};
    QCOMPARE(out.cells.size(), 24);
    QCOMPARE(std::memcmp(out.cells.data(), wanted.data(), 24), 0);
    // Rank 1 is one row.
    const auto line = folder.write("line.npy", npy<std::uint8_t>("|u1", "4,", {0, 0, 5, 0}));
    QCOMPARE(folder.edited(line, {"dilate:1"}), (Rows{"0555"}));
    QVERIFY(read_npy(folder.path("out.npy")).header.contains("(4,)"));
}

void CliEditTest::bool_stays_bool() {
    const Folder folder;
    const auto mask = folder.write("keep.npy", npy<std::uint8_t>("|b1", "2, 3", {0, 1, 0, 0, 0, 0}));
    QCOMPARE(folder.edited(mask, {"dilate:1", "invert"}), (Rows{"000", "101"}));
    QVERIFY(read_npy(folder.path("out.npy")).header.contains("'|b1'"));
}

void CliEditTest::one_tensor_by_address() {
    const Folder folder;
    const auto outcome = run_cli({"edit", "--json", kSamples + "minilm.safetensors::keep_mask[1]", "--op", "invert",
                                  "-o", folder.path("out.npz")});
    QCOMPARE(outcome.exit_code, 0);
    QCOMPARE(outcome.json()["mask"], "keep_mask[1]");
    QCOMPARE(outcome.json()["format"], "npz");
    // 17 real tokens of 24 before.
    QCOMPARE(outcome.json()["ops"], json::array({change("invert", 24, 7, 17)}));
    const auto info = run_cli({"info", "--json", folder.path("out.npz")});
    QCOMPARE(info.json()["files"][0]["tensors"][0]["stats"]["true_fraction"], 7.0 / 24);
}

void CliEditTest::pictures_in_and_out() {
    const Folder folder;
    const auto mask = folder.mask({"00000", "00900", "00000"});
    QCOMPARE(run_cli({"edit", mask, "--op", "dilate:1", "-o", folder.path("a.png")}).exit_code, 0);
    // Read back with an op that changes nothing.
    QCOMPARE(folder.edited(folder.path("a.png"), {"relabel:77=78"}), (Rows{"00900", "09990", "00900"}));
    const auto deep = folder.write("deep.npy", npy<std::int32_t>("<i4", "1, 3", {0, 40'000, 0}));
    const auto outcome = run_cli({"edit", "--json", deep, "--op", "dilate:1", "-o", folder.path("deep.png")});
    QCOMPARE(outcome.json()["format"], "png-grey16");
    const auto info = run_cli({"info", "--json", folder.path("deep.png")}).json()["files"][0]["tensors"][0];
    QCOMPARE(info["stats"]["min"], 40'000);
    QCOMPARE(info["dtype"], "uint16");
    // A colour picture is no mask, one of its channels may be.
    const auto rgb =
        run_cli({"edit", "--json", kGoldens + "png/rgb8.png", "--op", "invert", "-o", folder.path("b.npy")});
    QCOMPARE(rgb.exit_code, 2);
    QVERIFY(rgb.json()["error"]["hint"].get<std::string>().find("[:, :, 0]") != std::string::npos);
    QCOMPARE(
        run_cli({"edit", kGoldens + "png/rgb8.png[:, :, 0]", "--op", "invert", "-o", folder.path("b.npy")}).exit_code,
        0);
}

void CliEditTest::soft_masks_are_refused_with_a_hint() {
    const Folder folder;
    const auto soft = folder.write("soft.npy", npy<float>("<f4", "1, 2", {0.0F, 0.25F}));
    for (const char* op :
         {"dilate:1", "erode:1", "open:1", "close:1", "fill_holes", "islands:2", "invert", "relabel:1=2"}) {
        const auto outcome =
            run_cli({"edit", "--json", soft, "--op", op, "--op", "threshold:0.5", "-o", folder.path("out.npy")});
        QCOMPARE(outcome.exit_code, 2);
        const auto error = outcome.json()["error"];
        QVERIFY(error["message"].get<std::string>().find("soft values of float32") != std::string::npos);
        QVERIFY(error["hint"].get<std::string>().find("--op threshold:0.5") != std::string::npos);
        QVERIFY(!QFile::exists(folder.path("out.npy")));
    }
    QCOMPARE(
        run_cli({"edit", soft, "--op", "threshold:0.1", "--op", "dilate:1", "-o", folder.path("out.npy")}).exit_code,
        0);
}

void CliEditTest::wrong_use() {
    const Folder folder;
    const auto mask = folder.mask({"010"});
    const auto refused = [&](const QString& op, const char* word) {
        const auto outcome = run_cli({"edit", "--json", mask, "--op", op, "-o", folder.path("out.npy")});
        const auto text = outcome.json().dump();
        return outcome.exit_code == 2 && text.find(word) != std::string::npos && !QFile::exists(folder.path("out.npy"));
    };
    for (const char* op : {"blur", "blur:3", "", ":3", "DILATE:3", "dilate :3"}) QVERIFY2(refused(op, "islands:N"), op);
    for (const char* op :
         {"dilate:0", "dilate:-1", "dilate:513", "dilate:1.5", "dilate:x", "dilate:", "dilate:99999999999999999999"})
        QVERIFY2(refused(op, "from 1 to 512"), op);
    QVERIFY(refused("dilate", "needs its argument"));
    QVERIFY(refused("invert:1", "takes no argument"));
    QVERIFY(refused("fill_holes:", "takes no argument"));
    QVERIFY(refused("islands:0", "from 1 up"));
    for (const char* op : {"threshold:nan", "threshold:high", "threshold:"}) QVERIFY2(refused(op, "is a number"), op);
    for (const char* op : {"relabel:1", "relabel:1=", "relabel:=1", "relabel:1=2=3", "relabel:a=b"})
        QVERIFY2(refused(op, "relabel:2=5"), op);
    QVERIFY(refused("relabel:1=256", "256"));
    QVERIFY(refused("relabel:1=-1", "-1"));
    QVERIFY(refused("relabel:1=1.5", "1.5"));
    QCOMPARE(run_cli({"edit", mask, "--op", "invert"}).exit_code, 2);
    QCOMPARE(run_cli({"edit", mask, "-o", folder.path("out.npy")}).exit_code, 2);
    const auto extension = run_cli({"edit", "--json", mask, "--op", "invert", "-o", folder.path("out.xyz")});
    QCOMPARE(extension.exit_code, 2);
    QVERIFY(extension.json()["error"]["message"].get<std::string>().find(".png") != std::string::npos);
    QCOMPARE(run_cli({"edit", folder.write("scalar.npy", npy<std::uint8_t>("|u1", "", {1})), "--op", "invert", "-o",
                      folder.path("out.npy")})
                 .exit_code,
             2);
    QCOMPARE(run_cli({"edit", folder.write("empty.npy", npy<std::uint8_t>("|u1", "0, 3", {})), "--op", "invert", "-o",
                      folder.path("out.npy")})
                 .exit_code,
             2);
    QCOMPARE(
        run_cli({"edit", kSamples + "minilm.safetensors", "--op", "invert", "-o", folder.path("out.npy")}).exit_code,
        2);
}

void CliEditTest::bad_input() {
    const Folder folder;
    QCOMPARE(run_cli({"edit", folder.path("none.npy"), "--op", "invert", "-o", folder.path("out.npy")}).exit_code, 3);
    const auto cut = folder.write("cut.npy", npy<std::uint8_t>("|u1", "2, 3", {0, 1, 0, 0, 0}));
    const auto outcome = run_cli({"edit", "--json", cut, "--op", "invert", "-o", folder.path("out.npy")});
    QCOMPARE(outcome.exit_code, 3);
    QVERIFY(outcome.json()["error"]["where"]["file"].get<std::string>().find("cut.npy") != std::string::npos);
    QVERIFY(!QFile::exists(folder.path("out.npy")));
}

void CliEditTest::a_failure_leaves_the_old_file() {
    const Folder folder;
    const auto old = folder.write("out.png", "precious");
    // -5 is nothing that a PNG holds.
    const auto mask = folder.write("minus.npy", npy<std::int16_t>("<i2", "1, 3", {0, -5, 0}));
    const auto outcome = run_cli({"edit", "--json", mask, "--op", "dilate:1", "-o", old});
    QVERIFY(outcome.exit_code == 2 || outcome.exit_code == 3);
    QVERIFY(outcome.json()["error"]["message"].get<std::string>().find("-5") != std::string::npos);
    QFile file(old);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("precious"));
    QCOMPARE(run_cli({"edit", mask, "--op", "invert", "-o", folder.path("no/such/out.npy")}).exit_code, 3);
}

void CliEditTest::its_own_file() {
    const Folder folder;
    const auto mask = folder.mask({"00100"});
    QCOMPARE(run_cli({"edit", mask, "--op", "dilate:1", "-o", mask}).exit_code, 0);
    QCOMPARE(folder.edited(mask, {"relabel:77=78"}), (Rows{"01110"}));
}

void CliEditTest::people_get_a_table() {
    const Folder folder;
    const auto outcome = run_cli({"edit", folder.mask({"00100"}), "--op", "dilate:1", "-o", folder.path("out.npy")});
    QCOMPARE(outcome.exit_code, 0);
    QVERIFY(outcome.err.isEmpty());
    for (const char* word : {"out.npy", "uint8", "[1, 5]", "mask.npy", "changed", "dilate:1"})
        QVERIFY2(outcome.out.contains(word), word);
    QCOMPARE(outcome.out.count('\n'), 3);
}

void CliEditTest::help_says_how_labels_meet() {
    const auto outcome = run_cli({"edit", "--help"});
    QCOMPARE(outcome.exit_code, 0);
    for (const char* word :
         {"background only", "smaller one goes first", "relabel:A=B", "threshold:T", "plane of a stack"})
        QVERIFY2(outcome.out.contains(word), word);
}

QTEST_GUILESS_MAIN(CliEditTest)
#include "cli_edit_test.moc"
