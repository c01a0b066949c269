// SPDX-License-Identifier: Apache-2.0
// One row for each way in which an .npz is refused: the sentence, and the byte that it points to.
#include "tests/core/io/scratch_files.h"
#include "tests/core/io/zip_by_hand.h"

#include <QtTest>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;
using maskscope::test::deflated_member;
using maskscope::test::HandMember;
using maskscope::test::HandZip;
using maskscope::test::npy;
using maskscope::test::ScratchFolder;

class HostileZipTest : public QObject {
    Q_OBJECT

private slots:
    void refuses_data();
    void refuses();
    void refuses_when_loading_data();
    void refuses_when_loading();
    void reads_what_is_unusual();
    void leaves_out_what_is_no_tensor();
    void a_long_header_in_a_deflated_member();
    void text_arrays_are_labels();
    void unpacks_megabytes_in_pieces();

private:
    ScratchFolder folder_;
};

namespace {

// 58 bytes of dict and 10 before it: the elements begin at byte 68 of the array.
const std::string kDict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
const std::string kArray = npy(kDict, maskscope::test::bytes_of({1.5F, -2.0F}));

HandMember array(const std::string& name) {
    return {.name = name, .data = kArray};
}

std::string zip(std::vector<HandMember> members) {
    return HandZip{.members = std::move(members)}.bytes();
}

// A zip of "a.npy" has its local header at byte 0, its data at 35, its directory at 35 + 76.
constexpr int kDirectory = 111;

}  // namespace

void HostileZipTest::refuses_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addColumn<int>("offset");
    const auto row = [](const char* name, const std::string& bytes, const char* says, int offset) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << says << offset;
    };
    const std::string good = zip({array("a.npy")});
    row("cut short", good.substr(0, good.size() - 1), "its end record is missing", static_cast<int>(good.size()) - 1);
    row("three bytes", "PK\x03", "its end record is missing", 3);
    row("not a zip", "only text", "its end record is missing", 9);
    row("bytes before the zip", "#!/bin/sh\n" + good, "no entry stands here", kDirectory);
    row("directory beyond the end", HandZip{.members = {array("a.npy")}, .directory_offset = 1U << 30U}.bytes(),
        "directory claims bytes 1073741824", static_cast<int>(good.size()) - 22);
    row("directory over the end record", HandZip{.members = {array("a.npy")}, .directory_size = 52}.bytes(),
        "beyond its end record", static_cast<int>(good.size()) - 22);
    row("more members than bytes", HandZip{.members = {array("a.npy")}, .entries = 9}.bytes(), "claims 9 members",
        static_cast<int>(good.size()) - 22);
    row("two members claimed", HandZip{.members = {array("a.npy"), {.name = "b"}}, .entries = 3}.bytes(),
        "claims 3 members", 240);
    row("4 G members in zip64", HandZip{.members = {array("a.npy")}, .entries = 1ULL << 32U, .zip64 = true}.bytes(),
        "claims 4294967296 members", 162);
    row("no local header", zip({{.name = "a.npy", .data = kArray, .offset = 5}}), "'a.npy' has no local header", 5);
    row("local header beyond the file", zip({{.name = "a.npy", .data = kArray, .offset = 1U << 31U}}),
        "'a.npy' has no local header", INT_MIN);
    row("another name in the local header", zip({{.name = "a.npy", .data = kArray, .local_name = "b.npy"}}),
        "'a.npy' is named 'b.npy' in its local header", 0);
    row("data beyond the directory", zip({{.name = "a.npy", .data = kArray, .size = 77, .packed_size = 77}}),
        "'a.npy' claims 77 bytes from byte 35", 0);
    row("stored with two sizes", zip({{.name = "a.npy", .data = kArray, .size = 1U << 30U}}),
        "stored member 'a.npy' has 76 bytes but claims 1073741824", kDirectory);
    row("zip bomb", zip({{.name = "a.npy", .data = "1234", .method = 8, .size = 1U << 31U}}), "zip bomb", 39);
    row("zip bomb of 2^60", zip({{.name = "a.npy", .data = "1234", .method = 8, .size = 1ULL << 60U, .zip64 = true}}),
        "unpack 4 bytes to 1152921504606846976, which is refused as a zip bomb", 39);
    row("encrypted", zip({{.name = "a.npy", .data = kArray, .flags = 1}}), "'a.npy' is encrypted", kDirectory);
    row("lzma", zip({{.name = "a.npy", .data = kArray, .method = 14}}), "packed with zip method 14", kDirectory);
    row("name is not UTF-8", zip({{.name = "\xFF.npy", .data = kArray}}), "'\\xff.npy' is not UTF-8", kDirectory);
    row("name holds a zero", zip({{.name = "a\0.npy"s, .data = kArray}}), "is not UTF-8", kDirectory + 1);
    row("two of one name", zip({array("a.npy"), array("a.npy")}), "two members are named 'a.npy'", 111);
    row("two over the same bytes",
        zip({{.name = "a.npy", .data = "x", .offset = 0}, {.name = "a.npy", .data = "x", .offset = 0}}),
        "members 'a.npy' and 'a.npy' overlap", 0);
    row("a text named .npy", zip({{.name = "a.npy", .data = "hello"}}), "in member 'a.npy': this is no NumPy array",
        35);
    row("array cut short", zip({{.name = "a.npy", .data = kArray.substr(0, 75)}}),
        "in member 'a.npy': shape [2] needs 8 bytes and the file holds 7", 103);
    row("deflated array cut short", zip({deflated_member("a.npy", kArray.substr(0, 75))}),
        "shape [2] needs 8 bytes and the file holds 7", 35);
    row("damaged deflate at the header",
        zip({{.name = "a.npy", .data = std::string(20, '\x07'), .method = 8, .size = 76}}), "are damaged", 35);
}

