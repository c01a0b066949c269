// SPDX-License-Identifier: Apache-2.0
// The pickle reader against byte strings written by hand from CPython's opcode table.
#include "core/io/pickle.h"
#include "core/io/pickle_tree.h"

#include <QtTest>

#include <algorithm>

using namespace maskscope;
using namespace maskscope::io;
using namespace std::string_literals;

namespace {

Result<pickle::Pickle> read(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return pickle::read(std::move(bytes));
}
QString error_of(const std::string& text) {
    const auto pickle = read(text);
    return pickle ? QString() : QString::fromStdString(pickle.error().message.text());
}
std::string unicode(const std::string& text) {
    return "X"s + static_cast<char>(text.size()) + "\0\0\0"s + text;
}
// The persistent id of storage "0" of `elements` elements.
std::string storage(const std::string& type, int elements) {
    return "(" + unicode("storage") + "c" + type + "\n" + unicode("0") + unicode("cpu") + "K" +
           static_cast<char>(elements) + "tQ";
}

}  // namespace

class PickleTest : public QObject {
    Q_OBJECT

private slots:
    void plain_values();
    void plain_values_data();
    void tensor_of_a_storage();
    void keys_are_paths();
    void equal_keys_are_told_apart();
    void hostile();
    void hostile_data();
    void a_dtype_that_is_not_held_is_named();
    void truncated_anywhere();
    void a_list_inside_itself_is_refused();
    void a_tree_of_repeats_is_refused();
};

void PickleTest::plain_values_data() {
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const std::string& op, const char* text) {
        QTest::newRow(name) << QByteArray::fromStdString(op) << QString::fromUtf8(text);
    };
    row("none", "N", "None");
    row("true", "\x88", "True");
    row("one byte", "K\xff", "255");
    row("two bytes", "M\x2c\x01", "300");
    row("four bytes", "J\xff\xff\xff\xff", "-1");
    row("no bytes", "\x8a\0"s, "0");
    row("2**40", "\x8a\x06\0\0\0\0\0\x01"s, "1099511627776");
    row("-2**63", "\x8a\x08\0\0\0\0\0\0\0\x80"s, "-9223372036854775808");
    row("2**70", "\x8a\x09\0\0\0\0\0\0\0\0\x40"s, "1180591620717411303424");
    row("-2**70", "\x8a\x09\0\0\0\0\0\0\0\0\xc0"s, "-1180591620717411303424");
    row("2**63", "\x8a\x09\0\0\0\0\0\0\0\x80\0"s, "9223372036854775808");
    row("real", "G\x3f\xc0\0\0\0\0\0\0"s, "0.125");
    row("text", unicode("W\xc3\xa4"), "Wä");
    row("size", "ctorch\nSize\nK\x02K\x03\x86\x85R", "(2, 3)");
    row("list", "](K\x01N"s + unicode("a") + "e", "[1, None, 'a']");
    row("frame of protocol 4", "\x95\x01\0\0\0\0\0\0\0\x8c\x02hi\x94"s, "hi");
}

void PickleTest::plain_values() {
    QFETCH(QByteArray, op);
    QFETCH(QString, text);
    auto pickle = read("\x80\x02" + op.toStdString() + ".");
    QVERIFY2(pickle.ok(), pickle ? "" : pickle.error().text().c_str());
    const auto leaves = pickle::flatten(*pickle);
    QVERIFY(leaves.ok());
    QCOMPARE(leaves->plain.size(), 1U);
    QCOMPARE(QString::fromStdString(leaves->plain.at("")), text);
}

