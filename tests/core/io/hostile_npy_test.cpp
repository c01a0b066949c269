// SPDX-License-Identifier: Apache-2.0
// One row for each way in which an .npy file is refused: the sentence, and the byte that it points to.
#include "tests/core/io/scratch_files.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::npy;
using maskscope::test::ScratchFolder;

class HostileNpyTest : public QObject {
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void accepts_data();
    void accepts();
    void names_unread_kinds_data();
    void names_unread_kinds();
    void copies_what_is_not_aligned();

private:
    ScratchFolder folder_;
};

namespace {

// Ten bytes stand before the dict.
std::string with_descr(const std::string& descr) {
    return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }\n", std::string(64, '\0'));
}
std::string with_shape(const std::string& shape, std::size_t data = 8) {
    return npy("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", std::string(data, '\1'));
}

}  // namespace

void HostileNpyTest::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("offset");
    const auto row = [](const char* name, const std::string& bytes, const char* says, int offset) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << says << offset;
    };
    row("other magic", "\x89PNG\r\n\x1a\n....", "does not begin with \\x93NUMPY", 0);
    row("magic only", "\x93NUMPY", "ends after 6 bytes", 0);
    row("version 4", "\x93NUMPY\x04"s + "\0\x10\0\0\0"s, "version 4.0 is unknown", 6);
    row("version 1.1", "\x93NUMPY\x01\x01\x10"s + "\0\0\0"s, "version 1.1 is unknown", 6);
    row("version 2 cut in its length", "\x93NUMPY\x02"s + "\0\x10\0"s, "ends after 10 bytes", 0);
    row("header beyond the file", "\x93NUMPY\x01"s + "\0\xFF\xFF{"s, "claims 65545 bytes and the file has 11", 8);
    row("header of 4 GiB", "\x93NUMPY\x03"s + "\0\xFF\xFF\xFF\xFF{"s, "claims 4294967295 bytes; at most 104857600", 8);
    row("empty header", npy("", ""), "'{' was expected", 10);
    row("no dict", npy("(1, 2)", ""), "'{' was expected", 10);
    row("call instead of a literal", with_descr("__import__('os')"), "a quoted string was expected", 20);
    row("open string", npy("{'descr", ""), "a closing quote was expected", 11);
    row("no colon", npy("{'descr' '<f4'}", ""), "':' was expected", 19);
    row("no comma", npy("{'descr': '<f4' 'shape': ()}", ""), "',' or '}' was expected", 26);
    row("text behind the dict", npy("{'descr': '<f4', 'fortran_order': False, 'shape': ()} 1", "...."),
        "nothing but spaces after the dict", 64);
    row("dict cut short", npy("{'descr': '<f4', ", ""), "a quoted string was expected", 27);
    row("unknown key", npy("{'descr': '<f4', 'extra': 1}", ""), "unknown key 'extra'", 27);
    row("key twice", npy("{'descr': '<f4', 'descr': '<f8'}", ""), "'descr' twice", 27);
    row("no shape", npy("{'descr': '<f4', 'fortran_order': False}", ""), "has no 'shape'", 10);
    row("no descr", npy("{'fortran_order': False, 'shape': ()}", ""), "has no 'descr'", 10);
    row("order is no bool", npy("{'fortran_order': 1}", ""), "True or False was expected", 28);
    row("empty descr", with_descr("''"), "'' is no NumPy dtype", 20);
    row("byte order alone", with_descr("'<'"), "'<' is no NumPy dtype", 20);
    row("length of U is no number", with_descr("'<Ux'"), "'<Ux' is no NumPy dtype", 20);
    row("length of U is 10^12", with_descr("'<U1000000000000'"), "is no NumPy dtype", 20);
    row("endless fields", npy("{'descr': [[[[[[", ""), "']' was expected", 26);
    row("shape is a number", with_shape("3"), "'(' of the shape was expected", 60);
    row("shape in brackets is a number", with_shape("(3)"), "a tuple such as (3,) was expected", 63);
    row("negative size", with_shape("(-1,)"), "negative size -1", 61);
    row("size is a fraction", with_shape("(1.5,)"), "',' or ')' in the shape was expected", 62);
    row("size is an expression", with_shape("(9**9,)"), "',' or ')' in the shape was expected", 62);
    row("size beyond 64 bits", with_shape("(99999999999999999999,)"), "does not fit 63 bits", 61);
    row("product beyond 63 bits", with_shape("(4294967296, 4294967296)"), "more bytes than 63 bits", 60);
    row("product beyond 63 bits behind a zero", with_shape("(0, 4294967296, 4294967296)"), "more bytes than 63 bits",
        60);
    row("rank 13", with_shape("(1,1,1,1,1,1,1,1,1,1,1,1,1)"), "more than 12 dimensions", 60);
    row("data cut short", with_shape("(3,)"), "needs 12 bytes and the file holds 8", 68);
    row("terabytes promised", with_shape("(1000000, 1000000)"), "needs 4000000000000 bytes and the file holds 8", 82);
    row("a label is a surrogate", npy("{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }", "\0\xD8\0\0"s),
        "label 0 is not Unicode text", 67);
    row("a label is beyond Unicode", npy("{'descr': '>U1', 'fortran_order': False, 'shape': (1,), }", "\x7F\0\0\0"s),
        "label 0 is not Unicode text", 67);
    row("a label is no UTF-8", npy("{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }", "ok\xC0\x80"),
        "label 1 is not Unicode text", 69);
    row("endless empty labels", npy("{'descr': '|S0', 'fortran_order': False, 'shape': (100000000,), }", ""),
        "more labels than the 1048576", 75);
}