void HostileZipTest::refuses() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QFETCH(int, offset);
    const std::string path = folder_.write("a.npz", bytes.toStdString());
    const auto contents = open_file(path);
    QVERIFY(!contents.ok());
    const Error& error = contents.error();
    QVERIFY2(error.text().find(says.toStdString()) != std::string::npos, error.text().c_str());
    QCOMPARE(error.where.file, path);
    QVERIFY(error.where.offset.has_value());
    if (offset != INT_MIN) QCOMPARE(static_cast<int>(*error.where.offset), offset);
}

void HostileZipTest::refuses_when_loading_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const HandMember& member, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(zip({member})) << says;
    };
    // Long enough that its header unpacks before the damage is met.
    const std::string big = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (100000,), }\n", [] {
        std::string data;
        std::uint32_t state = 1;
        for (int i = 0; i < 100000; ++i) {
            state = state * 1664525U + 1013904223U;
            data += static_cast<char>(state >> 24U);
        }
        return data;
    }());
    HandMember member = deflated_member("a.npy", big);
    HandMember wrong_crc = member;
    wrong_crc.crc = 0x12345678;
    row("wrong CRC", wrong_crc, "its CRC is");
    HandMember cut = member;
    cut.data.resize(cut.data.size() / 2);
    row("deflate stops early", cut, "the deflated data of 'a.npy' stop before their end");
    HandMember shorter = member;
    *shorter.size += 1;
    row("fewer bytes than promised", shorter, "unpacks to fewer than the 100074 bytes");
    HandMember longer = deflated_member("a.npy", big + "more");
    *longer.size -= 4;
    row("more bytes than promised", longer, "unpacks to more than the 100073 bytes");
}

void HostileZipTest::refuses_when_loading() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const std::string path = folder_.write("a.npz", bytes.toStdString());
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    const auto tensor = tensor_of(contents->items.front(), {});
    QVERIFY(!tensor.ok());
    QVERIFY2(tensor.error().text().find(says.toStdString()) != std::string::npos, tensor.error().text().c_str());
    QCOMPARE(tensor.error().where.file, path);
    QVERIFY(tensor.error().where.offset.has_value());
}