void PickleTest::tensor_of_a_storage() {
    auto pickle = read(
        "\x80\x02"
        "ctorch._utils\n_rebuild_tensor_v2\n(" +
        storage("torch\nHalfStorage", 24) + "K\x02K\x02K\x03\x86K\x01K\x04\x86\x89"s +
        "ccollections\nOrderedDict\n)RtR.");
    QVERIFY2(pickle.ok(), pickle ? "" : pickle.error().text().c_str());
    QCOMPARE(pickle->tensors.size(), 1U);
    const auto& tensor = pickle->tensors[0];
    QCOMPARE(tensor.dtype, DType::f16);
    QCOMPARE(tensor.offset, 2);
    QVERIFY(tensor.shape == Dims({2, 3}));
    QVERIFY(tensor.strides == Dims({1, 4}));
    QCOMPARE(pickle->storages[tensor.storage].bytes, 48U);
    QVERIFY(pickle->storages[tensor.storage].key == "0");
}

void PickleTest::keys_are_paths() {
    const std::string tensor =
        "ctorch._utils\n_rebuild_tensor_v2\n(" + storage("torch\nBoolStorage", 1) + "K\0))\x89NtR"s;
    // {"model": {"w": x, "list": [x, 5]}, 3: x}
    auto pickle =
        read("\x80\x02}(" + unicode("model") + "}(" + unicode("w") + tensor + unicode("list") + "](" + tensor +
             "K\x05"
             "euK\x03" +
             tensor + "u.");
    QVERIFY2(pickle.ok(), pickle ? "" : pickle.error().text().c_str());
    const auto leaves = pickle::flatten(*pickle);
    QVERIFY(leaves.ok());
    QStringList keys;
    for (const auto& leaf : leaves->tensors) keys << QString::fromStdString(leaf.key);
    QCOMPARE(keys, QStringList({"model.w", "model.list[0]", "[3]"}));
    QCOMPARE(leaves->plain.at("model.list[1]"), "5");
}

void PickleTest::equal_keys_are_told_apart() {
    const std::string tensor =
        "ctorch._utils\n_rebuild_tensor_v2\n(" + storage("torch\nBoolStorage", 1) + "K\0))\x89NtR"s;
    auto pickle = read("\x80\x02}(" + unicode("a") + "}" + unicode("b") + tensor + "s" + unicode("a.b") + tensor +
                       unicode("a.b") + tensor + "u.");
    QVERIFY2(pickle.ok(), pickle ? "" : pickle.error().text().c_str());
    const auto leaves = pickle::flatten(*pickle);
    QVERIFY(leaves.ok());
    QCOMPARE(leaves->tensors.size(), 3U);
    QVERIFY(leaves->tensors[0].key == "a.b");
    QVERIFY(leaves->tensors[1].key == "a.b (2)");
    QVERIFY(leaves->tensors[2].key == "a.b (3)");
}

