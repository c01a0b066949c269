// SPDX-License-Identifier: Apache-2.0
// One row for each way in which a .safetensors file is refused: the sentence, and the byte that it points to.
#include "tests/core/io/scratch_files.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::safetensors;
using maskscope::test::ScratchFolder;

class HostileSafetensorsTest : public QObject {
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void reads_entries_in_any_order();
    void leaves_out_what_has_no_dtype_here();
    void copies_what_is_not_aligned();
    void metadata_name_dimensions();

private:
    ScratchFolder folder_;
};

namespace {

std::string entry(const std::string& key, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
    return "\"" + key + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets, std::size_t data) {
    return safetensors("{" + entry("w", dtype, shape, offsets) + "}", std::string(data, '\0'));
}

}  // namespace

void HostileSafetensorsTest::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("offset");  // -1: somewhere in the header
    const auto row = [](const char* name, const std::string& bytes, const char* says, int offset = -1) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << says << offset;
    };
    row("seven bytes", "\x02\0\0\0\0\0\0"s, "too few for a safetensors header", 0);
    row("header of 2^63", std::string(7, '\0') + "\x80{}", "the format allows 104857600", 0);
    row("header beyond the file", "\x08\0\0\0\0\0\0\0{}"s, "claims 8 bytes and the file has 2", 0);
    row("no header", "\0\0\0\0\0\0\0\0"s, "does not begin with '{'", 8);
    row("header begins with a space", safetensors(" {}", ""), "does not begin with '{'", 8);
    row("header is a list", safetensors("[]", ""), "does not begin with '{'", 8);
    row("header is cut", safetensors("{\"w\":", ""), "this is not JSON", 13);
    row("header has more behind it", safetensors("{} {}", ""), "this is not JSON", 11);
    row("header is not UTF-8", safetensors("{\"\xC0\x80\":1}", ""), "this is not JSON", 10);
    row("a hundred thousand lists", safetensors("{\"w\":" + std::string(100000, '['), ""),
        "an array where none belongs", 14);
    row("a hundred thousand objects", safetensors("{\"w\":" + std::string(100000, '{'), ""), "this is not JSON");
    row("entry is a number", safetensors(R"({"w":1})", ""), "a number where none belongs");
    row("entry holds an object", safetensors(R"({"w":{"dtype":{}}})", ""), "an object where none belongs");
    row("two of one key",
        safetensors("{" + entry("w", "U8", "[0]", "[0,0]") + "," + entry("w", "U8", "[0]", "[0,0]") + "}", ""),
        "two entries of the header are named 'w'");
    row("field twice", safetensors(R"({"w":{"dtype":"U8","dtype":"U8"}})", ""), "the field 'dtype' twice");
    row("unknown field", safetensors(R"({"w":{"dtype":"U8","stride":[1]}})", ""), "the unknown field 'stride'");
    row("no shape", safetensors(R"({"w":{"dtype":"U8","data_offsets":[0,0]}})", ""), "tensor 'w' has no shape");
    row("no dtype", safetensors(R"({"w":{"shape":[0],"data_offsets":[0,0]}})", ""), "tensor 'w' has no dtype");
    row("no offsets", safetensors(R"({"w":{"shape":[0],"dtype":"U8"}})", ""), "tensor 'w' has no data_offsets");
    row("dtype is a number", safetensors(R"({"w":{"dtype":8}})", ""), "a number where none belongs");
    row("shape is a text", safetensors(R"({"w":{"shape":"2"}})", ""), "a string where none belongs");
    row("negative size", one("U8", "[-1]", "[0,1]", 1), "a negative number where none belongs");
    row("size is a fraction", one("U8", "[1.0]", "[0,1]", 1), "a fraction where none belongs");
    row("size beyond 63 bits", one("U8", "[18446744073709551615]", "[0,1]", 1),
        "18446744073709551615 does not fit 63 bits");
    row("size beyond 64 bits", one("U8", "[99999999999999999999]", "[0,1]", 1), "a fraction where none belongs");
    row("rank 13", one("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]", 1), "more than 12 dimensions");
    row("one offset", one("U8", "[1]", "[0]", 1), "data_offsets must be two numbers");
    row("three offsets", one("U8", "[1]", "[0,1,2]", 1), "data_offsets must be two numbers");
    row("unknown dtype", one("F99", "[1]", "[0,1]", 1), "the unknown dtype 'F99'");
    row("shape and bytes differ", one("F32", "[2]", "[0,4]", 4), "shape [2] and dtype F32 needs 8 bytes and has 4");
    row("product beyond 63 bits", one("U8", "[4294967296,4294967296]", "[0,1]", 1), "more bytes than 63 bits");
    row("half a byte", one("F4", "[3]", "[0,1]", 1), "needs 2 bytes and has 1");
    row("offsets backwards", one("U8", "[1]", "[1,0]", 1), "it must begin at 0");
    row("hole before", one("U8", "[1]", "[1,2]", 2), "lies at bytes 1 to 2 of the buffer; it must begin at 0");
    row("overlap",
        safetensors("{" + entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[2]", "[2,4]") + "}", "...."),
        "tensor 'b' lies at bytes 2 to 4 of the buffer; it must begin at 4");
    row("hole between",
        safetensors("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[2,3]") + "}", "..."),
        "tensor 'b' lies at bytes 2 to 3 of the buffer; it must begin at 1");
    row("beyond the file", one("U8", "[4]", "[0,4]", 3), "ends at byte 4 of the buffer, which has 3");
    row("bytes that belong to none", one("U8", "[4]", "[0,4]", 6), "2 bytes at the end of the file belong to no tensor",
        65);
    row("metadata are a list", safetensors(R"({"__metadata__":[]})", ""), "an array where none belongs");
    row("metadata hold a number", safetensors(R"({"__metadata__":{"a":1}})", ""), "a number where none belongs");
    row("metadata key twice", safetensors(R"({"__metadata__":{"a":"","a":""}})", ""), "the key 'a' twice");
}

