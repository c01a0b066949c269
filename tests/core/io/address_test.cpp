// SPDX-License-Identifier: Apache-2.0
#include "core/io/address.h"
#include "tests/core/io/scratch_files.h"

#include <QDir>
#include <QElapsedTimer>
#include <QtTest>

#include <fcntl.h>
#include <unistd.h>

using namespace maskscope;
using namespace maskscope::io;
using maskscope::test::npy;
using maskscope::test::safetensors;
using maskscope::test::ScratchFolder;
using maskscope::test::values_of;

class AddressTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void takes_apart_data();
    void takes_apart();
    void loads_a_slice_with_its_dim_names();
    void sole_tensor_needs_no_key();
    void refuses_data();
    void refuses();
    void opening_a_gibibyte_reads_no_data();

private:
    ScratchFolder folder_;
};

void AddressTest::initTestCase() {
    folder_.write("a.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n", "\1\2\3\4\5\6"));
    folder_.write("odd[0].npy", "x");
    folder_.write("odd[0]", "x");
    folder_.write("b::c", "x");
    folder_.write("w.safetensors", safetensors(R"({"__metadata__":{"dims.w":"head,query,key"},)"
                                               R"("w":{"dtype":"U8","shape":[2,2,2],"data_offsets":[0,8]},)"
                                               R"("k[1]":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},)"
                                               R"("k":{"dtype":"U8","shape":[2],"data_offsets":[9,11]}})",
                                               "\1\2\3\4\5\6\7\x08\x09\x0A\x0B"));
    folder_.write("one.safetensors", safetensors(R"({"__metadata__":{"tokens":"[\"a\",\"b\"]"},)"
                                                 R"("w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
                                                 "\1\2"));
    folder_.write("c64.safetensors",
                  safetensors(R"({"z":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}})", "12345678"));
    folder_.write("none.safetensors", safetensors("{}", ""));
    folder_.write("tokens.txt", "a\nb\n");
    folder_.write("picture.xyz", "GIF89a");
}

void AddressTest::takes_apart_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("slice");
    const auto row = [](const char* text, const char* file, const char* key, const char* slice) {
        QTest::newRow(text) << text << file << key << slice;
    };
    row("a.npy", "a.npy", "", "");
    row("a.npy[0, 2]", "a.npy", "", "[0, 2]");
    row("a.npy [0, 2]", "a.npy", "", "[0, 2]");
    row("a.npy::layer3[0, 2]", "a.npy", "layer3", "[0, 2]");
    row("a.npy::layer3", "a.npy", "layer3", "");
    row("a.npy::encoder::layer3[:]", "a.npy", "encoder::layer3", "[:]");
    row("odd[0].npy", "odd[0].npy", "", "");
    row("odd[0]", "odd[0]", "", "");
    row("odd[0].npy[1]", "odd[0].npy", "", "[1]");
    row("odd[0][1]", "odd[0]", "", "[1]");
    row("b::c", "b::c", "", "");
    row("b::c[1]", "b::c", "", "[1]");
    row("b::c::key", "b::c", "key", "");
    row("missing.npz::k[0]", "missing.npz", "k", "[0]");
    row("missing.npy[0]", "missing.npy", "", "[0]");
    row("a.npy]", "a.npy]", "", "");
}

void AddressTest::takes_apart() {
    QFETCH(QString, text);
    QFETCH(QString, file);
    QFETCH(QString, key);
    QFETCH(QString, slice);
    const Address address = parse_address(folder_.path(text.toStdString()));
    QCOMPARE(address.file, folder_.path(file.toStdString()));
    QCOMPARE(QString::fromStdString(address.key), key);
    QCOMPARE(QString::fromStdString(address.slice), slice);
}