void HostileZipTest::reads_what_is_unusual() {
    HandMember wide = array("in/zip64.npy");
    wide.zip64 = true;
    HandZip zip{.members = {array("a.npy"), wide, {.name = "in/"}, deflated_member("d.npy", kArray)}};
    zip.zip64 = true;
    zip.comment = "PK\x05\x06 is also in this comment";
    const auto contents = open_file(folder_.write("a.npz", zip.bytes()));
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    QCOMPARE(contents->items.size(), 3U);
    QCOMPARE(contents->items[0].key, std::string("a"));
    QCOMPARE(contents->items[1].key, std::string("in/zip64"));
    QCOMPARE(contents->items[2].key, std::string("d"));
    for (const auto& item : contents->items) {
        const auto tensor = tensor_of(item, {});
        QVERIFY(tensor.ok());
        QCOMPARE(maskscope::test::values_of<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
    }
}

void HostileZipTest::leaves_out_what_is_no_tensor() {
    const std::string objects = npy("{'descr': '|O', 'fortran_order': False, 'shape': (), }\n", "\x80\x04N.");
    const auto contents = open_file(folder_.write(
        "a.npz", zip({{.name = "o.npy", .data = objects}, array("a.npy"), {.name = "readme", .data = "x"}})));
    QVERIFY(contents.ok());
    QCOMPARE(contents->items.size(), 1U);
    QCOMPARE(contents->metadata.at("not read: o"),
             std::string("the array holds Python objects (dtype object), which are not read"));
    QCOMPARE(contents->metadata.at("not read: readme"), std::string("not an .npy member"));
}

void HostileZipTest::a_long_header_in_a_deflated_member() {
    const std::string padded = npy(std::string(5000, ' ') + kDict, maskscope::test::bytes_of({1.5F, -2.0F}));
    const auto contents = open_file(folder_.write("a.npz", zip({deflated_member("a.npy", padded)})));
    QVERIFY(contents.ok());
    const auto tensor = tensor_of(contents->items.front(), {});
    QVERIFY(tensor.ok());
    QCOMPARE(maskscope::test::values_of<float>(*tensor), (std::vector<float>{1.5F, -2.0F}));
}

void HostileZipTest::text_arrays_are_labels() {
    const std::string words =
        npy("{'descr': '|S3', 'fortran_order': True, 'shape': (2, 2), }\n", "a\0\0the\xC3\xA4\0cat"s);
    for (const auto& member : {HandMember{.name = "tokens.npy", .data = words}, deflated_member("tokens.npy", words)}) {
        const auto contents = open_file(folder_.write("a.npz", zip({member, array("w.npy")})));
        QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
        QVERIFY(contents->items[0].labels.has_value());
        // In Fortran's order the first index runs fastest.
        QCOMPARE(contents->items[0].labels->rows, (std::vector<std::vector<std::string>>{{"a", "ä"}, {"the", "cat"}}));
    }
}

void HostileZipTest::unpacks_megabytes_in_pieces() {
    // 4 MiB of big-endian numbers that count up: several pieces on both sides of the inflater.
    constexpr std::int32_t kCount = 1 << 20;
    std::string data;
    for (std::int32_t i = 0; i < kCount; ++i) {
        const std::uint32_t value = static_cast<std::uint32_t>(i) * 2654435U;
        for (unsigned shift = 32; shift > 0; shift -= 8) data += static_cast<char>((value >> (shift - 8)) & 0xFFU);
    }
    const std::string array = npy("{'descr': '>i4', 'fortran_order': True, 'shape': (1024, 1024), }\n", data);
    const auto path = folder_.write("a.npz", zip({deflated_member("a.npy", array), {.name = "s.npy", .data = array}}));
    const auto contents = open_file(path);
    QVERIFY2(contents.ok(), contents.ok() ? "" : contents.error().text().c_str());
    for (const auto& item : contents->items) {
        const auto tensor = tensor_of(item, {});
        QVERIFY2(tensor.ok(), tensor.ok() ? "" : tensor.error().text().c_str());
        QCOMPARE(tensor->strides(), (Strides{1, 1024}));
        const auto* values = tensor->data_as<std::int32_t>();
        for (std::int32_t i = 0; i < kCount; i += 997) {
            QCOMPARE(values[i], static_cast<std::int32_t>(static_cast<std::uint32_t>(i) * 2654435U));
        }
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = tensor_of(item, JobContext(stop.get_token()));
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().kind, ErrorKind::cancelled);
    }
}

QTEST_APPLESS_MAIN(HostileZipTest)
#include "hostile_zip_test.moc"