void HostileNpyTest::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(int, offset);
    const std::string path = folder_.write("a.npy", bytes.toStdString());
    const auto contents = open_file(path);
    QVERIFY(!contents.ok());
    const Error& error = contents.error();
    QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
    QCOMPARE(error.where.file, path);
    QVERIFY(error.where.offset.has_value());
    QCOMPARE(static_cast<int>(*error.where.offset), offset);
    QCOMPARE(error.text().find('\n'), std::string::npos);
}

void HostileNpyTest::accepts_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    const std::string data = maskscope::test::bytes_of({1.5F, -2.0F});
    row("double quotes, other order, no padding", npy(R"({"shape":(2,),"fortran_order":False,"descr":"<f4"})", data));
    row("spaces and line breaks", npy("{\n 'descr' : '<f4',\n 'fortran_order' : False, 'shape' : ( 2 , ) }  \n", data));
    row("Python 2's long sizes", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2L,), }\n", data));
    row("native byte order", npy("{'descr': '=f4', 'fortran_order': False, 'shape': (2,), }\n", data));
    row("bytes behind the array", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", data + "more"));
}

void HostileNpyTest::accepts() {
    QFETCH(QByteArray, bytes);
    const auto contents = open_file(folder_.write("a.npy", bytes.toStdString()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const auto tensor = tensor_of(contents->items.front(), {});
    QVERIFY(tensor.ok());
    QCOMPARE(maskscope::test::values_of<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

void HostileNpyTest::names_unread_kinds_data() {
    QTest::addColumn<QString>("descr");
    QTest::addColumn<QString>("named");
    for (const auto& [descr, named] : {std::pair{"'<c8'", "complex64"},
                                       {"'>c16'", "complex128"},
                                       {"'|O'", "object"},
                                       {"'<f16'", "float128"},
                                       {"'|V12'", "raw records of 12 bytes"},
                                       {"'<M8[ns]'", "datetime64"},
                                       {"'<m8[s]'", "timedelta64"},
                                       {"[('x', '<f4'), ('y]', '<f4')]", "structured records"},
                                       {"'<i3'", "'i3'"},
                                       {"'os.system'", "'os.system'"}}) {
        QTest::newRow(descr) << descr << named;
    }
}

void HostileNpyTest::names_unread_kinds() {
    QFETCH(QString, descr);
    QFETCH(QString, named);
    const auto contents = open_file(folder_.write("a.npy", with_descr(descr.toStdString())));
    QVERIFY(!contents.ok());
    QVERIFY2(contents.error().text().find(named.toStdString()) != std::string::npos, contents.error().text().c_str());
}

void HostileNpyTest::copies_what_is_not_aligned() {
    // 58 bytes of dict put the data at byte 68, and one more space at byte 69.
    const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
    const std::string data = maskscope::test::bytes_of({1.5F, -2.0F});
    const auto aligned = open_file(folder_.write("a.npy", npy(dict, data)));
    const auto skewed = open_file(folder_.write("b.npy", npy(" " + dict, data)));
    QVERIFY(aligned.ok() && skewed.ok());
    QVERIFY(aligned->items.front().mapped);
    QVERIFY(!skewed->items.front().mapped);
    QVERIFY(!skewed->items.front().note.empty());
    const auto tensor = tensor_of(skewed->items.front(), {});
    QVERIFY(tensor.ok());
    QCOMPARE(maskscope::test::values_of<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

QTEST_APPLESS_MAIN(HostileNpyTest)
#include "hostile_npy_test.moc"