void HostileSafetensorsTest::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(int, offset);
    const std::string path = folder_.write("a.safetensors", bytes.toStdString());
    const auto contents = open_file(path);
    QVERIFY(!contents.ok());
    const Error& error = contents.error();
    QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
    QCOMPARE(error.where.file, path);
    QVERIFY(error.where.offset.has_value());
    if (offset >= 0) {
        QCOMPARE(static_cast<int>(*error.where.offset), offset);
    } else {
        QVERIFY(*error.where.offset >= 8 && *error.where.offset <= static_cast<std::uint64_t>(bytes.size()));
    }
    QVERIFY2(error.text().size() < 400, error.text().c_str());
}

void HostileSafetensorsTest::reads_entries_in_any_order() {
    const std::string header = "{" + entry("second", "U8", "[2]", "[1,3]") + "," +
                               entry("first", "U8", "[1]", "[0,1]") + "," + entry("none", "F32", "[0,5]", "[3,3]") +
                               "}  ";
    const auto contents = open_file(folder_.write("a.safetensors", safetensors(header, "\x07\x08\x09")));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(contents->items.size(), 3U);
    QCOMPARE(contents->items[0].key, std::string("first"));
    QCOMPARE(contents->items[1].key, std::string("second"));
    QCOMPARE(maskscope::test::values_of<std::uint8_t>(contents->items[1].tensor), (std::vector<std::uint8_t>{8, 9}));
    QCOMPARE(text_of(contents->items[2].shape), std::string("[0, 5]"));
}

void HostileSafetensorsTest::leaves_out_what_has_no_dtype_here() {
    const std::string header = "{" + entry("z", "C64", "[1]", "[0,8]") + "," + entry("w", "U8", "[1]", "[8,9]") + "}";
    const auto contents = open_file(folder_.write("a.safetensors", safetensors(header, "12345678\x05")));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items.size(), 1U);
    QCOMPARE(contents->metadata.at("not read: z"), std::string("the dtype C64 is not read"));
}

void HostileSafetensorsTest::copies_what_is_not_aligned() {
    const std::string data = "\x01" + maskscope::test::bytes_of({1.5F, -2.0F});
    std::string header = "{" + entry("m", "BOOL", "[1]", "[0,1]") + "," + entry("w", "F32", "[2]", "[1,9]") + "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const auto contents = open_file(folder_.write("a.safetensors", safetensors(header, data)));
    QVERIFY(contents.ok());
    QVERIFY(contents->items[0].mapped);
    QVERIFY(!contents->items[1].mapped);
    const auto tensor = tensor_of(contents->items[1], {});
    QVERIFY(tensor.ok());
    QCOMPARE(maskscope::test::values_of<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

void HostileSafetensorsTest::metadata_name_dimensions() {
    const std::string header = R"({"__metadata__":{"dims.w":"query, key","dims.v":"a,b","tokens":"not a list"},)" +
                               entry("w", "U8", "[1,1]", "[0,1]") + "," + entry("v", "U8", "[1]", "[1,2]") + "}";
    const auto contents = open_file(folder_.write("a.safetensors", safetensors(header, "12")));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items.size(), 2U);
    QCOMPARE(contents->items[0].dim_names, (std::vector<std::string>{"query", "key"}));
    QVERIFY(contents->items[1].dim_names.empty());
    QCOMPARE(contents->metadata.at("tokens"), std::string("not a list"));
}

QTEST_APPLESS_MAIN(HostileSafetensorsTest)
#include "hostile_safetensors_test.moc"