void AddressTest::loads_a_slice_with_its_dim_names() {
    const auto loaded = load_address(parse_address(folder_.path("w.safetensors::w[1, :, None]")));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().text().c_str());
    QCOMPARE(loaded->tensor.shape(), (Shape{2, 1, 2}));
    QCOMPARE(values_of<std::uint8_t>(loaded->tensor), (std::vector<std::uint8_t>{5, 6, 7, 8}));
    QCOMPARE(loaded->dim_names, (std::vector<std::string>{"query", "", "key"}));
    QCOMPARE(loaded->item.key, std::string("w"));
    // A key that ends in brackets is found before the brackets are taken for a slice.
    const auto bracketed = load_address(parse_address(folder_.path("w.safetensors::k[1]")));
    QVERIFY(bracketed.ok());
    QCOMPARE(values_of<std::uint8_t>(bracketed->tensor), (std::vector<std::uint8_t>{9}));
    const auto sliced = load_address(parse_address(folder_.path("w.safetensors::k[0]")));
    QVERIFY(sliced.ok());
    QCOMPARE(values_of<std::uint8_t>(sliced->tensor), (std::vector<std::uint8_t>{10}));
}

void AddressTest::sole_tensor_needs_no_key() {
    const auto plain = load_address(parse_address(folder_.path("a.npy[1, ::2]")));
    QVERIFY(plain.ok());
    QCOMPARE(values_of<std::uint8_t>(plain->tensor), (std::vector<std::uint8_t>{4, 6}));
    const auto beside_labels = load_address(parse_address(folder_.path("one.safetensors")));
    QVERIFY(beside_labels.ok());
    QCOMPARE(beside_labels->item.key, std::string("w"));
}

void AddressTest::refuses_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* text, const char* says) { QTest::newRow(text) << text << says; };
    row("missing.npy", "No such file or directory");
    row("", "this is a folder");
    row("picture.xyz", "this is none of the formats that Maskscope reads; see `maskscope-cli formats`");
    row("w.safetensors", "the file holds several tensors; name one as FILE::KEY, the keys are 'w', 'k[1]', 'k'");
    row("w.safetensors::v", "the file has no 'v'; its keys are 'w', 'k[1]', 'k'");
    row("c64.safetensors", "the dtype C64 is not read");
    row("c64.safetensors::z", "'z' cannot be read: the dtype C64 is not read");
    row("none.safetensors", "the file holds no tensor");
    row("none.safetensors::w", "the file has no 'w'; its keys are none");
    row("tokens.txt", "holds text labels, not numbers");
    row("one.safetensors::tokens", "'tokens' holds text labels, not numbers");
    row("a.npy[2]", "out of bounds");
    row("a.npy[x]", "the slice [x]");
}

void AddressTest::refuses() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const Address address = parse_address(folder_.folder() + "/" + text.toStdString());
    const auto loaded = load_address(address);
    QVERIFY(!loaded.ok());
    QVERIFY2(loaded.error().text().find(says.toStdString()) != std::string::npos, loaded.error().text().c_str());
    QCOMPARE(loaded.error().where.file, address.file);
}

void AddressTest::opening_a_gibibyte_reads_no_data() {
    // A sparse file: had its data been read, opening would take hundreds of milliseconds.
    const auto path =
        folder_.write("big.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (16384, 16384), }\n", ""));
    const auto header = static_cast<off_t>(maskscope::test::read_bytes(path).size());
    QCOMPARE(::truncate(path.c_str(), header + (off_t{1} << 30U)), 0);
    double best_ms = 1e9;
    for (int i = 0; i < 20; ++i) {
        QElapsedTimer timer;
        timer.start();
        const auto contents = open_file(path);
        best_ms = std::min(best_ms, static_cast<double>(timer.nsecsElapsed()) / 1e6);
        QVERIFY(contents.ok());
        QCOMPARE(contents->items.front().bytes, std::size_t{1} << 30U);
    }
    QVERIFY2(best_ms < 1.0, std::to_string(best_ms).c_str());
}

QTEST_APPLESS_MAIN(AddressTest)
#include "address_test.moc"