void PickleTest::hostile_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(says);
    };
    const std::string begin = "\x80\x02";
    const std::string rebuild = begin + "ctorch._utils\n_rebuild_tensor_v2\n(" + storage("torch\nFloatStorage", 6);
    row("empty", "", "ends in the middle");
    row("os.system", begin + "cos\nsystem\n" + unicode("true") + "\x85R.", "'os.system'");
    row("eval", begin + "c__builtin__\neval\n" + unicode("1") + "\x85R.", "'__builtin__.eval'");
    row("stack global", "\x80\x04\x8c\x05posix\x8c\x06system\x93.", "'posix.system'");
    row("getattr", begin + "cbuiltins\ngetattr\n.", "'builtins.getattr'");
    row("inst", begin + "(ios\nsystem\n.", "instruction 0x69");
    row("obj", begin + "(o.", "instruction 0x6f");
    row("newobj", begin + "ccollections\nOrderedDict\n)\x81.", "instruction 0x81");
    row("extension registry", begin + "\x82\x01.", "instruction 0x82");
    row("call of a number", begin + "K\x01)R.", "no function");
    row("arguments that are no tuple", begin + "ctorch\nSize\n]R.", "no function");
    row("a dtype called", begin + "ctorch\nfloat32\n)R.", "arguments");
    row("protocol 0", "\x80\x01.", "protocol 1");
    row("pop of nothing", begin + "0.", "never made");
    row("pop under a mark", begin + "K\x01(0.", "never made");
    row("no mark", begin + "t.", "never opened");
    row("append to a number",
        begin +
            "K\x01K\x02"
            "a.",
        "no container");
    row("odd dict", begin + "}(K\x01u.", "no container");
    row("unknown memo", begin + "h\x05.", "never kept");
    row("marks", begin + std::string(300, '('), "nested more than 200");
    row("long text",
        begin +
            "X\xff\xff\xff\x7f"
            "abc",
        "ends in the middle");
    row("text of 2**64 - 1 bytes",
        "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff"
        "a",
        "ends in the middle");
    row("huge integer", begin + "\x8b\x90\x01\0\0"s + std::string(400, '\1') + ".", "integer of 400 bytes");
    row("name without an end", begin + "c" + std::string(2000, 'a'), "without an end");
    row("storage that is no tuple", begin + unicode("0") + "Q.", "never writes");
    row("storage that is a dict type",
        begin + "(" + unicode("storage") + "ccollections\nOrderedDict\n" + unicode("0") + unicode("cpu") + "K\x01tQ.",
        "not");
    row("rank 13", rebuild + "K\0("s + std::string("K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1K\1") + "t)\x89NtR.",
        "13 dimensions");
    row("negative size", rebuild + "K\0J\xff\xff\xff\xff\x85K\1\x85\x89NtR."s, "from 0 up");
    row("negative offset", rebuild + "J\xff\xff\xff\xffK\1\x85K\1\x85\x89NtR."s, "arguments");
    row("shape without strides", rebuild + "K\0K\1\x85)\x89NtR."s, "arguments");
    row("parameter of a number", begin + "ctorch._utils\n_rebuild_parameter\nK\1\x88N\x87R.", "arguments");
    row("attributes of a list", begin + "]}b.", "attributes");
}

void PickleTest::hostile() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const QString error = error_of(bytes.toStdString());
    QVERIFY2(error.contains(says), qPrintable(error));
}

void PickleTest::truncated_anywhere() {
    const std::string whole = "\x80\x02}(" + unicode("w") + "ctorch._utils\n_rebuild_tensor_v2\n(" +
                              storage("torch\nHalfStorage", 6) + "K\0K\x06\x85K\x01\x85\x89NtR"s + unicode("n") +
                              "\x8a\x09\0\0\0\0\0\0\0\0\x40u."s;
    QVERIFY(read(whole).ok());
    for (std::size_t length = 0; length < whole.size(); ++length) QVERIFY(!read(whole.substr(0, length)).ok());
}

void PickleTest::a_dtype_that_is_not_held_is_named() {
    const auto pickle = read(
        "\x80\x02"
        "ctorch._utils\n_rebuild_tensor_v2\n(" +
        storage("torch\nComplexFloatStorage", 1) + "K\0))\x89NtR."s);
    QVERIFY2(pickle.ok(), pickle ? "" : pickle.error().text().c_str());
    QVERIFY(pickle->tensors[0].unread_dtype == "complex64");
}

void PickleTest::a_list_inside_itself_is_refused() {
    auto pickle = read("\x80\x02]q\0h\0a."s);
    QVERIFY(pickle.ok());
    const auto leaves = pickle::flatten(*pickle);
    QVERIFY(!leaves.ok());
    QVERIFY(leaves.error().message.text().find("nested more than 200") != std::string::npos);
}

void PickleTest::a_tree_of_repeats_is_refused() {
    // Forty lists, each of which holds the one before it ten times.
    std::string bytes = "\x80\x02]q\0(N}e"s;
    for (int level = 1; level <= 40; ++level) {
        bytes += "]q"s + static_cast<char>(level) + "(";
        for (int i = 0; i < 10; ++i) bytes += "h"s + static_cast<char>(level - 1);
        bytes += "e";
    }
    auto pickle = read(bytes + ".");
    QVERIFY(pickle.ok());
    const auto leaves = pickle::flatten(*pickle);
    QVERIFY(!leaves.ok());
}

QTEST_APPLESS_MAIN(PickleTest)
#include "pickle_test.moc"
